import type { KubeObject } from '../core/types.js';
import { compareQuantities, sumQuantities, toMilli } from './quantity.js';
import type { Container, Pod, PodSpec, Probe, Volume } from './shapes.js';

/** Defaults of Pods and of Pod templates (DF-3). */

/** `Always` for `:latest` or no tag; an image named by digest counts as tagged. */
export function pullPolicyOf(image: string | undefined): string {
  const name = image ?? '';
  if (name.includes('@')) return 'IfNotPresent';
  const tag = /:([^:/]+)$/.exec(name)?.[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultHttpGet(action: Probe['httpGet']): void {
  if (!action) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

function defaultProbe(probe: Probe | undefined): void {
  if (!probe) return;
  defaultHttpGet(probe.httpGet);
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
}

function defaultContainer(container: Container): void {
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.imagePullPolicy ||= pullPolicyOf(container.image);
  defaultProbe(container.livenessProbe);
  defaultProbe(container.readinessProbe);
  defaultProbe(container.startupProbe);
  for (const hook of Object.values(container.lifecycle ?? {})) defaultHttpGet(hook?.httpGet);
  for (const list of [container.resources?.limits, container.resources?.requests]) {
    for (const name in list) list[name] = toMilli(list[name] as string);
  }
  for (const env of container.env ?? []) {
    if (env.valueFrom?.fieldRef) env.valueFrom.fieldRef.apiVersion ||= 'v1';
  }
}

const MODED = ['secret', 'configMap', 'downwardAPI', 'projected'];
const SOURCES_OF_VOLUMES = (volume: Volume): number => Object.keys(volume).length - 1;

function defaultVolume(volume: Volume): void {
  if (SOURCES_OF_VOLUMES(volume) === 0) volume.emptyDir = {};
  for (const key of MODED) {
    const source = volume[key];
    if (source && source.defaultMode === undefined) source.defaultMode = 0o644;
  }
  if (volume.hostPath && volume.hostPath.type === undefined) volume.hostPath.type = '';
  const projected = (volume.projected?.sources ?? []) as unknown as {
    serviceAccountToken?: { expirationSeconds?: number };
  }[];
  for (const source of projected) {
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
  }
}

/** Defaults that Pods and templates share. */
export function defaultPodSpec(spec: PodSpec | undefined): void {
  if (!spec) return;
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers]) list?.forEach(defaultContainer);
  if (spec.hostNetwork) {
    for (const list of [spec.initContainers, spec.containers]) {
      for (const container of list ?? [])
        for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
    }
  }
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) spec.serviceAccountName = spec.serviceAccount = account;
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
}

/** Defaults of a Pod itself, beyond those of its spec. */
export function defaultPod(object: KubeObject): void {
  const { spec, status } = object as Pod;
  if (!spec) return;
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0)
    spec.terminationGracePeriodSeconds = 1;
  defaultPodSpec(spec);
  for (const list of [spec.initContainers, spec.containers]) {
    for (const { resources } of list ?? [])
      if (resources?.limits) resources.requests = { ...resources.limits, ...resources.requests };
  }
  spec.enableServiceLinks ??= true;
  if (status?.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  else if (status?.podIPs?.[0] && !status.podIP) status.podIP = status.podIPs[0].ip;
}

const COMPUTE = ['cpu', 'memory'];

/** BestEffort, Burstable or Guaranteed, from requests and limits of cpu and memory. */
export function qosClassOf(spec: PodSpec): string {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let any = false;
  let guaranteed = true;
  for (const name of COMPUTE) {
    const requests = containers.map((c) => c.resources?.requests?.[name]);
    const limits = containers.map((c) => c.resources?.limits?.[name]);
    const present = [...requests, ...limits].filter((q) => q !== undefined && compareQuantities(q, '0') > 0);
    if (present.length) any = true;
    if (limits.some((q) => q === undefined)) guaranteed = false;
    else if (sumQuantities(requests as string[]) !== sumQuantities(limits as string[])) guaranteed = false;
  }
  return any ? (guaranteed ? 'Guaranteed' : 'Burstable') : 'BestEffort';
}

/** What admission adds to a new Pod: service account, priority, tolerations; and the status it begins with. */
export function preparePod(object: KubeObject): void {
  const { spec } = object as Pod;
  const account = spec.serviceAccountName || 'default';
  spec.serviceAccountName = spec.serviceAccount = account;
  spec.priority ??= 0;
  spec.preemptionPolicy ??= 'PreemptLowerPriority';
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
    const tolerated = spec.tolerations?.some(
      (t) => (t.key === key || !t.key) && (!t.effect || t.effect === 'NoExecute'),
    );
    if (!tolerated)
      (spec.tolerations ??= []).push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
  }
}
