import type { KubeObject } from '../core/types.js';
import { matchesSelector } from '../kinds/label-rules.js';
import type { Pod } from '../kinds/shapes.js';
import { isBestEffort } from './pod-usage.js';
import type { Amounts } from './pod-usage.js';
import { counts } from './usage.js';
import type { Counted } from './usage.js';

interface ScopeRequirement {
  scopeName: string;
  operator: string;
  values?: string[];
}

/** The parts of a ResourceQuota that say what it limits. */
export interface Quota extends KubeObject {
  spec?: { hard?: Amounts; scopes?: string[]; scopeSelector?: { matchExpressions?: ScopeRequirement[] } };
  status?: { hard?: Amounts; used?: Amounts };
}

interface AffinityTerm {
  namespaces?: string[];
  namespaceSelector?: unknown;
}
interface Affinity {
  requiredDuringSchedulingIgnoredDuringExecution?: AffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm: AffinityTerm }[];
}

function crossesNamespaces({ spec }: Pod): boolean {
  const { affinity } = spec as { affinity?: { podAffinity?: Affinity; podAntiAffinity?: Affinity } };
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((part) => [
    ...(part?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((weighted) => weighted.podAffinityTerm),
  ]);
  return terms.some((term) => term.namespaces?.length || term.namespaceSelector !== undefined);
}

/** Whether one of the names (or none at all) meets a requirement. */
function meets({ operator, values }: ScopeRequirement, names: readonly string[]): boolean {
  const expression = { key: 'name', operator, ...(values ? { values } : {}) };
  const sets = names.length ? names.map((name) => ({ name })) : [{}];
  return sets.some((labels) => matchesSelector({ matchExpressions: [expression] }, labels as Record<string, string>));
}

function podInScope(pod: Pod, requirement: ScopeRequirement): boolean {
  const ends = (pod.spec.activeDeadlineSeconds ?? -1) >= 0;
  switch (requirement.scopeName) {
    case 'Terminating':
      return ends;
    case 'NotTerminating':
      return !ends;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return meets(requirement, pod.spec.priorityClassName ? [pod.spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(pod);
    default:
      return false;
  }
}

interface AttributedClaim extends KubeObject {
  spec?: { volumeAttributesClassName?: string };
  status?: {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
}

function claimInScope({ spec, status }: AttributedClaim, requirement: ScopeRequirement): boolean {
  if (requirement.scopeName !== 'VolumeAttributesClass') return false;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return meets(
    requirement,
    names.filter((name): name is string => !!name),
  );
}

function inScope(resource: Counted, object: KubeObject, requirement: ScopeRequirement): boolean {
  if (resource.group !== '') return false;
  if (resource.plural === 'pods') return podInScope(object as Pod, requirement);
  return resource.plural === 'persistentvolumeclaims' && claimInScope(object as AttributedClaim, requirement);
}

/** Whether an object is in all scopes of a quota. */
export function inScopes(resource: Counted, object: KubeObject, { spec }: Quota): boolean {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])].every((requirement) =>
    inScope(resource, object, requirement),
  );
}

/** Names in a quota that objects of a resource count towards. */
export const namesFor = (resource: Counted, hard: Amounts | undefined): string[] =>
  Object.keys(hard ?? {}).filter((name) => counts(resource, name));
