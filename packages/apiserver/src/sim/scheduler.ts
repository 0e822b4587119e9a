import { timestamp } from '../core/clock.js';
import type { KubeObject } from '../core/types.js';
import type { Condition, Pod, Toleration } from '../kinds/shapes.js';
import { Actor, PODS } from './actor.js';
import { conditionOf, isTrue, withConditions } from './conditions.js';
import type { SimContext } from './context.js';
import { pickDelay, SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';

interface Taint {
  key: string;
  value?: string;
  effect: string;
}

interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[] };
  status?: { conditions?: Condition[] };
}

const tolerates = (taint: Taint, { key, operator, value, effect }: Toleration): boolean =>
  (!effect || effect === taint.effect) &&
  (!key || key === taint.key) &&
  (operator === 'Exists' || (value ?? '') === (taint.value ?? ''));

function fits(node: Node, pod: Pod): boolean {
  if (node.spec?.unschedulable || node.metadata.deletionTimestamp || !isTrue(node.status?.conditions, 'Ready'))
    return false;
  const { nodeSelector = {}, tolerations = [] } = pod.spec as Pod['spec'] & { nodeSelector?: Record<string, string> };
  if (Object.entries(nodeSelector).some(([key, value]) => node.metadata.labels?.[key] !== value)) return false;
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule');
  return taints.every((taint) => tolerations.some((toleration) => tolerates(taint, toleration)));
}

const isWaiting = (pod: Pod): boolean => !pod.spec.nodeName && !pod.metadata.deletionTimestamp;
const isGated = (pod: Pod): boolean => !!pod.spec.schedulingGates?.length;

/** Gives Pods a node (SI-1): ready, schedulable, tolerated, selected; in turn where several fit. */
export function startScheduler(context: SimContext): SimLoop {
  const pods = context.mirror<Pod>('pods');
  const nodes = context.mirror<Node>('nodes');
  const actor = new Actor(context.semantics.objects, 'scheduler');
  let turn = 0;

  const scheduled = async (pod: Pod, status: 'True' | 'False', why: Partial<Condition>): Promise<void> => {
    const now = timestamp(context.clock.now());
    const condition: Condition = { type: 'PodScheduled', status, lastProbeTime: null, ...why };
    const known = conditionOf(pod.status.conditions, 'PodScheduled');
    if (known?.status === status && known.reason === condition.reason && known.message === condition.message) return;
    await actor.updateStatus(PODS, pod, {
      ...pod.status,
      conditions: withConditions(pod.status.conditions, [condition], now),
    });
  };

  const work = async (key: string): Promise<undefined> => {
    const pod = pods.get(key);
    if (!pod || !isWaiting(pod)) return;
    if (isGated(pod)) {
      await scheduled(pod, 'False', {
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      });
      return;
    }
    const fitting = [...nodes.values()].filter((node) => fits(node, pod));
    const node = fitting[turn++ % fitting.length];
    if (!node) {
      await scheduled(pod, 'False', {
        reason: 'Unschedulable',
        message: `0/${nodes.size} nodes are available: no node fits.`,
      });
      return;
    }
    const placement = { metadata: { uid: pod.metadata.uid ?? '' }, spec: { nodeName: node.metadata.name ?? '' } };
    await actor.merge(PODS, pod, placement, 'binding');
    const placed = pods.get(key);
    if (placed) await scheduled(placed, 'True', {});
  };

  const loop = new SimLoop({ name: 'scheduler', clock: context.clock, work });
  pods.each((pod, event) => {
    if (event?.type !== 'DELETED' && isWaiting(pod))
      loop.add(keyOfObject(pod), pickDelay(context.delays.schedule, context.random));
  });
  // A node that appeared or became ready may take what waits.
  nodes.each((_, event) => {
    if (event && event.type !== 'DELETED')
      for (const pod of pods.values()) if (isWaiting(pod)) loop.add(keyOfObject(pod));
  });
  return loop;
}
