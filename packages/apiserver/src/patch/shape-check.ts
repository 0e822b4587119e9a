import { failure } from '../core/errors.js';
import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';
import { goPlain } from '../schema/go-text.js';

/** Refuses a strategic patch with a list or map where the type has something else; texts and numbers are decoded later. */
export function checkShape(patch: JsonObject, typing: TypingNode): void {
  const why = problem(patch, typing);
  if (!why) return;
  const message = `Invalid value: ${JSON.stringify(goPlain(patch))}: ${why}`;
  throw failure(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}

function problem(value: JsonValue | undefined, typing: TypingNode): string | undefined {
  if (value === null || value === undefined || typing.kind === 'untyped' || typing.kind === 'scalar') return undefined;
  const kind = kindOf(value);
  if (typing.kind === 'list') {
    if (!Array.isArray(value)) return `cannot restore slice from ${kind}`;
    return first(value, (item) => problem(item, typing.item()));
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return typing.kind === 'map' ? `cannot restore map from ${kind}` : `cannot restore struct from: ${kind}`;
  }
  // Directives stand beside the fields they are about.
  return first(Object.entries(value), ([name, child]) => {
    const declared = name.startsWith('$') ? undefined : typing.field(name);
    return declared && problem(child, declared);
  });
}

function first<T>(list: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}
