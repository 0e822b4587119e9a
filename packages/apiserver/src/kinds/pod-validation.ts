import { duplicate, forbiddenField, invalidValue, notSupported, required } from '../core/errors.js';
import { jsonCopy, jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject } from '../core/types.js';
import { checkContainer, checkIds } from './container-validation.js';
import { checkCount, checkIp, checkLabelName, checkLabels, checkQualified, checkSubdomainName } from './label-rules.js';
import type { Pod, PodSpec, Toleration, Volume } from './shapes.js';

/** Checks of Pods and Pod templates beyond required members and enumerations (DF-3, DF-6). */

const NAMED_SOURCES: Readonly<Record<string, string>> = { configMap: 'name', secret: 'secretName' };
const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';

function checkVolume(volume: Volume, at: string): FieldError[] {
  const errors = checkLabelName(`${at}.name`, volume.name);
  const [first, ...others] = Object.keys(volume).filter((key) => key !== 'name');
  for (const source of others)
    errors.push(forbiddenField(`${at}.${source}`, 'may not specify more than 1 volume type'));
  const source = first === undefined ? undefined : volume[first];
  const named = first === undefined ? undefined : NAMED_SOURCES[first];
  if (source && named && !source[named]) errors.push(required(`${at}.${first}.${named}`));
  const mode = source?.defaultMode;
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    errors.push(invalidValue(`${at}.${first}.defaultMode`, mode, MODE));
  return errors;
}

function checkVolumes(volumes: readonly Volume[], path: string): FieldError[] {
  const seen = new Set<string>();
  return volumes.flatMap((volume, i) => {
    const at = `${path}.volumes[${i}]`;
    const repeated = seen.has(volume.name);
    seen.add(volume.name);
    return [...checkVolume(volume, at), ...(repeated ? [duplicate(`${at}.name`, volume.name)] : [])];
  });
}

