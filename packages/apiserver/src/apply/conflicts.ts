import { failure, type StatusError } from '../core/errors.js';
import type { StatusCause } from '../core/types.js';
import { FieldSet, pathText } from './field-set.js';
import type { Manager } from './managers.js';

/** Fields of other managers that an apply would change, by identity of the manager. */
export type Conflicts = Map<string, { manager: Manager; set: FieldSet }>;

/** All conflicting fields, whoever owns them. */
export function conflictSet(conflicts: Conflicts): FieldSet {
  let all = new FieldSet();
  for (const { set } of conflicts.values()) all = all.union(set);
  return all;
}

/** The conflicts that are not in `allowed`. */
export function otherConflicts(conflicts: Conflicts, allowed: FieldSet): Conflicts {
  const left: Conflicts = new Map();
  for (const [id, { manager, set }] of conflicts) {
    const rest = set.minus(allowed);
    if (!rest.empty) left.set(id, { manager, set: rest });
  }
  return left;
}

function named(manager: Manager): string {
  const base = JSON.stringify(manager.name);
  const sub = manager.subresource ? ` with subresource ${JSON.stringify(manager.subresource)}` : '';
  return base + sub + (manager.operation === 'Update' ? ` using ${manager.apiVersion}` : '');
}

/** 409 with the texts of SA-8. */
export function conflictError(conflicts: Conflicts): StatusError {
  const ids = [...conflicts.keys()].sort();
  const causes: StatusCause[] = [];
  const lines: string[] = [];
  for (const id of ids) {
    const { manager, set } = conflicts.get(id) as { manager: Manager; set: FieldSet };
    const who = named(manager);
    lines.push(`conflicts with ${who}:`);
    for (const path of set.paths()) {
      const field = pathText(path);
      causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${who}`, field });
      lines.push(`- ${field}`);
    }
  }
  const [only] = causes;
  const text =
    causes.length === 1 && only
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
  return failure(409, 'Conflict', text, { causes });
}
