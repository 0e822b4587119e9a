import { jsonEqual } from '../core/json.js';
import type { KubeObject } from '../core/types.js';
import { matchesSelector } from '../kinds/label-rules.js';
import type { Pod, Service, ServicePort } from '../kinds/shapes.js';
import { Actor, controllerReference, type NewObject } from './actor.js';
import { isTrue } from './conditions.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';

const SLICES = { group: 'discovery.k8s.io', plural: 'endpointslices' };
const ENDPOINTS = { group: '', plural: 'endpoints' };
const SERVICE = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';

interface Slice extends KubeObject {
  endpoints?: unknown[] | null;
  ports?: unknown[] | null;
}

/** The number a target port has in a Pod; undefined = the Pod has no port of that name. */
function targetOf(port: ServicePort, pod: Pod | undefined): number | undefined {
  if (typeof port.targetPort !== 'string') return port.targetPort ?? port.port;
  for (const container of pod?.spec.containers ?? []) {
    const found = container.ports?.find((candidate) => candidate.name === port.targetPort);
    if (found) return found.containerPort;
  }
  return undefined;
}

interface Target {
  pod: Pod;
  ip: string;
  ready: boolean;
}

const reference = ({ metadata }: Pod): object => ({
  kind: 'Pod',
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
});

/** Keeps one EndpointSlice and one Endpoints object for each Service with a selector (SI-5). */
class EndpointController {
  readonly #context: SimContext;
  readonly #actor: Actor;

  constructor(context: SimContext) {
    this.#context = context;
    this.#actor = new Actor(context.semantics.objects, 'endpointslice');
  }

  #targets({ metadata, spec }: Service): Target[] {
    const targets: Target[] = [];
    for (const pod of this.#context.mirror<Pod>('pods').in(metadata.namespace)) {
      const { podIP, phase } = pod.status;
      if (
        !podIP ||
        phase === 'Succeeded' ||
        phase === 'Failed' ||
        !matchesSelector({ matchLabels: spec.selector ?? {} }, pod.metadata.labels)
      )
        continue;
      const ready =
        spec.publishNotReadyAddresses || (isTrue(pod.status.conditions, 'Ready') && !pod.metadata.deletionTimestamp);
      targets.push({ pod, ip: podIP, ready: !!ready });
    }
    return targets.sort((a, b) => (a.pod.metadata.name ?? '').localeCompare(b.pod.metadata.name ?? ''));
  }

  async work(key: string): Promise<undefined> {
    const service = this.#context.mirror<Service>('services').get(key);
    if (
      !service ||
      service.metadata.deletionTimestamp ||
      !service.spec.selector ||
      service.spec.type === 'ExternalName'
    )
      return;
    const targets = this.#targets(service);
    await this.#writeSlice(service, targets);
    await this.#writeEndpoints(service, targets);
  }

  #ports(service: Service, targets: readonly Target[]): (ServicePort & { number: number })[] {
    return (service.spec.ports ?? []).flatMap((port) => {
      const number = targetOf(port, targets[0]?.pod);
      return number === undefined ? [] : [{ ...port, number }];
    });
  }

  async #writeSlice(service: Service, targets: readonly Target[]): Promise<void> {
    const { name = '', namespace = '' } = service.metadata;
    const endpoints = targets.map(({ pod, ip, ready }) => ({
      addresses: [ip],
      conditions: {
        ready,
        serving: isTrue(pod.status.conditions, 'Ready'),
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      targetRef: reference(pod),
      ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    }));
    const ports = this.#ports(service, targets).map((port) => ({
      name: port.name ?? '',
      port: port.number,
      protocol: port.protocol ?? 'TCP',
      ...(port.appProtocol ? { appProtocol: port.appProtocol } : {}),
    }));
    const slices = this.#context.mirror<Slice>('endpointslices.discovery.k8s.io').controlledBy(service.metadata.uid);
    const slice = slices.find(
      ({ metadata }) => metadata.labels?.[MANAGED_BY] === MANAGER && !metadata.deletionTimestamp,
    );
    if (slice) {
      if (!jsonEqual(slice.endpoints ?? [], endpoints) || !jsonEqual(slice.ports ?? [], ports))
        await this.#actor.update(SLICES, slice, { endpoints, ports });
      return;
    }
    const made: NewObject = {
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: { ...service.metadata.labels, [SERVICE]: name, [MANAGED_BY]: MANAGER },
        ownerReferences: [controllerReference(service)],
      },
      addressType: 'IPv4',
      endpoints,
      ports,
    };
    await this.#actor.create(SLICES, made);
  }

  async #writeEndpoints(service: Service, targets: readonly Target[]): Promise<void> {
    const { name = '', namespace = '' } = service.metadata;
    const entry = ({ pod, ip }: Target): object => ({
      ip,
      ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
      targetRef: reference(pod),
    });
    const addresses = targets.filter((target) => target.ready).map(entry);
    const notReadyAddresses = targets.filter((target) => !target.ready).map(entry);
    const ports = this.#ports(service, targets).map((port) => ({
      ...(port.name ? { name: port.name } : {}),
      port: port.number,
      protocol: port.protocol ?? 'TCP',
    }));
    const subset = {
      ...(addresses.length ? { addresses } : {}),
      ...(notReadyAddresses.length ? { notReadyAddresses } : {}),
      ...(ports.length ? { ports } : {}),
    };
    const subsets = targets.length ? [subset] : [];
    const live = this.#context.mirror<KubeObject & { subsets?: object[] }>('endpoints').get(`${namespace}/${name}`);
    if (!live)
      await this.#actor.ensure(ENDPOINTS, {
        metadata: {
          name,
          namespace,
          labels: { ...service.metadata.labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' },
        },
        subsets,
      });
    else if (!jsonEqual(live.subsets ?? [], subsets)) await this.#actor.update(ENDPOINTS, live, { subsets });
  }

  /** Endpoints have no owner, so they go with their Service. */
  async removed(service: Service): Promise<void> {
    const live = this.#context.mirror('endpoints').get(keyOfObject(service));
    if (live && service.spec.selector) await this.#actor.delete(ENDPOINTS, live);
  }
}

/** Starts the controller of EndpointSlices and Endpoints. */
export function startEndpointSlice(context: SimContext): SimLoop {
  const controller = new EndpointController(context);
  const gone = new Map<string, Service>();
  const work = async (key: string): Promise<undefined> => {
    const removed = gone.get(key);
    gone.delete(key);
    if (removed) await controller.removed(removed);
    await controller.work(key);
  };
  const loop = new SimLoop({ name: 'endpointslice', clock: context.clock, work });
  const services = context.mirror<Service>('services');
  services.each((service, event) => {
    const key = keyOfObject(service);
    if (event?.type === 'DELETED') gone.set(key, service);
    loop.add(key);
  });
  context.mirror<Pod>('pods').each((pod, event) => {
    // A change of labels may take a Pod out of a Service that it was in before.
    const before = (event?.previous as Pod | undefined)?.metadata.labels;
    for (const service of services.in(pod.metadata.namespace)) {
      const selector = service.spec.selector && { matchLabels: service.spec.selector };
      if (matchesSelector(selector, pod.metadata.labels) || (before && matchesSelector(selector, before)))
        loop.add(keyOfObject(service));
    }
  });
  context.mirror<Slice>('endpointslices.discovery.k8s.io').each((slice, event) => {
    const name = slice.metadata.labels?.[SERVICE];
    if (name && event && event.type !== 'ADDED') loop.add(`${slice.metadata.namespace}/${name}`);
  });
  return loop;
}
