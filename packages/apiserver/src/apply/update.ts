import type { JsonObject, TypingNode } from '../core/types.js';
import { compare, type Comparison } from './compare.js';
import type { Conflicts } from './conflicts.js';
import { FieldSet } from './field-set.js';
import { fieldsOf } from './fields.js';
import { identity, putManager, type Manager, type Managers } from './managers.js';
import { merge, removeFields } from './merge.js';

/** Never recorded for whoever writes (SA-2). */
const stripped = ((): FieldSet => {
  const set = new FieldSet();
  for (const name of ['apiVersion', 'kind', 'metadata']) set.members.add(`f:${name}`);
  const meta = set.child('f:metadata');
  for (const name of [
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
  ]) {
    meta.members.add(`f:${name}`);
  }
  return set;
})();

/** Who writes, and which top-level fields do not count for them. */
export interface Writer {
  readonly manager: Omit<Manager, 'set' | 'entry'>;
  readonly reset: readonly string[];
}

const elements = (reset: readonly string[]): string[] => reset.map((name) => `f:${name}`);

function without(comparison: Comparison, reset: readonly string[]): Comparison {
  if (reset.length === 0) return comparison;
  const drop = elements(reset);
  return {
    added: comparison.added.without(drop),
    modified: comparison.modified.without(drop),
    removed: comparison.removed.without(drop),
  };
}

/** Fields of managers other than `self` that were changed or added. */
function conflictsOf(managers: Managers, self: string | undefined, change: Comparison): Conflicts {
  const conflicts: Conflicts = new Map();
  const touched = change.modified.union(change.added);
  if (touched.empty) return conflicts;
  for (const [id, manager] of managers) {
    if (id === self) continue;
    const set = manager.set.intersect(touched);
    if (!set.empty) conflicts.set(id, { manager, set });
  }
  return conflicts;
}

/** Takes fields that changed hands from their managers, and removed fields from all but `self`. */
function release(managers: Managers, self: string | undefined, conflicts: Conflicts, removed: FieldSet): void {
  for (const [id, manager] of Array.from(managers)) {
    if (id === self) continue;
    const lost = conflicts.get(id)?.set;
    const set = (lost ? manager.set.minus(lost) : manager.set).minus(removed);
    if (set !== manager.set) putManager(managers, { ...manager, set });
  }
}

/**
 * Ownership after a create, update or patch (SA-6): what changed or was added goes to the writer and leaves all others; the
 * writer keeps what it owned. Changes `managers`.
 */
export function updateOwners(
  typing: TypingNode,
  old: JsonObject,
  next: JsonObject,
  input: { managers: Managers; writer: Writer },
): void {
  const { managers, writer } = input;
  const change = compare(typing, old, next);
  const counted = without(change, writer.reset);
  release(managers, undefined, conflictsOf(managers, undefined, counted), counted.removed);
  const taken = change.modified.union(change.added).without(elements(writer.reset)).minus(stripped);
  if (taken.empty) return;
  const held = managers.get(identity(writer.manager))?.set;
  putManager(managers, { ...writer.manager, set: held ? held.union(taken) : taken });
}

export interface Applied {
  readonly object: JsonObject;
  readonly managers: Managers;
  readonly conflicts: Conflicts;
}

/**
 * The core of server-side apply (SA-5): merges, prunes what the writer gave up, and settles ownership. With conflicts and no
 * force the answer is not to be used.
 */
export function applyOwners(
  typing: TypingNode,
  live: JsonObject,
  patch: JsonObject,
  input: { managers: Managers; writer: Writer; force: boolean },
): Applied {
  const { writer, force } = input;
  const managers: Managers = new Map(input.managers);
  const self = identity(writer.manager);
  const last = managers.get(self);
  const set = fieldsOf(typing, patch).without(elements(writer.reset));
  // Keeps its place among the managers while others are looked at; the time is set when something changed.
  managers.set(self, { ...writer.manager, time: last?.time, set });
  const merged = merge(typing, live, patch);
  const object = prune(typing, merged, last?.set, managers);
  const change = without(compare(typing, live, object), writer.reset);
  const conflicts = conflictsOf(managers, self, change);
  if (conflicts.size > 0 && !force) return { object, managers, conflicts };
  release(managers, self, conflicts, change.removed);
  if (last) managers.set(self, last);
  else managers.delete(self);
  putManager(managers, { ...writer.manager, time: last?.time, set: set.minus(stripped) });
  return { object, managers, conflicts };
}

/** Removes what the writer applied last time, does not apply now, and nobody else owns. */
function prune(typing: TypingNode, merged: JsonObject, last: FieldSet | undefined, managers: Managers): JsonObject {
  if (!last || last.empty) return merged;
  const mine = last.withNamedParents(typing);
  const all = fieldsOf(typing, merged).withNamedParents(typing);
  let owned = new FieldSet();
  for (const manager of managers.values()) owned = owned.union(manager.set);
  const bare = removeFields(typing, merged, mine);
  const kept = fieldsOf(typing, bare).withNamedParents(typing).union(owned.withNamedParents(typing));
  // First what others own comes back, then what is left of containers the writer never owned.
  const backed = removeFields(typing, merged, all.minus(kept));
  const left = fieldsOf(typing, backed).withNamedParents(typing);
  return removeFields(typing, merged, all.minus(left).intersect(mine));
}
