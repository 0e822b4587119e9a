import { required } from '../core/errors.js';
import type { FieldError, JsonObject, JsonValue, Schema, SchemaSource } from '../core/types.js';

/** Embedded resources must say what they are (CR-6). */
export function checkEmbedded(source: SchemaSource, object: JsonObject): FieldError[] {
  if (!hasEmbedded(source.root)) return [];
  const errors: FieldError[] = [];
  visit(object, source.root, '', errors);
  return errors;
}

function visit(value: JsonValue, schema: Schema, path: string, errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null || !hasEmbedded(schema)) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) if (schema.items) visit(item, schema.items, `${path}[${i}]`, errors);
    return;
  }
  if (schema['x-kubernetes-embedded-resource']) {
    for (const key of ['apiVersion', 'kind'])
      if (!value[key]) errors.push(required(`${path}.${key}`, 'must not be empty'));
  }
  const rest = schema.additionalProperties;
  for (const [key, child] of Object.entries(value)) {
    const declared = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (declared) visit(child, declared, path ? `${path}.${key}` : key, errors);
    else if (typeof rest === 'object') visit(child, rest, `${path}[${key}]`, errors);
  }
}

const known = new WeakMap<Schema, boolean>();

/** Most schemas embed nothing; then no object is looked at. */
function hasEmbedded(schema: Schema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const rest = schema.additionalProperties;
    const below = [
      ...Object.values(schema.properties ?? {}),
      ...(schema.items ? [schema.items] : []),
      ...(typeof rest === 'object' ? [rest] : []),
    ];
    has = schema['x-kubernetes-embedded-resource'] === true || below.some(hasEmbedded);
    known.set(schema, has);
  }
  return has;
}
