import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';

const zeros = new WeakMap<TypingNode, JsonObject>();

/**
 * An object of a built-in kind with nothing set: the members that the kind writes even then. A create does not add their
 * containers, so those get no `.` in managed fields.
 */
export function zeroObject(typing: TypingNode): JsonObject {
  let zero = zeros.get(typing);
  if (!zero) zeros.set(typing, (zero = zeroOf(typing)));
  return zero;
}

function zeroOf(typing: TypingNode): JsonObject {
  const out: JsonObject = {};
  for (const name of typing.fieldNames()) {
    const child = typing.field(name);
    if (child?.default === undefined) continue;
    out[name] =
      child.kind === 'struct' && isMap(child.default) ? { ...child.default, ...zeroOf(child) } : child.default;
  }
  return out;
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
