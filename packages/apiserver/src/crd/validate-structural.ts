import { forbiddenField, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, Schema } from '../core/types.js';
import { compilePattern } from '../schema/patterns.js';

type Level = 'root' | 'item' | 'field';

/** Finds what keeps a schema from being structural (CR-4). */
export function validateStructural(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  invariants(schema, 'root', path, errors);
  completeness(schema, schema, { structure: path, validation: path }, errors);
  return errors.sort((a, b) => (a.field + a.message < b.field + b.message ? -1 : 1));
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function invariants(schema: Schema, level: Level, path: string, errors: FieldError[]): void {
  const { type = '', properties = {}, items, additionalProperties: rest } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  if (type === 'array' && !items) errors.push(required(`${path}.items`, 'must be specified'));
  if (items) invariants(items, 'item', `${path}.items`, errors);
  for (const [name, child] of Object.entries(properties))
    invariants(child, 'field', `${path}.properties[${name}]`, errors);
  if (rest !== undefined) {
    if (level === 'root') errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
    if (typeof rest === 'object') invariants(rest, 'field', `${path}.additionalProperties`, errors);
  }
  if (intOrString && keeps) {
    errors.push(
      invalidValue(
        `${path}.x-kubernetes-preserve-unknown-fields`,
        true,
        'must be false if x-kubernetes-int-or-string is true',
      ),
    );
  }
  if (intOrString && embedded) {
    errors.push(
      invalidValue(
        `${path}.x-kubernetes-embedded-resource`,
        true,
        'must be false if x-kubernetes-int-or-string is true',
      ),
    );
  }
  const isPattern = (list: Schema[] | undefined): boolean => jsonEqual(list, [{ type: 'integer' }, { type: 'string' }]);
  const skip = { anyOf: isPattern(schema.anyOf), firstAllOf: isPattern(schema.allOf?.[0]?.anyOf) };
  valueValidation(schema, skip, path, errors);

  if (embedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, why) : invalidValue(`${path}.type`, type, why));
  } else if (type === '' && !intOrString && !keeps) errors.push(required(`${path}.type`, missingType[level]));
  if (embedded && rest !== undefined) {
    errors.push(
      forbiddenField(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  typeMeta(schema, level, path, errors);
  if (embedded && !keeps && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, why));
  }
}

function typeMeta({ properties, ...schema }: Schema, level: Level, path: string, errors: FieldError[]): void {
  const checks = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  for (const name of ['kind', 'apiVersion']) {
    const child = properties?.[name];
    if (child && checks && child.type !== 'string') {
      errors.push(invalidValue(`${path}.properties[${name}].type`, child.type ?? '', 'must be string'));
    }
  }
  const metadata = properties?.metadata;
  if (!metadata) return;
  if (checks && metadata.type !== 'object') {
    errors.push(invalidValue(`${path}.properties[metadata].type`, metadata.type ?? '', 'must be object'));
  }
  if (level !== 'root') return;
  const { type: _type, default: _default, properties: below = {}, ...rest } = metadata;
  const onlyNames = Object.keys(below).every((name) => name === 'name' || name === 'generateName');
  if (!onlyNames || Object.keys(rest).length > 0) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenField(`${path}.properties[metadata]`, why));
  }
}

/** Combinators hold validations only; two ways to say int-or-string are allowed. */
function valueValidation(
  schema: Schema,
  skip: { anyOf: boolean; firstAllOf: boolean },
  path: string,
  errors: FieldError[],
): void {
  const none = { anyOf: false, firstAllOf: false };
  if (!skip.anyOf) schema.anyOf?.forEach((one, i) => nested(one, none, `${path}.anyOf[${i}]`, errors));
  schema.allOf?.forEach((one, i) =>
    nested(one, { anyOf: skip.firstAllOf && i === 0, firstAllOf: false }, `${path}.allOf[${i}]`, errors),
  );
  schema.oneOf?.forEach((one, i) => nested(one, none, `${path}.oneOf[${i}]`, errors));
  if (schema.not) nested(schema.not, none, `${path}.not`, errors);
  if (!schema.pattern) return;
  const compiled = compilePattern(schema.pattern);
  if (typeof compiled === 'string') {
    errors.push(
      invalidValue(`${path}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${compiled}`),
    );
  }
}

const notNested: readonly (readonly [keyof Schema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nested(
  schema: Schema,
  skip: { anyOf: boolean; firstAllOf: boolean },
  path: string,
  errors: FieldError[],
): void {
  valueValidation(schema, skip, path, errors);
  const none = { anyOf: false, firstAllOf: false };
  if (schema.items) nested(schema.items, none, `${path}.items`, errors);
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    nested(child, none, `${path}.properties[${name}]`, errors);
  for (const [key, why] of notNested) {
    const value = schema[key];
    if (value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0))
      continue;
    errors.push(forbiddenField(`${path}.${key}`, why));
  }
  if (schema.properties?.metadata)
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
}

interface Paths {
  readonly structure: string;
  readonly validation: string;
}

/** What a combinator restricts must be specified outside of it too. */
function completeness(validation: Schema, structure: Schema, at: Paths, errors: FieldError[]): void {
  const inside = (one: Schema | undefined, name: string): void => {
    if (one) nestedCompleteness(one, structure, { ...at, validation: `${at.validation}.${name}` }, errors);
  };
  inside(validation.not, 'not');
  validation.allOf?.forEach((one, i) => inside(one, `allOf[${i}]`));
  validation.anyOf?.forEach((one, i) => inside(one, `anyOf[${i}]`));
  validation.oneOf?.forEach((one, i) => inside(one, `oneOf[${i}]`));
}

function nestedCompleteness(validation: Schema, structure: Schema, at: Paths, errors: FieldError[]): void {
  completeness(validation, structure, at, errors);
  const below = (child: Schema, target: Schema | undefined, step: string): void => {
    const paths = { structure: `${at.structure}.${step}`, validation: `${at.validation}.${step}` };
    if (target) nestedCompleteness(child, target, paths, errors);
    else errors.push(required(paths.structure, `because it is defined in ${paths.validation}`));
  };
  if (validation.items) below(validation.items, structure.items, 'items');
  for (const [name, child] of Object.entries(validation.properties ?? {}))
    below(child, structure.properties?.[name], `properties[${name}]`);
}
