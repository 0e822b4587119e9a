import { forbiddenField, invalidValue, notSupported, required } from '../core/errors.js';
import type { FieldError, JsonValue, Schema } from '../core/types.js';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const notAllowed = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

/** Whether an error is about a keyword that schemas of definitions do not have at all. */
export function isUnsupported({ field, message }: FieldError): boolean {
  return notAllowed.some((key) => field.endsWith(`.${key}`) && message.endsWith(`${key} is not supported`));
}

interface At {
  readonly path: string;
  readonly errors: FieldError[];
  /** Inside apiVersion, kind or metadata of a resource. */
  readonly inMeta: boolean;
  /** Why defaults are not allowed here. */
  readonly noDefault: string | undefined;
}

/** Rules on schemas beyond being structural (CR-4): keywords, lists, maps, defaults. */
export function validateSchemaRules(root: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  visit(root, { path, errors, inMeta: false, noDefault: undefined }, true);
  return errors;
}

function visit(schema: Schema, at: At, isRoot: boolean): void {
  const { path, errors } = at;
  keywords(schema, at);
  const below = (child: Schema | undefined, step: string, more: Partial<At> = {}): void => {
    if (child) visit(child, { ...at, ...more, path: `${path}.${step}` }, false);
  };
  const rest = schema.additionalProperties;
  if (rest !== undefined) {
    const both = Object.keys(schema.properties ?? {}).length > 0 && rest !== true;
    if (both)
      errors.push(
        forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
      );
    const noDefault = at.inMeta ? { noDefault: 'inside additionalProperties applying to object metadata' } : {};
    if (typeof rest === 'object') below(rest, 'additionalProperties', noDefault);
  }
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const meta =
      (isRoot || schema['x-kubernetes-embedded-resource']) && ['metadata', 'kind', 'apiVersion'].includes(name);
    const more = meta ? { inMeta: true, ...(isRoot ? { noDefault: `in top-level ${name}` } : {}) } : {};
    below(child, `properties[${name}]`, more);
  }
  below(schema.not, 'not');
  schema.allOf?.forEach((one, i) => below(one, `allOf[${i}]`));
  schema.oneOf?.forEach((one, i) => below(one, `oneOf[${i}]`));
  schema.anyOf?.forEach((one, i) => below(one, `anyOf[${i}]`));
  if (!Array.isArray(schema.items)) below(schema.items, 'items');
  mapsAndLists(schema, at);
  ruleFields(schema, at);
}

function keywords(schema: Schema, { path, errors, inMeta, noDefault }: At): void {
  if (schema.type && (schema.type as string) !== 'null' && !types.includes(schema.type)) {
    errors.push(notSupported(`${path}.type`, schema.type, types));
  }
  if (schema.default !== undefined && noDefault)
    errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefault}`));
  for (const key of notAllowed) {
    if ((schema as Record<string, unknown>)[key] !== undefined)
      errors.push(forbiddenField(`${path}.${key}`, `${key} is not supported`));
  }
  if ((schema.type as string) === 'null') {
    errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items))
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  if (inMeta && schema['x-kubernetes-embedded-resource']) {
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  if (schema.uniqueItems) {
    errors.push(
      forbiddenField(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
}

function mapsAndLists(schema: Schema, { path, errors }: At): void {
  const mapType = schema['x-kubernetes-map-type'];
  const listType = schema['x-kubernetes-list-type'];
  const mustBe = (type: string, extension: string): void => {
    const why = `must be ${type} if ${extension} is specified`;
    errors.push(schema.type ? invalidValue(`${path}.type`, schema.type, why) : required(`${path}.type`, why));
  };
  if (mapType !== undefined) {
    if (schema.type !== 'object') mustBe('object', 'x-kubernetes-map-type');
    if (mapType !== 'atomic' && mapType !== 'granular') {
      errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
    }
  }
  if (listType !== undefined) {
    if (schema.type !== 'array') mustBe('array', 'x-kubernetes-list-type');
    else if (listType === 'set') setItems(schema.items, path, errors);
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
    }
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length > 0 && listType !== 'map') {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const at = `${path}.x-kubernetes-list-type`;
    errors.push(listType === undefined ? required(at, why) : invalidValue(at, listType, why));
  }
  if (listType === 'map') keyedItems(schema, keys, path, errors);
  if ((listType === 'map' || listType === 'set') && schema.items?.nullable) {
    errors.push(
      forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`),
    );
  }
}

