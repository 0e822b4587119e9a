import type { Workload } from '../kinds/shapes.js';

/** Arithmetic of rolling updates (SI-4). */

const percent = (text: string): number => Number.parseInt(text, 10) / 100;

function resolve(value: number | string | undefined, of: number, roundUp: boolean): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  return roundUp ? Math.ceil(percent(value) * of) : Math.floor(percent(value) * of);
}

/** How many Pods a rollout may add and take, in numbers. */
export function limitsOf({ spec }: Workload): { surge: number; unavailable: number } {
  const wanted = spec.replicas ?? 1;
  if (spec.strategy?.type === 'Recreate') return { surge: 0, unavailable: wanted };
  const { maxSurge, maxUnavailable } = spec.strategy?.rollingUpdate ?? {};
  const surge = resolve(maxSurge, wanted, true);
  const unavailable = resolve(maxUnavailable, wanted, false);
  // Both rounded to nothing would stand still for ever.
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

export const replicasOf = (set: Workload): number => set.spec.replicas ?? 0;
export const availableOf = (set: Workload): number => set.status.availableReplicas ?? 0;
export const sum = (sets: readonly Workload[], of: (set: Workload) => number): number =>
  sets.reduce((total, set) => total + of(set), 0);

/** One step of a rolling update: the replicas that sets should have now. Sets that need no change are left out. */
export function rollingStep(deployment: Workload, current: Workload, old: readonly Workload[]): Map<Workload, number> {
  const wanted = deployment.spec.replicas ?? 1;
  const { surge, unavailable } = limitsOf(deployment);
  const change = new Map<Workload, number>();
  const total = replicasOf(current) + sum(old, replicasOf);
  if (replicasOf(current) > wanted) {
    change.set(current, wanted);
    return change;
  }
  const grow = Math.min(wanted + surge - total, wanted - replicasOf(current));
  if (grow > 0) {
    change.set(current, replicasOf(current) + grow);
    return change;
  }
  const notYet = Math.max(0, replicasOf(current) - availableOf(current));
  let spare = total - (wanted - Math.min(unavailable, wanted)) - notYet;
  // Old Pods that are not available cost nothing, so they go first.
  const targets = new Map(old.map((set) => [set, replicasOf(set)]));
  for (const set of old) {
    const broken = Math.min(spare, Math.max(0, replicasOf(set) - availableOf(set)));
    if (broken > 0) {
      targets.set(set, replicasOf(set) - broken);
      spare -= broken;
    }
  }
  let free = Math.min(spare, availableOf(current) + sum(old, availableOf) - (wanted - Math.min(unavailable, wanted)));
  for (const [set, left] of targets) {
    const take = Math.min(free, left);
    if (take > 0) {
      targets.set(set, left - take);
      free -= take;
    }
  }
  for (const [set, left] of targets) if (left !== replicasOf(set)) change.set(set, left);
  return change;
}
