import { matchesLabels } from '../auth/labels.js';
import { SERVER } from '../auth/mirror.js';
import { failure, internal } from '../core/errors.js';
import type { KubeObject, ObjectService } from '../core/types.js';
import type { EvictionGuard } from './pod-subresources.js';

interface Budget {
  readonly selector?: unknown;
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

const statusOf = (pod: KubeObject): PodStatus => (pod['status'] ?? {}) as PodStatus;

/** A Pod that does not run is no loss to its budget. */
const countsForNothing = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp !== undefined ||
  ['Pending', 'Succeeded', 'Failed'].includes(statusOf(pod).phase ?? '');

const healthy = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  (statusOf(pod).conditions ?? []).some((c) => c.type === 'Ready' && c.status === 'True');

/** A number or a percentage, rounded up. */
function share(value: number | string, of: number): number {
  if (typeof value === 'number') return value;
  return value.endsWith('%') ? Math.ceil((Number.parseFloat(value) / 100) * of) : Number.parseInt(value, 10);
}

function needed({ minAvailable, maxUnavailable }: Budget, pods: number): number {
  if (maxUnavailable !== undefined) return Math.max(0, pods - share(maxUnavailable, pods));
  return share(minAvailable ?? 0, pods);
}

/** Refuses evictions that a PodDisruptionBudget does not allow (ER-16), reckoned from the Pods as they are now. */
export function disruptionGuard(objects: ObjectService): EvictionGuard {
  const list = async (group: string, plural: string, namespace: string): Promise<KubeObject[]> => {
    const resource = objects.registry.byResource(group, plural);
    if (!resource) return [];
    return (await objects.list({ resource, version: resource.storageVersion, namespace }, { principal: SERVER })).items;
  };
  return async (pod) => {
    if (countsForNothing(pod)) return undefined;
    const { namespace = '', labels } = pod.metadata;
    const selects = (budget: KubeObject, of: typeof labels): boolean => {
      const { selector } = (budget['spec'] ?? {}) as Budget;
      return selector !== undefined && matchesLabels(selector, of);
    };
    const [budget, ...more] = (await list('policy', 'poddisruptionbudgets', namespace)).filter((b) =>
      selects(b, labels),
    );
    if (!budget) return undefined;
    if (more.length > 0) {
      return internal(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    }
    const pods = (await list('', 'pods', namespace)).filter((p) => selects(budget, p.metadata.labels));
    const want = needed((budget['spec'] ?? {}) as Budget, pods.length);
    const have = pods.filter(healthy).length;
    if (have > want) return undefined;
    const message = `The disruption budget ${budget.metadata.name ?? ''} needs ${want} healthy pods and has ${have} currently`;
    return failure(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message }],
    });
  };
}
