import { jsonCopy } from '../core/json.js';
import type { JsonObject, JsonValue, Schema } from '../core/types.js';
import { builtinDefinition } from '../schema/builtin.js';
import { goBase64, goMicroTime, goTime, Unreadable } from './go-text.js';
import { canonicalQuantity, QUANTITY_ERROR } from './quantity.js';

/**
 * Reads bodies of built-in kinds the way a Go decoder fills a struct and writes it out again: unknown members are dropped and
 * reported, null counts as absent, zero values are left out where the Go tags say so and filled in where they do not, and
 * times, quantities and base64 take their stored form. One reader per definition, built on first use.
 */

/** Answers the value to store; undefined = nothing. The value read is never null. */
type Reader = (value: JsonValue, at: Position) => JsonValue | undefined;

interface Field {
  read: Reader;
  /** A zero value of a member that is no pointer vanishes, and gets `absent` instead. */
  dropZero: boolean;
}

/** Where a reader stands; one per decoded body. */
class Position {
  readonly unknown: string[] = [];
  /** Member names, and `[0]` or `[key]` for what Go does not name in its errors. */
  readonly path: string[] = [];
  /** Names of the structs above, innermost last. */
  readonly structs: string[] = [];

  reportUnknown(key: string): void {
    let text = '';
    for (const part of this.path) {
      // Keys of maps are named like members, only items of lists stand in brackets.
      const member = part.startsWith('[') && !/^\[\d+\]$/.test(part) ? part.slice(1, -1) : part;
      text += member.startsWith('[') ? member : `${text && '.'}${member}`;
    }
    this.unknown.push(`unknown field "${text && `${text}.`}${key}"`);
  }

  mismatch(value: JsonValue, goType: string): Unreadable {
    const fields = this.path.filter((part) => !part.startsWith('['));
    const where = fields.length ? `Go struct field ${this.structs.at(-1)}.${fields.join('.')}` : 'Go value';
    return new Unreadable(`json: cannot unmarshal ${wordFor(value, goType)} into ${where} of type ${goType}`);
  }
}

function wordFor(value: JsonValue, goType: string): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return /^u?int/.test(goType) ? `number ${value}` : 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

const readers = new Map<string, Reader>();

/** The reader of a definition; members are looked at on first use, so recursive types are fine. */
function readerOfDefinition(name: string): Reader {
  let reader = readers.get(name);
  if (!reader) {
    reader = special(name) ?? structReader(name);
    readers.set(name, reader);
  }
  return reader;
}

function special(name: string): Reader | undefined {
  if (name.endsWith('.Quantity')) return readQuantity;
  if (name.endsWith('.IntOrString')) return readIntOrString;
  const schema = builtinDefinition(name);
  if (schema['x-kubernetes-preserve-unknown-fields']) return (value) => jsonCopy(value);
  if (schema.properties === undefined) return schema.type === 'object' ? emptyStruct(name) : readerOf(schema);
  return undefined;
}

const goName = (definition: string): string => definition.split('.').slice(-2).join('.');
const structName = (definition: string): string => definition.slice(definition.lastIndexOf('.') + 1);

const emptyStruct =
  (name: string): Reader =>
  (value, at) => {
    if (!isObject(value)) throw at.mismatch(value, goName(name));
    for (const key in value) at.reportUnknown(key);
    return {};
  };

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function structReader(name: string): Reader {
  const goType = goName(name);
  const struct = structName(name);
  let fields: Map<string, Field> | undefined;
  const absent: (readonly [string, () => JsonValue])[] = [];
  const isExtension = name.startsWith('io.k8s.apiextensions');
  const build = (): Map<string, Field> => {
    const built = new Map<string, Field>();
    for (const [key, schema] of Object.entries(builtinDefinition(name).properties ?? {})) {
      const written = schema.default !== undefined || schema['x-go-null'] === true;
      built.set(key, {
        read: readerOf(schema),
        // Built-in objects are stored in a form that knows no empty list, so one comes back as null. CRDs are stored as JSON.
        // An empty list of managed fields is told apart from none (SA-6).
        dropZero:
          !schema['x-go-pointer'] &&
          !(schema['x-go-null'] && isExtension) &&
          schema.$ref === undefined &&
          key !== 'managedFields',
      });
      if (written) absent.push([key, writtenWhenAbsent(schema)]);
    }
    return built;
  };
  return (value, at) => {
    if (!isObject(value)) throw at.mismatch(value, goType);
    fields ??= build();
    const out: JsonObject = {};
    at.structs.push(struct);
    for (const key in value) {
      const field = fields.get(key);
      if (!field) {
        at.reportUnknown(key);
        continue;
      }
      const child = value[key];
      if (child === null || child === undefined) continue;
      at.path.push(key);
      const read = field.read(child, at);
      at.path.pop();
      if (read !== undefined && !(field.dropZero && isZero(read))) out[key] = read;
    }
    for (const [key, make] of absent) if (out[key] === undefined) out[key] = make();
    at.structs.pop();
    return out;
  };
}

