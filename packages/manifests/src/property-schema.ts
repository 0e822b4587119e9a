import { type Class, isClass, type PropertyDefinition, refName, type ValidationRule } from '@kubewright/metadata';
import type { Findings } from './findings.js';
import type { JsonSchema, SchemaType } from './json-schema.js';
import { ruleTable, unlistedRule } from './rule-table.js';
import { SchemaDraft } from './schema-draft.js';

/** Builds the schema of a class; `via` are the classes on the way down, to find recursion. */
type ObjectSchema = (cls: Class, via: readonly string[]) => JsonSchema;

export interface PropertyContext {
  readonly findings: Findings;
  readonly via: readonly string[];
  readonly objectSchema: ObjectSchema;
}

const PRIMITIVES = new Map<unknown, SchemaType>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

const NOT_JSON = new Map<unknown, string>([
  [Date, 'type it string and put @IsISO8601() on it'],
  [Map, 'type it as a class or a list'],
  [Set, 'type it as a list'],
  [Promise, 'store the value itself'],
  [Symbol, 'type it string'],
  [BigInt, 'type it string'],
  [Function, 'import the class as a value (not `import type`), or remove the decorator'],
]);

/** Schema of one property, and whether the parent requires it. */
export function propertySchema(
  property: PropertyDefinition,
  context: PropertyContext,
): { readonly schema: JsonSchema; readonly required: boolean } {
  const where = `${property.declaredBy.name}.${property.name}`;
  const own = new SchemaDraft(where, context.findings);
  const items = new SchemaDraft(where, context.findings);
  const { facts } = property;
  const isList = facts.each === true || property.rules.some((rule) => rule.each);
  if (isList) own.setType('array', '{ each: true }');

  // Types first: what some rules mean depends on them.
  for (const rule of byPriority(property.rules)) (ruleTable[rule.name] ?? unlistedRule)(rule.each ? items : own, rule);
  if (facts.type) applyType(facts.type(), facts.each ? items : own, `${where}`, context);
  applyDesignType(property, isList ? undefined : own, where, context);

  if (own.type === 'array') finishList(own, items, where);
  for (const draft of [own, items]) finishNumbers(draft);
  if (own.type === undefined && own.schema.anyOf === undefined) unknownType(property, where, context.findings);
  if (own.type === 'object' && own.schema.properties === undefined) bareObject(where, context.findings);

  if (property.description !== undefined) own.schema.description = property.description;
  if (facts.default) own.schema.default = structuredClone(facts.default.value);
  const names = new Set(property.rules.map((rule) => rule.name));
  const optional =
    facts.optional === true || facts.default !== undefined || names.has('isOptional') || names.has('validateIf');
  return { schema: own.schema, required: !optional };
}

const TYPE_RULES = new Set(['isString', 'isBoolean', 'isNumber', 'isInt', 'isArray', 'isObject']);
const byPriority = (rules: readonly ValidationRule[]): ValidationRule[] => [
  ...rules.filter((rule) => TYPE_RULES.has(rule.name)),
  ...rules.filter((rule) => !TYPE_RULES.has(rule.name)),
];

/** A type named by a thunk: String, Number, Boolean or a decorated class. */
function applyType(type: unknown, draft: SchemaDraft, where: string, context: PropertyContext): void {
  const primitive = PRIMITIVES.get(type);
  if (primitive) draft.setType(primitive, `() => ${refName(type)}`);
  else if (isClass(type)) {
    draft.setType('object', `the class ${type.name}`);
    Object.assign(draft.schema, { ...context.objectSchema(type, [...context.via, where]), ...draft.schema });
  } else
    context.findings.fault('KW_CRD_TYPE_UNKNOWN', where, {
      found: `names ${refName(type)} as its type`,
      cause: 'a class, String, Number or Boolean is needed; undefined means a circular import',
      fix: '@Nested(() => TheClass)',
    });
}

function applyDesignType(
  property: PropertyDefinition,
  draft: SchemaDraft | undefined,
  where: string,
  context: PropertyContext,
): void {
  const { designType } = property;
  const fix = NOT_JSON.get(designType);
  if (fix !== undefined) {
    context.findings.fault('KW_CRD_NOT_JSON', where, {
      found: `has the type ${refName(designType)}`,
      cause: 'objects of the cluster are plain JSON',
      fix,
    });
    // Told already; known properties keep the later checks quiet.
    if (draft && draft.type === undefined) Object.assign(draft.schema, { type: 'object', properties: {} });
    return;
  }
  const primitive = PRIMITIVES.get(designType);
  if (primitive) draft?.setType(primitive, 'its type');
  else if (isClass(designType) && draft && draft.type === undefined) applyType(designType, draft, where, context);
}

function finishList(own: SchemaDraft, items: SchemaDraft, where: string): void {
  if (items.type === undefined && items.schema.anyOf === undefined)
    own.findings.fault('KW_CRD_ITEMS_UNKNOWN', where, {
      found: 'is a list of unknown items',
      cause: 'the compiler does not keep the element type',
      fix: '@IsString({ each: true }) or the like, or @Nested(() => Item, { each: true })',
    });
  own.schema.items = items.schema;
}

/** Whole numbers are int64, or int32 when both bounds are given and fit. */
function finishNumbers(draft: SchemaDraft): void {
  const { schema } = draft;
  const { minimum, maximum } = schema;
  if (schema.type === 'integer' && schema.enum === undefined)
    schema.format =
      minimum !== undefined && maximum !== undefined && minimum >= -(2 ** 31) && maximum < 2 ** 31 ? 'int32' : 'int64';
  for (const [low, high] of [
    ['minimum', 'maximum'],
    ['minLength', 'maxLength'],
    ['minItems', 'maxItems'],
  ] as const)
    if ((schema[low] ?? -Infinity) > (schema[high] ?? Infinity))
      draft.findings.fault('KW_CRD_CONTRADICTION', draft.where, {
        found: `has ${low} ${schema[low]} above ${high} ${schema[high]}`,
        cause: 'no value could ever pass',
        fix: 'swap or correct the two bounds',
      });
  const wrong = (['minimum', 'maximum', 'multipleOf'] as const).find((keyword) => schema[keyword] !== undefined);
  if (wrong && schema.type !== undefined && schema.type !== 'integer' && schema.type !== 'number')
    draft.findings.fault('KW_CRD_CONTRADICTION', draft.where, {
      found: `has ${wrong} on a ${schema.type}`,
      cause: 'only numbers have such a bound',
      fix: 'remove it, or use @MinLength, @ArrayMinSize, …',
    });
}

function unknownType(property: PropertyDefinition, where: string, findings: Findings): void {
  const { designType } = property;
  const seen = designType === undefined ? 'nothing' : refName(designType);
  findings.fault('KW_CRD_TYPE_UNKNOWN', where, {
    found: `has no type that could be told (the compiler wrote down: ${seen})`,
    cause: 'unions, interfaces and `import type` leave no type at run time',
    fix: '@Nested(() => TheClass), @IsString(), @IsInt(), @IsBoolean(), …',
  });
}

function bareObject(where: string, findings: Findings): void {
  findings.fault('KW_CRD_BARE_OBJECT', where, {
    found: 'is an object without known properties',
    cause: 'the API server would prune everything inside',
    fix: '@Nested(() => TheClass) with a class whose properties are decorated',
  });
}
