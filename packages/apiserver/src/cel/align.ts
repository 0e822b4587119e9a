import { jsonEqual } from '../core/json.js';
import type { JsonObject, JsonValue, Schema } from '../core/types.js';

/**
 * The old value with the items of sets and keyed lists in the order of the new one: such lists are equal whatever their order
 * (CE-1). Shares structure with the old value.
 */
export function aligned(old: JsonValue, value: JsonValue | undefined, schema: Schema): JsonValue {
  if (Array.isArray(old)) return Array.isArray(value) ? alignedList(old, value, schema) : old;
  if (!isMap(old) || !isMap(value)) return old;
  const { properties, additionalProperties: rest } = schema;
  let out = old;
  for (const [key, child] of Object.entries(old)) {
    if (typeof child !== 'object' || child === null) continue;
    const declared = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const below = declared ?? (typeof rest === 'object' ? rest : undefined);
    const next = below ? aligned(child, value[key], below) : child;
    if (next === child) continue;
    if (out === old) out = { ...old };
    out[key] = next;
  }
  return out;
}

function alignedList(old: JsonValue[], value: JsonValue[], schema: Schema): JsonValue[] {
  const type = schema['x-kubernetes-list-type'];
  const items = schema.items ?? {};
  if (type !== 'set' && type !== 'map') return old;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const same = (a: JsonValue, b: JsonValue): boolean =>
    type === 'set' ? jsonEqual(a, b) : isMap(a) && isMap(b) && keys.every((key) => jsonEqual(a[key], b[key]));
  const left = [...old];
  const out: JsonValue[] = [];
  for (const item of value) {
    const at = left.findIndex((candidate) => same(candidate, item));
    if (at >= 0) out.push(aligned(left.splice(at, 1)[0] as JsonValue, item, items));
  }
  return [...out, ...left];
}

function isMap(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