function checkToleration({ key, operator, value, effect, tolerationSeconds }: Toleration, at: string): FieldError[] {
  const errors = checkQualified(`${at}.key`, key);
  if (!key && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidValue(`${at}.operator`, operator ?? '', why));
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    errors.push(
      invalidValue(`${at}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    );
  }
  if (operator === 'Exists' && value) {
    errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
  }
  return errors;
}

const UNIQUE_LISTS = ['containers', 'initContainers', 'ephemeralContainers'] as const;
const PROBES = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function checkContainers(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Set((spec.volumes ?? []).map((volume) => volume.name));
  const seen = new Set<string>();
  for (const list of UNIQUE_LISTS) {
    for (const [i, container] of (spec[list] ?? []).entries()) {
      const at = `${path}.${list}[${i}]`;
      errors.push(...checkContainer(container, at, volumes));
      if (seen.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
      if (container.name) seen.add(container.name);
      if (list === 'initContainers' && container.restartPolicy !== 'Always') {
        for (const name of PROBES) {
          if (container[name])
            errors.push(
              forbiddenField(`${at}.${name}`, 'may not be set for init containers without restartPolicy=Always'),
            );
        }
      }
      for (const [j, port] of (spec.hostNetwork ? (container.ports ?? []) : []).entries()) {
        if (port.hostPort !== port.containerPort) {
          errors.push(
            invalidValue(
              `${at}.ports[${j}].hostPort`,
              port.hostPort ?? 0,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          );
        }
      }
    }
  }
  return errors;
}

function checkGates(spec: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  const errors = (spec.readinessGates ?? []).flatMap(({ conditionType }, i) =>
    checkQualified(`${path}.readinessGates[${i}].conditionType`, conditionType),
  );
  for (const [i, { name }] of (spec.schedulingGates ?? []).entries()) {
    errors.push(...checkQualified(`${path}.schedulingGates[${i}]`, name));
    if (seen.has(name)) errors.push(duplicate(`${path}.schedulingGates[${i}]`, name));
    seen.add(name);
  }
  return errors;
}

function checkNetwork(spec: PodSpec, path: string): FieldError[] {
  const errors = [
    ...checkLabelName(`${path}.hostname`, spec.hostname),
    ...checkLabelName(`${path}.subdomain`, spec.subdomain),
  ];
  if (spec.dnsPolicy === 'None' && !spec.dnsConfig) {
    errors.push(required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  }
  for (const [i, server] of (spec.dnsConfig?.nameservers ?? []).entries())
    errors.push(...checkIp(`${path}.dnsConfig.nameservers[${i}]`, server));
  for (const [i, { ip, hostnames = [] }] of (spec.hostAliases ?? []).entries()) {
    const at = `${path}.hostAliases[${i}]`;
    errors.push(
      ...checkIp(`${at}.ip`, ip),
      ...hostnames.flatMap((name, j) => checkSubdomainName(`${at}.hostnames[${j}]`, name)),
    );
  }
  return errors;
}

/** Checks a Pod spec at `path` (`spec`, `spec.template.spec`). */
export function validatePodSpec(spec: PodSpec | undefined, path: string): FieldError[] {
  if (!spec) return [];
  const { activeDeadlineSeconds: deadline, terminationGracePeriodSeconds: grace } = spec;
  const errors = [...checkVolumes(spec.volumes ?? [], path), ...checkContainers(spec, path)];
  errors.push(...checkCount(`${path}.terminationGracePeriodSeconds`, grace));
  if (deadline !== undefined && deadline < 1) {
    errors.push(invalidValue(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'));
  }
  errors.push(
    ...(spec.tolerations ?? []).flatMap((toleration, i) => checkToleration(toleration, `${path}.tolerations[${i}]`)),
  );
  for (const [i, { maxSkew }] of (spec.topologySpreadConstraints ?? []).entries()) {
    if (!maxSkew || maxSkew < 1)
      errors.push(
        invalidValue(`${path}.topologySpreadConstraints[${i}].maxSkew`, maxSkew ?? 0, 'must be greater than zero'),
      );
  }
  return [
    ...errors,
    ...checkSubdomainName(`${path}.nodeName`, spec.nodeName),
    ...checkSubdomainName(`${path}.serviceAccountName`, spec.serviceAccountName),
    ...checkLabels(`${path}.nodeSelector`, spec.nodeSelector),
    ...checkIds(spec.securityContext, `${path}.securityContext`),
    ...checkGates(spec, path),
    ...checkNetwork(spec, path),
  ];
}

/** The only restart policies a workload's template may have. */
export function checkTemplateRestartPolicy(
  spec: PodSpec | undefined,
  path: string,
  allowed: readonly string[],
): FieldError[] {
  const policy = spec?.restartPolicy;
  return policy === undefined || allowed.includes(policy)
    ? []
    : [notSupported(`${path}.restartPolicy`, policy, allowed)];
}

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What of a Pod's spec an update may not touch. */
export function validatePodUpdate(next: KubeObject, old: KubeObject): FieldError[] {
  const { spec: a } = next as Pod;
  const { spec: b } = old as Pod;
  const errors: FieldError[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    if ((a[list]?.length ?? 0) !== (b[list]?.length ?? 0)) {
      errors.push(forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers'));
    }
  }
  if (errors.length) return errors;
  const tolerations = a.tolerations ?? [];
  if (
    !(b.tolerations ?? []).every((toleration) =>
      tolerations.some((kept) => jsonEqual({ ...kept, tolerationSeconds: 0 }, { ...toleration, tolerationSeconds: 0 })),
    )
  ) {
    errors.push(
      forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    );
  }
  if (!jsonEqual(fixedPart(a, b), fixedPart(b, b))) errors.push(forbiddenField('spec', IMMUTABLE));
  return errors;
}

/** A spec with everything that may change taken from `old`. */
function fixedPart(spec: PodSpec, old: PodSpec): PodSpec {
  const copy = jsonCopy(spec);
  for (const list of ['containers', 'initContainers'] as const) {
    copy[list]?.forEach((container, i) => {
      const image = old[list]?.[i]?.image;
      if (image === undefined) delete container.image;
      else container.image = image;
    });
  }
  delete copy.activeDeadlineSeconds;
  delete copy.tolerations;
  const gates =
    old.schedulingGates?.filter((gate) => copy.schedulingGates?.some((kept) => kept.name === gate.name)) ?? [];
  if ((copy.schedulingGates?.length ?? 0) === gates.length) delete copy.schedulingGates;
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && copy.terminationGracePeriodSeconds === 1)
    delete copy.terminationGracePeriodSeconds;
  delete copy.ephemeralContainers;
  return copy;
}
