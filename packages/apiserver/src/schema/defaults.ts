import type { JsonObject, JsonValue, Schema, SchemaSource } from '../core/types.js';

// Schemas are frozen facts: whether anything below a node has a default is found out once.
const known = new WeakMap<Schema, boolean>();

function hasDefaults(source: SchemaSource, declared: Schema): boolean {
  const schema = source.resolve(declared);
  const found = known.get(schema);
  if (found !== undefined) return found;
  known.set(schema, false); // A recursive type ends here.
  const rest = schema.additionalProperties;
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof rest === 'object' ? [rest] : []),
  ];
  const has = below.some(
    (child) => child.default !== undefined || source.resolve(child).default !== undefined || hasDefaults(source, child),
  );
  known.set(schema, has);
  return has;
}

/** Fills absent fields, and nulls that are not allowed, from the defaults of the schema (CR-6). Changes `value`. */
export function fillDefaults(source: SchemaSource, value: JsonValue | undefined, declared: Schema = source.root): void {
  if (typeof value !== 'object' || value === null || !hasDefaults(source, declared)) return;
  const schema = source.resolve(declared);
  if (Array.isArray(value)) {
    if (!schema.items) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null) put(source, value, i, schema.items);
      fillDefaults(source, value[i], schema.items);
    }
    return;
  }
  fillMap(source, value, schema);
}

function fillMap(source: SchemaSource, map: JsonObject, schema: Schema): void {
  const { properties, additionalProperties: rest } = schema;
  for (const key in properties) {
    const child = properties[key] as Schema;
    if (map[key] === undefined || map[key] === null) put(source, map, key, child);
    fillDefaults(source, map[key], child);
  }
  if (typeof rest !== 'object') return;
  for (const key of Object.keys(map)) {
    if (properties && Object.hasOwn(properties, key)) continue;
    if (map[key] === null) put(source, map, key, rest);
    fillDefaults(source, map[key], rest);
  }
}

function put(source: SchemaSource, holder: JsonObject | JsonValue[], key: string | number, declared: Schema): void {
  const held = (holder as JsonObject)[key];
  const schema = source.resolve(declared);
  const value = declared.default ?? schema.default;
  if (value === undefined || (held === null && (declared.nullable ?? schema.nullable))) return;
  (holder as JsonObject)[key] = typeof value === 'object' ? structuredClone(value) : value;
}
