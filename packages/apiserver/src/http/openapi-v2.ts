import type { JsonObject, JsonValue } from '../core/types.js';
import type { Endpoint } from './rest.js';

/** What OpenAPI v2 has no word for. */
const DROPPED = new Set(['allOf', 'oneOf', 'anyOf', 'not', 'nullable']);
const UNKNOWN = 'x-kubernetes-preserve-unknown-fields';

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An OpenAPI v2 document of the definitions alone. `schemas`: as OpenAPI v3 has them, by name. */
export function definitionsV2(schemas: JsonObject, endpoints: readonly Endpoint[]): JsonObject {
  const custom = new Set(
    endpoints
      .filter(({ resource }) => resource.custom)
      .map(({ resource, version }) => [...resource.group.split('.').reverse(), version.name, resource.kind].join('.')),
  );
  const definitions: JsonObject = {};
  for (const [name, schema] of Object.entries(schemas)) {
    definitions[name] = isObject(schema) ? definition(schema, custom.has(name)) : schema;
  }
  return { swagger: '2.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths: {}, definitions };
}

const KINDS = 'x-kubernetes-group-version-kind';

function definition(schema: JsonObject, custom: boolean): JsonObject {
  if (!custom) return referring(schema);
  // A client that checks fields would refuse all that is not listed, so nothing is.
  return schema[UNKNOWN] === true ? { type: 'object', [KINDS]: schema[KINDS] ?? [] } : structural(schema);
}

/** References point into `definitions`; the one schema of an `allOf` is the reference itself. */
function referring(value: JsonValue): JsonObject {
  return walk(value, (node) => node) as JsonObject;
}

/** A custom schema without what v2 cannot say, in the way kubectl can live with. */
function structural(schema: JsonObject): JsonObject {
  return walk(schema, (node) => {
    const out: JsonObject = {};
    for (const [key, value] of Object.entries(node)) if (!DROPPED.has(key)) out[key] = value;
    if (node['nullable'] === true || node[UNKNOWN] === true) {
      delete out['items'];
      delete out['properties'];
    }
    if (node['nullable'] === true || (node[UNKNOWN] === true && out['type'] === 'object')) delete out['type'];
    if (out['type'] === 'array' && out['items'] === undefined) delete out['type'];
    withoutNullable(node, out);
    return out;
  }) as JsonObject;
}

/** A value that may be null cannot be required. */
function withoutNullable(node: JsonObject, out: JsonObject): void {
  const { required, properties, additionalProperties } = node;
  if (!Array.isArray(required)) return;
  const nullable = (child: JsonValue | undefined): boolean => isObject(child) && child['nullable'] === true;
  const kept = nullable(additionalProperties)
    ? []
    : required.filter((name) => !isObject(properties) || !nullable(properties[name as string]));
  if (kept.length > 0) out['required'] = kept;
  else delete out['required'];
}

/** Properties may have the names of keywords. */
const eachProperty = (properties: JsonObject, change: (node: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, walk(schema, change)]));

function walk(value: JsonValue, change: (node: JsonObject) => JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item) => walk(item, change));
  if (!isObject(value)) return value;
  const { allOf } = value;
  const single = Array.isArray(allOf) && allOf.length === 1 && isObject(allOf[0]) ? allOf[0] : undefined;
  const node = single?.['$ref'] === undefined ? change(value) : { ...value, ...single, allOf: undefined };
  const out: JsonObject = {};
  for (const [key, child] of Object.entries(node)) {
    if (child === undefined) continue;
    if (key === 'properties' && isObject(child)) out[key] = eachProperty(child, change);
    else if (key === '$ref' && typeof child === 'string')
      out[key] = child.replace('#/components/schemas/', '#/definitions/');
    else out[key] = key === 'default' || key === 'enum' ? child : walk(child, change);
  }
  return out;
}
