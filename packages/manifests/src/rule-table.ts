import type { ValidationRule } from '@kubewright/metadata';
import type { SchemaDraft } from './schema-draft.js';

type Apply = (draft: SchemaDraft, rule: ValidationRule) => void;

const nothing: Apply = () => undefined;

const first = (rule: ValidationRule): unknown => rule.constraints[0];

const isType =
  (type: 'string' | 'boolean' | 'number' | 'integer' | 'array'): Apply =>
  (draft, rule) =>
    draft.setType(type, `@${rule.name}`);

const format =
  (name: string): Apply =>
  (draft, rule) =>
    draft.format(name, `@${rule.name}`);

const pattern =
  (text: string): Apply =>
  (draft) =>
    draft.pattern(text);

const sign =
  (bound: 'minimum' | 'maximum'): Apply =>
  (draft, rule) => {
    const limit = bound === 'minimum' ? 1 : -1;
    const value = draft.type === 'integer' ? limit : 0;
    if (bound === 'minimum') draft.atLeast('minimum', value, rule.name);
    else draft.atMost('maximum', value, rule.name);
    if (value === 0) draft.schema[bound === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] = true;
  };

/** A check that no schema can say; the type it implies stays. */
const webhookOnly =
  (type?: 'string'): Apply =>
  (draft, rule) => {
    if (type) draft.setType(type, `@${rule.name}`);
    draft.findings.webhookOnly(draft.where, rule.name);
  };

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const UUID: Readonly<Record<string, string>> = { 3: 'uuid3', 4: 'uuid4', 5: 'uuid5' };

/** class-validator rule → schema keywords (§1.3). Rules that are not listed stay with the webhook. */
export const ruleTable: Readonly<Record<string, Apply>> = {
  isOptional: nothing,
  isDefined: nothing,
  allow: nothing,
  nested: nothing,
  isString: isType('string'),
  isBoolean: isType('boolean'),
  isNumber: isType('number'),
  isInt: isType('integer'),
  isArray: isType('array'),
  min: (draft, rule) => draft.atLeast('minimum', first(rule) as number, 'Min'),
  max: (draft, rule) => draft.atMost('maximum', first(rule) as number, 'Max'),
  isDivisibleBy: (draft, rule) => draft.multipleOf(first(rule) as number, 'IsDivisibleBy'),
  isPositive: sign('minimum'),
  isNegative: sign('maximum'),
  isNotEmpty: (draft) => {
    if (draft.type === 'string' || draft.type === undefined) draft.atLeast('minLength', 1, 'IsNotEmpty');
  },
  minLength: (draft, rule) => text(draft).atLeast('minLength', first(rule) as number, 'MinLength'),
  maxLength: (draft, rule) => text(draft).atMost('maxLength', first(rule) as number, 'MaxLength'),
  isLength: (draft, rule) => {
    const [min, max] = rule.constraints as (number | undefined)[];
    if (min !== undefined) text(draft).atLeast('minLength', min, 'Length');
    if (max !== undefined) text(draft).atMost('maxLength', max, 'Length');
  },
  matches: (draft, rule) => {
    const [expression, modifiers] = rule.constraints as [RegExp | string, string | undefined];
    const source = typeof expression === 'string' ? expression : expression.source;
    const flags = `${typeof expression === 'string' ? '' : expression.flags}${modifiers ?? ''}`;
    draft.regularExpression(new RegExp(source, [...new Set(flags)].join('')));
  },
  contains: (draft, rule) => draft.pattern(escape(String(first(rule)))),
  equals: (draft, rule) => draft.values([first(rule)], 'Equals'),
  isIn: (draft, rule) => draft.values(first(rule) as unknown[], 'IsIn'),
  notEquals: (draft, rule) => draft.notValues([first(rule)], 'NotEquals'),
  isNotIn: (draft, rule) => draft.notValues(first(rule) as unknown[], 'IsNotIn'),
  isEnum: (draft, rule) => draft.values(enumValues(first(rule) as Record<string, unknown>), 'IsEnum'),
  isIso8601: format('date-time'),
  isDateString: format('date-time'),
  isRFC3339: format('date-time'),
  isEmail: format('email'),
  isFqdn: format('hostname'),
  isMacAddress: format('mac'),
  isCreditCard: format('creditcard'),
  isUrl: format('uri'),
  isMongoId: format('bsonobjectid'),
  isIp: (draft, rule) => {
    const version = String((first(rule) ?? '') as string | number);
    draft.setType('string', '@IsIP');
    if (version === '4' || version === '6') draft.format(`ipv${version}`, '@IsIP');
    else draft.schema.anyOf = [{ format: 'ipv4' }, { format: 'ipv6' }];
  },
  isUuid: (draft, rule) => draft.format(UUID[String(first(rule))] ?? 'uuid', '@IsUUID'),
  isPort: pattern('^(?:0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$'),
  isAlpha: pattern('^[A-Za-z]+$'),
  isAlphanumeric: pattern('^[0-9A-Za-z]+$'),
  isHexadecimal: pattern('^(?:0[xX]|0[hH])?[0-9A-Fa-f]+$'),
  isAscii: pattern('^[\\x00-\\x7F]+$'),
  arrayMinSize: (draft, rule) => list(draft).atLeast('minItems', first(rule) as number, 'ArrayMinSize'),
  arrayMaxSize: (draft, rule) => list(draft).atMost('maxItems', first(rule) as number, 'ArrayMaxSize'),
  arrayNotEmpty: (draft) => list(draft).atLeast('minItems', 1, 'ArrayNotEmpty'),
  arrayUnique: (draft) => {
    list(draft).schema['x-kubernetes-list-type'] = 'set';
  },
  isObject: isObject,
  isNotEmptyObject: (draft) => draft.atLeast('minProperties', 1, 'IsNotEmptyObject'),
  isInstance: nothing,
  isDate: (draft) =>
    draft.findings.fault('KW_CRD_NOT_JSON', draft.where, {
      found: 'is a Date',
      cause: 'objects of the cluster hold strings',
      fix: 'type it string and put @IsISO8601() on it',
    }),
};

/** What is done for a rule that is not listed: the check stays with the webhook. */
export const unlistedRule: Apply = webhookOnly();

function isObject(draft: SchemaDraft): void {
  draft.setType('object', '@IsObject');
}

function text(draft: SchemaDraft): SchemaDraft {
  draft.setType('string', 'a length');
  return draft;
}

function list(draft: SchemaDraft): SchemaDraft {
  draft.setType('array', 'a number of items');
  return draft;
}

/** Values of an enum object; numeric enums also map values back to names, which are no values. */
function enumValues(entity: Record<string, unknown>): unknown[] {
  return Object.keys(entity)
    .filter((key) => !(/^\d+$/.test(key) && typeof entity[key] === 'string'))
    .map((key) => entity[key]);
}
