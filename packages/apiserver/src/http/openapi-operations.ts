import type { JsonObject, ResourceDef } from '../core/types.js';
import type { Endpoint } from './rest.js';
import { subresourcesOf } from './router.js';

interface Kind {
  group: string;
  version: string;
  kind: string;
}

const query = (name: string, type = 'string'): JsonObject => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});
const path = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

const WRITE = [query('dryRun'), query('fieldManager'), query('fieldValidation')];
const PATCH = [...WRITE, query('force', 'boolean')];
const SELECT = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const DELETE = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
];
/**
 * What custom resources say they take as a patch. Built-ins say nothing, so that kubectl builds strategic patches from the
 * types compiled into it instead of from our schemas (DE-13).
 */
const CUSTOM_PATCHES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

/** Schemas an operation names, as references. */
export interface OperationSchemas {
  readonly object: string;
  readonly list: string;
}

export const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

function operation(
  action: string,
  kind: Kind,
  rest: { parameters?: JsonObject[]; schema?: string; code?: string },
): JsonObject {
  const content = rest.schema ? { content: { 'application/json': { schema: reference(rest.schema) } } } : {};
  return {
    ...(rest.parameters ? { parameters: rest.parameters } : {}),
    responses: { [rest.code ?? '200']: { description: rest.code === '201' ? 'Created' : 'OK', ...content } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { ...kind },
  };
}

const body = (types: readonly string[], schema?: string): JsonObject => ({
  requestBody: {
    content: Object.fromEntries(
      types.map((type) => [type, schema ? { schema: reference(schema) } : { schema: { type: 'object' } }]),
    ),
    required: true,
  },
});

const has = (resource: ResourceDef, verb: string): boolean => (resource.verbs as readonly string[]).includes(verb);

/** The OpenAPI paths of one resource (DI-7, DI-9). `prefix`: `/api/v1` or `/apis/group/version`. */
export function resourcePaths(prefix: string, at: Endpoint, schemas: OperationSchemas): JsonObject {
  const { resource, version } = at;
  const kind = { group: resource.group, version: version.name, kind: resource.kind };
  const scope = resource.namespaced ? '/namespaces/{namespace}' : '';
  const base = `${prefix}${scope}/${resource.plural}`;
  const place = resource.namespaced ? [path('namespace')] : [];
  const paths: JsonObject = {
    [base]: { ...(place.length > 0 ? { parameters: place } : {}), ...collection(resource, kind, schemas) },
  };
  if (resource.namespaced && has(resource, 'list')) {
    const list = operation('list', kind, { parameters: SELECT, schema: schemas.list });
    paths[`${prefix}/${resource.plural}`] = { get: list };
  }
  const item = members(resource, kind, schemas);
  if (Object.keys(item).length > 0) paths[`${base}/{name}`] = { parameters: [path('name'), ...place], ...item };
  for (const sub of subresourcesOf(at)) {
    const own = sub.group ? { group: sub.group, version: sub.version, kind: sub.kind } : { ...kind, kind: sub.kind };
    const schema = sub.kind === resource.kind ? schemas.object : undefined;
    const methods = methodsOf(sub.verbs, own, { schema, custom: resource.custom });
    paths[`${base}/{name}/${sub.name}`] = { parameters: [path('name'), ...place], ...methods };
  }
  return paths;
}

function collection(resource: ResourceDef, kind: Kind, schemas: OperationSchemas): JsonObject {
  return {
    ...(has(resource, 'list') ? { get: operation('list', kind, { parameters: SELECT, schema: schemas.list }) } : {}),
    ...(has(resource, 'create') ? { post: create(kind, schemas.object) } : {}),
    ...(has(resource, 'deletecollection')
      ? { delete: operation('deletecollection', kind, { parameters: [...SELECT, ...DELETE] }) }
      : {}),
  };
}

const create = (kind: Kind, schema: string | undefined): JsonObject => ({
  ...operation('post', kind, { parameters: WRITE, code: '201', ...(schema ? { schema } : {}) }),
  ...body(['application/json'], schema),
});

function members(resource: ResourceDef, kind: Kind, schemas: OperationSchemas): JsonObject {
  const methods = methodsOf(resource.verbs, kind, { schema: schemas.object, custom: resource.custom });
  delete methods['post'];
  return has(resource, 'delete') ? { ...methods, delete: operation('delete', kind, { parameters: DELETE }) } : methods;
}

function methodsOf(
  verbs: readonly string[],
  kind: Kind,
  of: { schema: string | undefined; custom: boolean },
): JsonObject {
  const schema = of.schema ? { schema: of.schema } : {};
  const out: JsonObject = {};
  if (verbs.includes('get')) out['get'] = operation('get', kind, schema);
  if (verbs.includes('update')) {
    out['put'] = {
      ...operation('put', kind, { parameters: WRITE, ...schema }),
      ...body(['application/json'], of.schema),
    };
  }
  if (verbs.includes('patch')) {
    out['patch'] = {
      ...operation('patch', kind, { parameters: PATCH, ...schema }),
      ...(of.custom ? body(CUSTOM_PATCHES) : {}),
    };
  }
  if (verbs.includes('create')) out['post'] = create(kind, of.schema);
  return out;
}
