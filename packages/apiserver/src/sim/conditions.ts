import type { Condition } from '../kinds/shapes.js';

/**
 * Conditions with some of them set. A condition keeps its transition time while its status stays, and its place in the list;
 * others are kept as they are.
 */
export function withConditions(
  known: readonly Condition[] | undefined,
  set: readonly Condition[],
  now: string,
): Condition[] {
  const next = (known ?? []).map((condition) => ({ ...condition }));
  for (const condition of set) {
    const at = next.findIndex(({ type }) => type === condition.type);
    const before = next[at];
    const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
    const made = { ...condition, lastTransitionTime };
    if (at < 0) next.push(made);
    else next[at] = made;
  }
  return next;
}

/** The condition of that type. */
export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether a condition is True. */
export const isTrue = (conditions: readonly Condition[] | undefined, type: string): boolean =>
  conditionOf(conditions, type)?.status === 'True';
