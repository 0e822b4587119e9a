import type { JsonValue, Schema, SchemaSource } from '../core/types.js';

/**
 * Finds the old item of each item of a list. Only items of keyed lists have a past (VA-4): those of other lists may have
 * moved. Undefined when nothing can be correlated.
 */
export function correlate(
  source: SchemaSource,
  schema: Schema,
  list: readonly JsonValue[],
  old: JsonValue | undefined,
): ((index: number) => JsonValue | undefined) | undefined {
  if (!Array.isArray(old) || schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const item = schema.items ? source.resolve(schema.items) : {};
  const keyOf = (value: JsonValue): string | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return JSON.stringify(keys.map((key) => value[key] ?? item.properties?.[key]?.default ?? null));
  };
  const byKey = new Map<string | undefined, JsonValue>();
  for (const value of old) byKey.set(keyOf(value), value);
  return (index) => {
    const key = keyOf(list[index] as JsonValue);
    return key === undefined ? undefined : byKey.get(key);
  };
}
