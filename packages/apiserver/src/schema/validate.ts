import { invalidValue, notSupported, required, tooLong, tooMany, typeInvalid } from '../core/errors.js';
import type { FieldError, JsonObject, JsonValue, Schema, SchemaSource } from '../core/types.js';
import { validateAlternatives } from './alternatives.js';
import { correlate } from './correlate.js';
import { jsonEqual } from '../core/json.js';
import { formatCheck, isKnownFormat } from './formats.js';
import { compilePattern } from './patterns.js';

/** Collects errors; `matches` ranks the alternatives of anyOf and oneOf by how far they agreed. */
export interface Findings {
  readonly errors: FieldError[];
  matches: number;
}

/** The field of an error when there is no path (the root). */
export const rootField = '<nil>';

export interface ValidateOptions {
  /** Field of the value in the object when it is a part, e.g. `status`; texts do not show it (VA-5). Default: the root. */
  prefix?: string;
  /** The value before the update: errors in parts that did not change are tolerated (VA-4). Default: none are. */
  old?: JsonValue | undefined;
}

/** Checks a value against a schema, with the texts of VA-1 and VA-2. */
export function validateValue(
  source: SchemaSource,
  value: JsonValue,
  schema: Schema,
  options: ValidateOptions = {},
): FieldError[] {
  const findings: Findings = { errors: [], matches: 0 };
  new Validator(source, options.prefix).node(value, options.old, schema, { path: '', findings });
  return findings.errors;
}

export interface At {
  readonly path: string;
  readonly findings: Findings;
}

export class Validator {
  readonly #source: SchemaSource;
  readonly #prefix: string | undefined;

  constructor(source: SchemaSource, prefix: string | undefined) {
    this.#source = source;
    this.#prefix = prefix;
  }

  /** The field of a path; alternatives report at the root of the value. */
  field(path: string): string {
    const name = path.startsWith('.') ? path.slice(1) : path;
    if (!this.#prefix) return name || rootField;
    return name ? `${this.#prefix}.${name}` : this.#prefix;
  }

  node(value: JsonValue, old: JsonValue | undefined, declared: Schema, at: At): void {
    const before = at.findings.errors.length;
    this.#check(value, old, this.#source.resolve(declared), at);
    if (old !== undefined && at.findings.errors.length > before && jsonEqual(value, old)) {
      at.findings.errors.length = before;
    }
  }

  #check(value: JsonValue, old: JsonValue | undefined, schema: Schema, at: At): void {
    const { findings } = at;
    this.#type(value, schema, at);
    if (value === null) {
      this.#enum(value, schema, at);
      return;
    }
    // The counts are those of the validators that have something to say about the value.
    findings.matches += 5;
    validateAlternatives(this, value, schema, at);
    if (typeof value === 'string') this.#string(value, schema, at);
    else if (typeof value === 'number') this.#number(value, schema, at);
    else if (Array.isArray(value)) this.#list(value, old, schema, at);
    this.#enum(value, schema, at);
    if (typeof value === 'object' && !Array.isArray(value)) this.#map(value, old, schema, at);
  }

