import { duplicate, invalidValue } from '../core/errors.js';
import type { FieldError, JsonObject, JsonValue, Schema, SchemaSource } from '../core/types.js';

/** Finds duplicates in lists of type `set` and `map` (VA-1). */
export function validateListTypes(source: SchemaSource, value: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  visit(source, value, source.resolve(source.root), { path: '', errors });
  return errors;
}

interface At {
  readonly path: string;
  readonly errors: FieldError[];
}

function visit(source: SchemaSource, value: JsonValue, schema: Schema, at: At): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const type = schema['x-kubernetes-list-type'];
    if (type === 'set') duplicates(value, at, (v) => v);
    else if (type === 'map') keyed(value, schema['x-kubernetes-list-map-keys'] ?? [], at);
    if (!schema.items) return;
    const items = source.resolve(schema.items);
    for (let i = 0; i < value.length; i++)
      visit(source, value[i] as JsonValue, items, { ...at, path: `${at.path}[${i}]` });
    return;
  }
  const { properties, additionalProperties: rest } = schema;
  for (const key of Object.keys(value)) {
    const child = value[key] as JsonValue;
    if (typeof child !== 'object' || child === null) continue;
    if (typeof rest === 'object') visit(source, child, source.resolve(rest), { ...at, path: `${at.path}[${key}]` });
    if (properties && Object.hasOwn(properties, key)) {
      visit(source, child, source.resolve(properties[key] as Schema), {
        ...at,
        path: at.path ? `${at.path}.${key}` : key,
      });
    }
  }
}

function keyed(list: JsonValue[], declared: readonly string[], at: At): void {
  // Keys are shown in alphabetical order.
  const keys = [...declared].sort();
  for (const [index, item] of list.entries()) {
    if (item === null || (typeof item === 'object' && !Array.isArray(item))) continue;
    at.errors.push(invalidValue(`${at.path}[${index}]`, item, 'must be an object for an array of list-type map'));
    return;
  }
  duplicates(list, at, (item) => {
    const key: JsonObject = {};
    for (const name of keys) {
      const value = (item as JsonObject | null)?.[name];
      if (value !== undefined) key[name] = value;
    }
    return key;
  });
}

/** The second item of each equal group is reported. */
function duplicates(list: JsonValue[], at: At, keyOf: (item: JsonValue) => JsonValue): void {
  if (list.length < 2) return;
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const key = keyOf(item);
    const text = canonical(key);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    if (times === 2) at.errors.push(duplicate(`${at.path}[${index}]`, key));
  }
}

/** JSON with sorted keys: equal values have equal texts. */
function canonical(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`).join(',')}}`;
}