function isZero(value: JsonValue): boolean {
  if (typeof value !== 'object') return value === '' || value === 0 || value === false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** A struct member that nobody set still gets what its own members are written as. */
function writtenWhenAbsent(schema: Schema): () => JsonValue {
  const value = schema['x-go-null'] ? null : (schema.default ?? null);
  if (schema.$ref === undefined || !isObject(value)) return () => value;
  const reader = readerOfDefinition(schema.$ref);
  return () => reader(value, new Position()) ?? value;
}

function readerOf(schema: Schema): Reader {
  if (schema.$ref !== undefined) {
    const { $ref: name } = schema;
    return (value, at) => readerOfDefinition(name)(value, at);
  }
  switch (schema.type) {
    case 'string':
      return stringReader(schema);
    case 'integer':
      return integerReader(schema.format === 'int64' ? 'int64' : 'int32');
    case 'number':
      return plainReader('number', 'float64');
    case 'boolean':
      return plainReader('boolean', 'bool');
    case 'array':
      return arrayReader(schema);
    default:
      return schema.additionalProperties ? mapReader(schema) : (value) => jsonCopy(value);
  }
}

function goTypeOf(schema: Schema): string {
  if (typeof schema['x-go-type'] === 'string') return schema['x-go-type'];
  if (schema.$ref !== undefined) return goName(schema.$ref);
  if (schema.type === 'string') return schema.format === 'byte' ? '[]uint8' : 'string';
  if (schema.type === 'integer') return schema.format === 'int64' ? 'int64' : 'int32';
  if (schema.type === 'boolean') return 'bool';
  if (schema.type === 'array') return `[]${goTypeOf(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === 'object') return `map[string]${goTypeOf(schema.additionalProperties)}`;
  return schema.type === 'number' ? 'float64' : 'interface {}';
}

const plainReader =
  (type: 'number' | 'boolean', goType: string): Reader =>
  (value, at) => {
    if (typeof value !== type) throw at.mismatch(value, goType);
    return value;
  };

function stringReader(schema: Schema): Reader {
  const goType = goTypeOf(schema);
  const convert = { 'date-time': goTime, 'date-time-micro': goMicroTime, byte: goBase64 }[schema.format ?? ''];
  return (value, at) => {
    if (typeof value !== 'string') throw at.mismatch(value, goType);
    return convert ? convert(value) : value;
  };
}

function integerReader(goType: 'int32' | 'int64'): Reader {
  const limit = goType === 'int32' ? 2 ** 31 : 2 ** 63;
  return (value, at) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < -limit || value >= limit)
      throw at.mismatch(value, goType);
    return value;
  };
}

const readIntOrString: Reader = (value, at) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  throw at.mismatch(value, 'int32');
};

const readQuantity: Reader = (value) => {
  const text = typeof value === 'number' ? `${value}` : value;
  const canonical = typeof text === 'string' ? canonicalQuantity(text) : undefined;
  if (canonical === undefined) throw new Unreadable(QUANTITY_ERROR);
  return canonical;
};

/** What stands in a list or map for null: the zero value of its element type. */
function zeroOf(schema: Schema): () => JsonValue {
  if (schema.$ref !== undefined) {
    const { $ref } = schema;
    // Any JSON value may be null.
    if (builtinDefinition($ref)['x-kubernetes-preserve-unknown-fields']) return () => null;
    return writtenWhenAbsent({ $ref, default: {} });
  }
  const zero = { string: '', integer: 0, number: 0, boolean: false, array: null, object: null }[
    schema.type ?? 'object'
  ];
  return () => zero;
}

function arrayReader(schema: Schema): Reader {
  const items = schema.items ?? {};
  const goType = goTypeOf(schema);
  const read = readerOf(items);
  const zero = zeroOf(items);
  return (value, at) => {
    if (!Array.isArray(value)) throw at.mismatch(value, goType);
    return value.map((item, i) => {
      if (item === null) return zero();
      at.path.push(`[${i}]`);
      const out = read(item, at);
      at.path.pop();
      return out ?? zero();
    });
  };
}

function mapReader(schema: Schema): Reader {
  const element = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const goType = goTypeOf(schema);
  const read = readerOf(element);
  const zero = zeroOf(element);
  return (value, at) => {
    if (!isObject(value)) throw at.mismatch(value, goType);
    const out: JsonObject = {};
    for (const key in value) {
      const child = value[key];
      at.path.push(`[${key}]`);
      const stored = child === null || child === undefined ? zero() : (read(child, at) ?? zero());
      at.path.pop();
      if (key === '__proto__')
        Object.defineProperty(out, key, { value: stored, enumerable: true, writable: true, configurable: true });
      else out[key] = stored;
    }
    return out;
  };
}

/** Reads a body as a definition. Throws Unreadable; `unknown` lists what was dropped, in document order. */
export function readAs(definition: string, body: JsonValue): { value: JsonObject; unknown: string[] } {
  const at = new Position();
  const value = readerOfDefinition(definition)(body, at);
  return { value: value as JsonObject, unknown: at.unknown };
}
