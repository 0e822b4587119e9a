import type { JsonObject, JsonValue, Schema } from '../core/types.js';
import { objectMetaSchema } from './object-meta.js';

/** Metadata that cannot be read; the message says why. */
export class MetadataError extends Error {}

/**
 * Reads ObjectMeta as a typed decoder does: members of a wrong type are refused, unknown ones are dropped and reported, empty
 * ones vanish. `at` is the path of the metadata for the report.
 */
export function readMetadata(value: JsonValue, at: string, unknown: string[]): JsonObject {
  return (read(value, objectMetaSchema, { path: at, field: '', unknown }) as JsonObject | undefined) ?? {};
}

interface Position {
  readonly path: string;
  /** Path below ObjectMeta without indexes and keys of maps. */
  readonly field: string;
  readonly unknown: string[];
}

function read(value: JsonValue, schema: Schema, at: Position): JsonValue | undefined {
  if (value === null) return undefined;
  switch (schema.type) {
    case 'array':
      return readList(value, schema, at);
    case 'object':
      return readMap(value, schema, at);
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value)) throw mismatch(value, schema, at);
      return value === 0 && at.field === 'generation' ? undefined : value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, schema, at);
      return value;
    default:
      return readText(value, schema, at);
  }
}

function readText(value: JsonValue, schema: Schema, at: Position): string | undefined {
  if (typeof value !== 'string') throw mismatch(value, schema, at);
  if (schema.format === 'date-time' && value !== '' && Number.isNaN(Date.parse(value))) {
    const quoted = JSON.stringify(value);
    throw new MetadataError(`parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"`);
  }
  return value === '' && !at.field.startsWith('ownerReferences.') ? undefined : value;
}

function readList(value: JsonValue, schema: Schema, at: Position): JsonValue[] | undefined {
  if (!Array.isArray(value)) throw mismatch(value, schema, at);
  if (value.length === 0) return at.field === 'managedFields' ? [] : undefined;
  const items = schema.items ?? {};
  return value.map((item, i) => {
    const below = { ...at, path: `${at.path}[${i}]` };
    if (items.type === 'string') {
      if (item === null) return '';
      if (typeof item !== 'string') throw mismatch(item, items, below);
      return item;
    }
    return read(item, items, below) ?? {};
  });
}

function readMap(value: JsonValue, schema: Schema, at: Position): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mismatch(value, schema, at);
  if (schema['x-kubernetes-preserve-unknown-fields']) return value;
  const rest = schema.additionalProperties;
  const out: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (typeof rest === 'object') {
      if (child !== null && typeof child !== 'string') throw mismatch(child, rest, at);
      Object.defineProperty(out, key, { value: child ?? '', writable: true, enumerable: true, configurable: true });
      continue;
    }
    const declared = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const path = `${at.path}.${key}`;
    if (!declared) {
      at.unknown.push(path);
      continue;
    }
    const next = read(child, declared, { ...at, path, field: at.field ? `${at.field}.${key}` : key });
    if (next !== undefined) out[key] = next;
  }
  const kept = Object.keys(out).length > 0 || at.field === 'managedFields' || at.field === '';
  return kept ? out : undefined;
}

const goTypes: Readonly<Record<string, string>> = {
  labels: 'map[string]string',
  annotations: 'map[string]string',
  finalizers: '[]string',
  ownerReferences: '[]v1.OwnerReference',
  managedFields: '[]v1.ManagedFieldsEntry',
};

function mismatch(value: JsonValue, schema: Schema, at: Position): MetadataError {
  const word = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const plain = { string: 'string', integer: 'int64', boolean: 'bool' }[schema.type as string];
  const type = plain ?? (at.field === '' ? 'v1.ObjectMeta' : (goTypes[at.field] ?? 'v1.OwnerReference'));
  const where = at.field === '' ? 'Go value' : `Go struct field ObjectMeta.${at.field}`;
  return new MetadataError(`json: cannot unmarshal ${word} into ${where} of type ${type}`);
}