  #type(value: JsonValue, schema: Schema, at: At): void {
    const types = typesOf(schema);
    const format =
      schema.format && isKnownFormat(types.length === 1 ? types[0] : undefined, schema.format) ? schema.format : '';
    if (types.length === 0 && !format) return;
    at.findings.matches += 1;
    const actual = typeName(value);
    if (value === null) {
      if (types.length > 0 && !schema.nullable) this.#wrongType(types.join(','), actual, at);
      else at.findings.matches += 1;
      return;
    }
    const fits = types.includes(actual) || (actual === 'integer' && types.includes('number'));
    const textual = actual === 'string' || actual === 'array';
    if (format && !textual && !fits) return this.#wrongType(format, dataFormat(actual), at);
    if (format && textual && !types.includes('number') && !types.includes('integer')) {
      at.findings.matches += 1;
      return;
    }
    if (types.length > 0 && !fits) return this.#wrongType(types.join(','), actual, at);
    at.findings.matches += 1;
  }

  #wrongType(wanted: string, actual: string, { path, findings }: At): void {
    const text = `${path} in body must be of type ${wanted}: ${JSON.stringify(actual)}`;
    findings.errors.push(typeInvalid(this.field(path), actual, text));
  }

  #invalid(value: JsonValue, why: string, { path, findings }: At): void {
    findings.errors.push(invalidValue(this.field(path), value, `${path} in body ${why}`));
  }

  #enum(value: JsonValue, schema: Schema, at: At): void {
    const allowed = schema.enum;
    if (!allowed || allowed.length === 0 || allowed.some((v) => jsonEqual(v, value))) return;
    const shown = allowed.map((v) => (typeof v === 'string' ? v : JSON.stringify(v)));
    at.findings.errors.push(notSupported(this.field(at.path), value, shown));
  }

  #string(value: string, schema: Schema, at: At): void {
    const { maxLength, minLength, pattern, format } = schema;
    at.findings.matches += 1;
    const length = maxLength === undefined && minLength === undefined ? 0 : characters(value);
    if (maxLength !== undefined && length > maxLength) at.findings.errors.push(tooLong(this.field(at.path), maxLength));
    else if (minLength !== undefined && length < minLength) {
      this.#invalid(value, `should be at least ${minLength} chars long`, at);
    } else if (pattern) {
      const compiled = compilePattern(pattern);
      if (typeof compiled === 'string')
        this.#invalid(value, `should match '${pattern}, but pattern is invalid: ${compiled}'`, at);
      else if (!compiled.test(value)) this.#invalid(value, `should match '${pattern}'`, at);
    }
    const known = schema.type === undefined || schema.type === 'string';
    const check = format && known && !isIntOrString(schema) ? formatCheck(format) : undefined;
    if (!check) return;
    at.findings.matches += 1;
    if (check(value)) return;
    const text = `${at.path} in body must be of type ${format}: ${JSON.stringify(value)}`;
    at.findings.errors.push(typeInvalid(this.field(at.path), value, text));
  }

  #number(value: number, schema: Schema, at: At): void {
    const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = schema;
    at.findings.matches += 2;
    if (schema.type === 'integer' && !fitsInteger(value, schema.format)) {
      const known = schema.format === 'int32' || schema.format === 'int64';
      const format = known ? `with format ${schema.format as string}` : '(default format)';
      at.findings.errors.push(
        invalidValue(this.field(''), '', `Checked value must be of type integer ${format} in ${at.path}`),
      );
    }
    if (multipleOf !== undefined && !isMultiple(value, multipleOf))
      this.#invalid(value, `should be a multiple of ${multipleOf}`, at);
    if (minimum !== undefined) {
      if (exclusiveMinimum ? value <= minimum : value < minimum) {
        this.#invalid(value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`, at);
      }
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      this.#invalid(value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`, at);
    }
  }

  #list(list: JsonValue[], old: JsonValue | undefined, schema: Schema, at: At): void {
    const { items, minItems, maxItems } = schema;
    at.findings.matches += 2;
    if (items) {
      const before = correlate(this.#source, schema, list, old);
      for (let i = 0; i < list.length; i++) {
        this.node(list[i] as JsonValue, before?.(i), items, { path: `${at.path}[${i}]`, findings: at.findings });
      }
    }
    if (minItems !== undefined && list.length < minItems) {
      this.#invalid(list.length, `should have at least ${minItems} items`, at);
    }
    if (maxItems !== undefined && list.length > maxItems) {
      at.findings.errors.push(tooMany(this.field(at.path), list.length, maxItems));
    }
  }

  #map(map: JsonObject, oldValue: JsonValue | undefined, schema: Schema, at: At): void {
    const { properties, additionalProperties: rest, minProperties, maxProperties } = schema;
    const old = typeof oldValue === 'object' && oldValue !== null && !Array.isArray(oldValue) ? oldValue : undefined;
    at.findings.matches += 1;
    if (minProperties !== undefined || maxProperties !== undefined) {
      const count = Object.keys(map).length;
      if (minProperties !== undefined && count < minProperties) {
        this.#invalid(count, `should have at least ${minProperties} properties`, at);
      }
      if (maxProperties !== undefined && count > maxProperties) {
        at.findings.errors.push(tooMany(this.field(at.path), count, maxProperties));
      }
    }
    for (const key of Object.keys(map)) {
      const declared =
        properties && Object.hasOwn(properties, key) ? properties[key] : typeof rest === 'object' ? rest : undefined;
      if (!declared || map[key] === undefined) continue;
      const path = at.path ? `${at.path}.${key}` : key;
      this.node(map[key], old?.[key], declared, { path, findings: at.findings });
    }
    for (const key of schema.required ?? []) {
      if (map[key] === undefined) at.findings.errors.push(required(this.field(at.path ? `${at.path}.${key}` : key)));
    }
  }
}

function isIntOrString(schema: Schema): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string';
}

const none: readonly string[] = [];
const intOrString = ['integer', 'string'];
const single = new Map<string, readonly string[]>();

function typesOf(schema: Schema): readonly string[] {
  if (isIntOrString(schema)) return intOrString;
  if (schema.type === undefined) return none;
  let list = single.get(schema.type);
  if (!list) single.set(schema.type, (list = [schema.type]));
  return list;
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function dataFormat(type: string): string {
  return type === 'integer' ? 'int64' : type === 'number' ? 'float64' : '';
}

/** Counts code points, as the limits of schemas do. */
function characters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) i++;
    count++;
  }
  return count;
}

function fitsInteger(value: number, format: string | undefined): boolean {
  if (!Number.isInteger(value)) return false;
  return format !== 'int32' || (value <= 0x7fffffff && value >= -0x80000000);
}

function isMultiple(value: number, factor: number): boolean {
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}
