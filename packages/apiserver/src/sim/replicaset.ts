import { timestamp } from '../core/clock.js';
import { isStatusError } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import { matchesSelector } from '../kinds/label-rules.js';
import type { Condition, Pod, Workload, WorkloadStatus } from '../kinds/shapes.js';
import { Actor, controllerReference, PODS, REPLICA_SETS } from './actor.js';
import { conditionOf, withConditions } from './conditions.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';
import { byDispensability, isActive, podFromTemplate } from './pod-owner.js';

/** Ms until a ready Pod counts as available; 0 = it does, undefined = it is not ready. */
function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const ready = conditionOf(pod.status.conditions, 'Ready');
  if (ready?.status !== 'True' || pod.metadata.deletionTimestamp) return undefined;
  if (!minReadySeconds) return 0;
  return Math.max(0, Date.parse(ready.lastTransitionTime ?? '') + minReadySeconds * 1000 - now);
}

/** Counts over the Pods of a set that have not ended. */
function statusOf(
  set: Workload,
  all: readonly Pod[],
  { now, failure }: { now: number; failure: Condition | undefined },
): { status: WorkloadStatus; again: number | undefined } {
  const pods = all.filter((pod) => !pod.metadata.deletionTimestamp);
  const labels = set.spec.template.metadata?.labels ?? {};
  const waits = pods.map((pod) => untilAvailable(pod, set.spec.minReadySeconds ?? 0, now));
  const pending = waits.filter((wait): wait is number => wait !== undefined && wait > 0);
  const status: WorkloadStatus = {
    replicas: pods.length,
    fullyLabeledReplicas: pods.filter((pod) => matchesSelector({ matchLabels: labels }, pod.metadata.labels)).length,
    readyReplicas: waits.filter((wait) => wait !== undefined).length,
    availableReplicas: waits.filter((wait) => wait === 0).length,
    terminatingReplicas: all.length - pods.length,
    observedGeneration: set.metadata.generation ?? 0,
  };
  // Counts of 0 are not written, as a real server leaves them out.
  for (const key of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const)
    if (!status[key]) delete status[key];
  const known = set.status.conditions ?? [];
  const conditions = failure
    ? withConditions(known, [failure], timestamp(now))
    : known.filter((condition) => condition.type !== 'ReplicaFailure');
  if (conditions.length) status.conditions = conditions;
  return { status, again: pending.length ? Math.min(...pending) : undefined };
}

/** How long a ReplicaSet waits after a Pod was refused, in ms. */
const RETRY_MS = 5_000;

/** What the server refused, as the condition that says so. */
async function attempt(work: () => Promise<void>): Promise<Condition | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!isStatusError(error) || error.code === 409) throw error;
    return { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: error.message };
  }
}

/** Keeps as many Pods as a ReplicaSet asks for (SI-5). */
export function startReplicaSet(context: SimContext): SimLoop {
  const sets = context.mirror<Workload>('replicasets.apps');
  const pods = context.mirror<Pod>('pods');
  const actor = new Actor(context.semantics.objects, 'replicaset');

  const adjust = async (set: Workload, active: Pod[]): Promise<void> => {
    const wanted = set.spec.replicas ?? 1;
    for (let missing = wanted - active.length; missing > 0; missing--)
      await actor.create(PODS, podFromTemplate(set, set.spec.template));
    if (active.length <= wanted) return;
    for (const pod of [...active].sort(byDispensability).slice(0, active.length - wanted))
      await actor.delete(PODS, pod);
  };

  /** Takes in Pods that match and nobody controls, lets go those that match no more. */
  const adopt = async (set: Workload): Promise<void> => {
    const { selector } = set.spec;
    for (const pod of pods.orphans(set.metadata.namespace)) {
      if (!isActive(pod) || !matchesSelector(selector, pod.metadata.labels)) continue;
      const owners = [...(pod.metadata.ownerReferences ?? []), controllerReference(set)];
      await actor.update(PODS, pod, { metadata: { ...pod.metadata, ownerReferences: owners } });
    }
    for (const pod of pods.controlledBy(set.metadata.uid)) {
      if (pod.metadata.deletionTimestamp || matchesSelector(selector, pod.metadata.labels)) continue;
      const owners = (pod.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== set.metadata.uid);
      await actor.update(PODS, pod, { metadata: { ...pod.metadata, ownerReferences: owners } });
    }
  };

  const work = async (key: string): Promise<number | undefined> => {
    const set = sets.get(key);
    if (!set) return undefined;
    let failure: Condition | undefined;
    if (!set.metadata.deletionTimestamp) {
      await adopt(set);
      failure = await attempt(() => adjust(set, pods.controlledBy(set.metadata.uid).filter(isActive)));
    }
    const live = sets.get(key);
    if (!live || live.metadata.uid !== set.metadata.uid) return undefined;
    const counted = pods
      .controlledBy(set.metadata.uid)
      .filter((pod) => pod.status.phase !== 'Failed' && pod.status.phase !== 'Succeeded');
    const { status, again } = statusOf(live, counted, { now: context.clock.now(), failure });
    if (!jsonEqual(status, live.status)) await actor.updateStatus(REPLICA_SETS, live, status);
    return failure ? Math.min(again ?? RETRY_MS, RETRY_MS) : again;
  };

  const loop = new SimLoop({ name: 'replicaset', clock: context.clock, work });
  sets.each((set) => loop.add(keyOfObject(set)));
  const concern = (pod: Pod): void => {
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller);
    if (owner?.kind === 'ReplicaSet') loop.add(`${pod.metadata.namespace}/${owner.name}`);
    if (owner) return;
    for (const set of sets.in(pod.metadata.namespace)) {
      if (matchesSelector(set.spec.selector, pod.metadata.labels)) loop.add(keyOfObject(set));
    }
  };
  pods.each((pod, event) => {
    concern(pod);
    if (event?.previous) concern(event.previous as Pod);
  });
  return loop;
}
