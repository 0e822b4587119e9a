import { notSupported, required } from '../core/errors.js';
import type { FieldError, JsonValue, Schema } from '../core/types.js';
import { builtinDefinition } from '../schema/builtin.js';

/**
 * What every built-in kind is checked for (DF-6): members that the schema requires and values of enumerations. A required
 * member that Go writes by itself (a number, a struct) is never missing, so only texts, lists and references count.
 */

/** Required by the schema, but accepted empty: `Definition.member`. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  'HTTPHeader.value',
  'Sysctl.value',
  'LimitRangeSpec.limits',
  'TokenReviewSpec.token',
  'EvictionResponder.name',
  'PolicyRule.verbs',
  'ControllerRevision.data',
  'GroupResource.group',
  'CSINodeSpec.drivers',
]);

/** Checks an object of a kind; metadata and status are the business of others. */
export function validateGenerally(object: Readonly<Record<string, unknown>>, definition: string): FieldError[] {
  const errors: FieldError[] = [];
  checkStruct(object, { definition, path: '', skip: true }, errors);
  return errors;
}

function checkStruct(
  value: Readonly<Record<string, unknown>>,
  at: { definition: string; path: string; skip?: boolean },
  errors: FieldError[],
): void {
  const schema = builtinDefinition(at.definition);
  const name = at.definition.slice(at.definition.lastIndexOf('.') + 1);
  for (const key of schema.required ?? []) {
    if (isEmpty(value[key]) && !MAY_BE_EMPTY.has(`${name}.${key}`)) errors.push(required(join(at.path, key)));
  }
  const properties = schema.properties;
  if (!properties) return;
  for (const key in value) {
    if (at.skip && (key === 'metadata' || key === 'status')) continue;
    const property = properties[key];
    const child = value[key];
    if (property && child !== null && child !== undefined)
      checkValue(child, property, { path: join(at.path, key), errors });
  }
}

function checkValue(value: unknown, schema: Schema, at: { path: string; errors: FieldError[] }): void {
  if (schema.enum && value !== '' && !schema.enum.includes(value as JsonValue)) {
    at.errors.push(
      notSupported(
        at.path,
        value,
        schema.enum.filter((known) => known !== ''),
      ),
    );
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items && (items.$ref ?? items.enum))
      value.forEach((item, i) => checkValue(item, items, { ...at, path: `${at.path}[${i}]` }));
    return;
  }
  if (schema.$ref !== undefined) {
    checkStruct(value as Record<string, unknown>, { definition: schema.$ref, path: at.path }, at.errors);
  }
}

const join = (path: string, key: string): string => (path ? `${path}.${key}` : key);

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