function setItems(items: Schema | undefined, path: string, errors: FieldError[]): void {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const inner = items?.['x-kubernetes-list-type'];
  if (items?.type === 'array' && inner !== undefined && inner !== 'atomic') {
    errors.push(invalidValue(`${path}.items.x-kubernetes-list-type`, inner, why));
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    errors.push(invalidValue(`${path}.items.x-kubernetes-map-type`, (inner ?? null) as JsonValue, why));
  }
}

function keyedItems({ items }: Schema, keys: readonly string[], path: string, errors: FieldError[]): void {
  const at = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(required(at, 'must not be empty if x-kubernetes-list-type is map'));
  if (!items) {
    errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    return;
  }
  if (items.type !== 'object') {
    errors.push(
      invalidValue(
        `${path}.items.type`,
        items.type ?? '',
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    );
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.[key];
    const below = `${path}.items.properties[${key}]`;
    if (!property) errors.push(invalidValue(at, keys, 'entries must all be names of item properties'));
    else {
      if (property.type === 'array' || property.type === 'object') {
        errors.push(
          invalidValue(
            `${below}.type`,
            'object',
            "must be a scalar type if parent array's x-kubernetes-list-type is map",
          ),
        );
      }
      if (!items.required?.includes(key) && property.default === undefined) {
        const why =
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
        errors.push(required(`${below}.default`, why));
      }
      if (property.nullable) {
        errors.push(
          forbiddenField(
            `${below}.nullable`,
            'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
          ),
        );
      }
    }
    if (seen.has(key)) errors.push(invalidValue(at, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

function ruleFields(schema: Schema, { path, errors }: At): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = `${path}.x-kubernetes-validations[${i}]`;
    const text = (rule.rule ?? '').trim();
    const message = (rule.message ?? '').trim();
    if (!text) errors.push(required(`${at}.rule`, 'rule is not specified'));
    else if (rule.message && !message)
      errors.push(invalidValue(`${at}.message`, rule.message, 'must be non-empty if specified'));
    else if (lineBreak.test(message))
      errors.push(invalidValue(`${at}.message`, rule.message, 'must not contain line breaks'));
    else if (lineBreak.test(text) && !message) {
      errors.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
    }
    if (rule.messageExpression && !rule.messageExpression.trim()) {
      errors.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
    }
    if (rule.reason !== undefined && !reasons.includes(rule.reason))
      errors.push(notSupported(`${at}.reason`, rule.reason, reasons));
    if (!rule.fieldPath) continue;
    if (!rule.fieldPath.trim())
      errors.push(invalidValue(`${at}.fieldPath`, rule.fieldPath, 'must be non-empty if specified'));
    if (lineBreak.test(rule.fieldPath))
      errors.push(invalidValue(`${at}.fieldPath`, rule.fieldPath, 'must not contain line breaks'));
    if (!schemaAt(schema, rule.fieldPath))
      errors.push(invalidValue(`${at}.fieldPath`, rule.fieldPath, 'must be a valid path'));
  }
}

/** The schema a path such as `.spec.items['a.b']` leads to; undefined when it leads nowhere. */
export function schemaAt(schema: Schema, path: string): Schema | undefined {
  let node: Schema | undefined = schema;
  let rest = path;
  while (rest !== '') {
    const step = /^\.([A-Za-z_][\w-]*)|^\['((?:\\.|[^'])*)'\]/.exec(rest);
    if (!step || !node) return undefined;
    const name = step[1] ?? (step[2] as string).replace(/\\(.)/g, '$1');
    const more: Schema | undefined = node.properties?.[name];
    node = more ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
    rest = rest.slice(step[0].length);
  }
  return node;
}
