import type { JsonObject, JsonValue, Schema } from '../core/types.js';
import { celEngine } from './engine.js';

/** A value as expressions see it: integers are BigInt, timestamps Date; maps are plain objects. */
export type CelValue =
  null | boolean | number | bigint | string | Date | Uint8Array | object | CelValue[] | { [key: string]: CelValue };

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The name of a property in expressions; undefined when it cannot be written there (CE-1). */
export function escapedName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(
    /__|[./-]/g,
    (part) => ({ __: '__underscores__', '.': '__dot__', '/': '__slash__', '-': '__dash__' })[part] as string,
  );
}

const text: Schema = { type: 'string' };

/** What expressions see of the type and metadata of a resource. */
export const resourceFields: Readonly<Record<string, Schema>> = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
};

/** Converts a value by its schema (CE-4). `resource` adds apiVersion, kind and metadata. */
export function toCel(value: JsonValue, schema: Schema, resource = false): CelValue {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema.items ?? {}));
  if (typeof value === 'object') return mapToCel(value, schema, resource);
  if (typeof value === 'number') {
    if (schema.type === 'number') return value;
    return Number.isInteger(value) ? BigInt(value) : value;
  }
  return typeof value === 'string' ? textToCel(value, schema) : value;
}

function mapToCel(map: JsonObject, schema: Schema, resource: boolean): CelValue {
  const out: { [key: string]: CelValue } = {};
  const embedded = resource || schema['x-kubernetes-embedded-resource'] === true;
  const properties = embedded ? { ...schema.properties, ...resourceFields } : schema.properties;
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined || key === '__proto__') continue;
    const declared = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (declared) {
      const name = escapedName(key);
      if (name !== undefined) out[name] = toCel(value, declared);
    } else if (rest) out[key] = toCel(value, rest);
    else if (!properties) out[key] = toCel(value, {});
  }
  return out;
}

function textToCel(value: string, schema: Schema): CelValue {
  if (schema.type !== 'string') return value;
  switch (schema.format) {
    case 'date-time':
    case 'datetime':
    case 'date':
      return new Date(value);
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'));
    case 'duration':
      return celEngine().cel.evaluate('duration(text)', { text: value }) as object;
    default:
      return value;
  }
}
