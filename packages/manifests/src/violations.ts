import type { JsonSchema, SchemaType } from './json-schema.js';

export interface Violation {
  /** Path below the value: `.a.b[0]`; empty for the value itself. */
  readonly path: string;
  readonly problem: string;
}

/** What a value breaks in a schema; formats, `not` and patterns are left to the server. */
export function violations(schema: JsonSchema, value: unknown, path: string): Violation[] {
  const found: Violation[] = [];
  const add = (problem: string): void => {
    found.push({ path, problem });
  };
  const type = typeOf(value);
  if (schema.type !== undefined && type !== schema.type && !(schema.type === 'number' && type === 'integer')) {
    add(`is ${type}, not ${schema.type}`);
    return found;
  }
  if (schema.enum && !schema.enum.includes(value)) add(`is not one of ${JSON.stringify(schema.enum)}`);
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? -Infinity)) add(`is below the minimum ${schema.minimum}`);
    if (value > (schema.maximum ?? Infinity)) add(`is above the maximum ${schema.maximum}`);
  }
  if (typeof value === 'string') {
    const length = Array.from(value).length; // code points, as the server counts
    if (length < (schema.minLength ?? 0)) add(`is shorter than ${schema.minLength}`);
    if (length > (schema.maxLength ?? Infinity)) add(`is longer than ${schema.maxLength}`);
  }
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0)) add(`has fewer than ${schema.minItems} items`);
    if (value.length > (schema.maxItems ?? Infinity)) add(`has more than ${schema.maxItems} items`);
    if (schema.items)
      for (const [index, item] of value.entries()) found.push(...violations(schema.items, item, `${path}[${index}]`));
  } else if (type === 'object') found.push(...objectViolations(schema, value as Record<string, unknown>, path));
  return found;
}

function objectViolations(schema: JsonSchema, value: Record<string, unknown>, path: string): Violation[] {
  const found: Violation[] = [];
  for (const name of schema.required ?? [])
    if (!(name in value)) found.push({ path: `${path}.${name}`, problem: 'is missing' });
  for (const [name, member] of Object.entries(value)) {
    const property = schema.properties?.[name];
    if (property) found.push(...violations(property, member, `${path}.${name}`));
    else found.push({ path: `${path}.${name}`, problem: 'is not in the schema' });
  }
  return found;
}

function typeOf(value: unknown): SchemaType | 'null' | 'undefined' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'object' ? type : 'undefined';
}
