import type { Findings } from './findings.js';
import type { JsonSchema, SchemaType } from './json-schema.js';
import { toRe2 } from './re2.js';

type Lower = 'minimum' | 'minLength' | 'minItems' | 'minProperties';
type Upper = 'maximum' | 'maxLength' | 'maxItems';

/** One node of a schema while rules are put into it; of two bounds on one side the strictest wins (CRD-10). */
export class SchemaDraft {
  readonly schema: JsonSchema = {};
  readonly #types: { readonly type: SchemaType; readonly source: string }[] = [];

  constructor(
    readonly where: string,
    readonly findings: Findings,
  ) {}

  get type(): SchemaType | undefined {
    return this.schema.type;
  }

  /** Sets the type, or narrows number to integer; another type than the known one is a conflict (CRD-7). */
  setType(type: SchemaType, source: string): void {
    const known = this.schema.type;
    this.#types.push({ type, source });
    if (known === undefined || (known === 'number' && type === 'integer')) this.schema.type = type;
    else if (known !== type && !(known === 'integer' && type === 'number')) this.#conflict(type, source);
  }

  atLeast(keyword: Lower, value: number, rule: string): void {
    if (this.#number(value, rule)) this.schema[keyword] = Math.max(this.schema[keyword] ?? -Infinity, value);
  }

  atMost(keyword: Upper, value: number, rule: string): void {
    if (this.#number(value, rule)) this.schema[keyword] = Math.min(this.schema[keyword] ?? Infinity, value);
  }

  multipleOf(value: number, rule: string): void {
    if (this.#number(value, rule)) this.schema.multipleOf = value;
  }

  /** The first pattern or format stands in the node, others in `allOf` (CRD-10). */
  pattern(pattern: string): void {
    this.setType('string', `pattern ${pattern}`);
    this.#textRule('pattern', pattern);
  }

  format(format: string, source: string): void {
    this.setType('string', source);
    this.#textRule('format', format);
  }

  /** A pattern written in JavaScript. */
  regularExpression(expression: RegExp): void {
    const converted = toRe2(expression);
    if ('problem' in converted)
      this.findings.fault('KW_CRD_PATTERN', this.where, {
        found: `has the pattern ${String(expression)}, where ${converted.problem}`,
        cause: 'the API server reads patterns as RE2',
        fix: 'write the pattern without it, or check it in a webhook (@Validate)',
      });
    else this.pattern(converted.pattern);
  }

  values(values: readonly unknown[], rule: string): void {
    const type = this.#typeOfValues(values, rule);
    if (type === undefined) return;
    this.setType(type, `@${rule}`);
    this.schema.enum = [...new Set(values)];
  }

  notValues(values: readonly unknown[], rule: string): void {
    const type = this.#typeOfValues(values, rule);
    if (type === undefined) return;
    this.setType(type, `@${rule}`);
    this.schema.not = { enum: [...new Set(values), ...(this.schema.not?.enum ?? [])] };
  }

  #textRule(keyword: 'pattern' | 'format', text: string): void {
    if (this.schema[keyword] === undefined) this.schema[keyword] = text;
    else if (this.schema[keyword] !== text) (this.schema.allOf ??= []).push({ [keyword]: text });
  }

  #number(value: number, rule: string): boolean {
    if (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
    this.findings.fault('KW_CRD_NUMBER', this.where, {
      found: `has @${rule}(${String(value)})`,
      cause: `JSON numbers are exact only up to ±${Number.MAX_SAFE_INTEGER}`,
      fix: 'give a finite number within that range',
    });
    return false;
  }

  #typeOfValues(values: readonly unknown[], rule: string): SchemaType | undefined {
    const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
    if (types.has('number')) types.delete('integer');
    const [type] = types;
    if (types.size === 1 && (type === 'string' || type === 'integer' || type === 'number' || type === 'boolean'))
      return type;
    this.findings.fault('KW_CRD_MIXED_ENUM', this.where, {
      found: `has @${rule} with ${values.length === 0 ? 'no values' : `values ${JSON.stringify(values)}`}`,
      cause: 'the values of an enum need one JSON type',
      fix: 'list strings only, or numbers only',
    });
    return undefined;
  }

  #conflict(type: SchemaType, source: string): void {
    const first = this.#types.find((entry) => entry.type === this.schema.type) ?? { type: '?', source: '?' };
    this.findings.fault('KW_CRD_TYPE_CONFLICT', this.where, {
      found: `is ${first.type} by ${first.source} and ${type} by ${source}`,
      cause: 'a property has one type',
      fix: 'remove one of the two, or change the type of the property',
    });
  }
}
