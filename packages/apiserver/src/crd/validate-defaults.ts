import { invalidValue } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, JsonObject, JsonValue, Schema, SchemaSource } from '../core/types.js';
import { pruneInPlace } from '../schema/prune.js';
import { rootField, validateValue } from '../schema/validate.js';

/** Defaults must have no unknown fields and be valid themselves (CR-4). */
export function validateDefaults(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, path, errors);
  return errors;
}

function visit(schema: Schema, path: string, errors: FieldError[]): void {
  if (schema.default !== undefined) check(schema, schema.default, `${path}.default`, errors);
  if (schema.items) visit(schema.items, `${path}.items`, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    visit(child, `${path}.properties[${name}]`, errors);
}

function check(schema: Schema, value: JsonValue, path: string, errors: FieldError[]): void {
  const source: SchemaSource = { root: { type: 'object', properties: { value: schema } }, resolve: (node) => node };
  const pruned: JsonObject = { value: structuredClone(value) };
  pruneInPlace(source, pruned, { unknown: [] });
  if (!jsonEqual(pruned.value, value)) errors.push(invalidValue(path, value, 'must not have unknown fields'));
  for (const error of validateValue(source, value, schema)) {
    errors.push({ ...error, field: error.field === rootField ? path : `${path}.${error.field}` });
  }
}
