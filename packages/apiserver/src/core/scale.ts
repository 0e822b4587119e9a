import { badRequest, failure, internal, invalid, invalidValue, notFound } from './errors.js';
import { deepFreeze, jsonCopy } from './json.js';
import { decodeBody, decodePatched } from './decoding.js';
import type { Decoder } from './decoding.js';
import { applyPatch, checkPatchOptions } from './patch.js';
import type { PatchRequest } from './patch.js';
import { parseApiVersion } from './registry.js';
import { checkIdentity, updateObject } from './update.js';
import type { Change, Updating } from './update.js';
import type { Write } from './write.js';
import type { Body, JsonObject, KubeObject, ScalePaths, TypingNode, WriteResult } from './types.js';

const API_VERSION = 'autoscaling/v1';
const GROUP_KIND = { group: 'autoscaling', kind: 'Scale' };

/** Scale has no lists and no special fields: what patches need to know of it is nothing. */
const UNTYPED: TypingNode = {
  kind: 'untyped',
  atomic: false,
  field: () => UNTYPED,
  item: () => UNTYPED,
  fieldNames: () => [],
  declares: () => true,
};

const steps = (path: string): string[] => path.replace(/^\./, '').split('.');

function read(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const step of steps(path)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function write(object: KubeObject, path: string, value: number): void {
  const names = steps(path);
  const last = names.pop() as string;
  let parent: Record<string, unknown> = object;
  for (const name of names) {
    const child = parent[name];
    parent = (typeof child === 'object' && child !== null ? child : (parent[name] = {})) as Record<string, unknown>;
  }
  parent[last] = value;
}

function count(object: KubeObject, path: string): number | undefined {
  const value = read(object, path);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value;
  throw internal(`${path} accessor error: ${JSON.stringify(value)} is of the type ${typeof value}, expected int64`);
}

/** A label selector as text: custom resources store text, built-in kinds the selector or a map of labels. */
function selectorText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const selector = value as {
    matchLabels?: Record<string, string>;
    matchExpressions?: { key: string; operator: string; values?: string[] }[];
  };
  const structured = selector.matchLabels !== undefined || selector.matchExpressions !== undefined;
  const labels = structured ? (selector.matchLabels ?? {}) : (value as Record<string, string>);
  const terms = Object.entries(labels).map(([key, wanted]) => `${key}=${wanted}`);
  for (const { key, operator, values = [] } of structured ? (selector.matchExpressions ?? []) : []) {
    if (operator === 'Exists') terms.push(key);
    else if (operator === 'DoesNotExist') terms.push(`!${key}`);
    else terms.push(`${key} ${operator.toLowerCase()} (${[...values].sort().join(',')})`);
  }
  return terms.sort().join(',');
}

function pathsOf(target: Write['target'], version: Write['version']): ScalePaths {
  if (!version.scale) throw notFound(target.resource, target.name ?? '');
  return version.scale;
}

/** The Scale of an object (ME-9). Where the replicas are not set, it is asked for with `replicas` undefined. */
function scaleOf(object: KubeObject, paths: ScalePaths): { scale: KubeObject; replicas: number | undefined } {
  const replicas = count(object, paths.specReplicasPath);
  const selector = paths.labelSelectorPath ? selectorText(read(object, paths.labelSelectorPath)) : '';
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = jsonCopy({ name, namespace, uid, resourceVersion, creationTimestamp }) as KubeObject['metadata'];
  const scale: KubeObject = {
    kind: 'Scale',
    apiVersion: API_VERSION,
    metadata,
    spec: replicas ? { replicas } : {},
    status: { replicas: count(object, paths.statusReplicasPath) ?? 0, ...(selector ? { selector } : {}) },
  };
  return { scale, replicas };
}

/** GET of /scale. */
export function getScale(target: Write['target'], version: Write['version'], object: KubeObject): KubeObject {
  const paths = pathsOf(target, version);
  const { scale, replicas } = scaleOf(object, paths);
  if (replicas === undefined)
    throw internal(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`);
  return deepFreeze(scale);
}

const NO_APPLY =
  'failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ' +
  `request to convert CR to an invalid group/version: ${API_VERSION}`;

/** What Scale declares, by member; the rest is unknown. Metadata is not looked into. */
const DECLARED: Readonly<Record<string, readonly string[]>> = { spec: ['replicas'], status: ['replicas', 'selector'] };

function unknownFields(body: JsonObject): string[] {
  return Object.entries(body).flatMap(([key, value]) => {
    if (key === 'apiVersion' || key === 'kind' || key === 'metadata') return [];
    const declared = DECLARED[key];
    if (!declared) return [`unknown field "${key}"`];
    const below = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    return below.filter((member) => !declared.includes(member)).map((member) => `unknown field "${key}.${member}"`);
  });
}

const SCALE: Decoder = {
  kind: 'Scale',
  version: 'v1',
  builtin: true,
  decode(body) {
    const { kind = 'Scale', apiVersion = API_VERSION } = body;
    for (const [field, value] of Object.entries({ apiVersion, kind })) {
      if (typeof value === 'string') continue;
      const why = `json: cannot unmarshal ${typeof value} into Go struct field Scale.${field} of type string`;
      throw badRequest(`Scale in version "v1" cannot be handled as a Scale: ${why}`);
    }
    if (kind !== 'Scale' || apiVersion !== API_VERSION) {
      const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
      const { version } = parseApiVersion(apiVersion as string);
      throw badRequest(`${kind as string} in version ${JSON.stringify(version)} cannot be handled as a Scale: ${why}`);
    }
    const replicas = ((body['spec'] ?? {}) as JsonObject)['replicas'] ?? 0;
    if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
      const got = typeof replicas === 'number' ? `number ${replicas}` : typeof replicas;
      const why = `json: cannot unmarshal ${got} into Go struct field ScaleSpec.spec.replicas of type int32`;
      throw badRequest(`Scale in version "v1" cannot be handled as a Scale: ${why}`);
    }
    const metadata = { ...(body['metadata'] as object | null) } as KubeObject['metadata'];
    const object: KubeObject = { kind: 'Scale', apiVersion: API_VERSION, metadata, spec: { replicas } };
    return { object, problems: unknownFields(body) };
  },
};

/** The live object with the replicas of a Scale. */
function scaled(request: Write, live: KubeObject, scale: KubeObject): Change {
  const paths = pathsOf(request.target, request.version);
  checkIdentity(request, scale.metadata);
  const { replicas } = scale['spec'] as { replicas: number };
  if (replicas < 0) {
    const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid(GROUP_KIND, request.target.name ?? '', [error]);
  }
  const next = jsonCopy(live);
  write(next, paths.specReplicasPath, replicas);
  const { uid, resourceVersion } = scale.metadata;
  if (uid) next.metadata.uid = uid;
  if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
  return { next, managed: false };
}

async function run(request: Write, updating: Omit<Updating, 'unconditional'>): Promise<WriteResult> {
  const paths = pathsOf(request.target, request.version);
  const { object } = await updateObject(request, { ...updating, unconditional: true });
  return { object: deepFreeze(scaleOf(object, paths).scale), created: false };
}

/** PUT of /scale. */
export async function updateScale(request: Write, body: Body): Promise<WriteResult> {
  const scale = decodeBody(SCALE, body, { mode: 'update', call: request.options });
  return run(request, { kind: 'put', change: (live) => scaled(request, live, jsonCopy(scale)) });
}

/** PATCH of /scale; the patch works on the Scale. */
export async function patchScale(request: Write, patch: PatchRequest): Promise<WriteResult> {
  checkPatchOptions(request, patch);
  const paths = pathsOf(request.target, request.version);
  const { type, body } = patch;
  const { options: call } = request;
  if (type === 'apply') {
    // A real server cannot do this either: better a failure here than one in the cluster.
    if (request.target.resource.custom) throw failure(500, '', NO_APPLY);
    const applied = appliedToParent(request, body, paths);
    return run(request, {
      kind: 'patch',
      change: (live) => applyPatch(request, { ...patch, body: { value: applied } }, live),
    });
  }
  return run(request, {
    kind: 'patch',
    change(live) {
      const patched = request.core.patches.patch(type, scaleOf(live, paths).scale, body.value, UNTYPED);
      return scaled(request, live, decodePatched(SCALE, jsonCopy(patched), { problems: body.problems, call }));
    },
  });
}

/** An applied Scale as the part of its object that it speaks of. */
function appliedToParent(request: Write, body: Body, paths: ScalePaths): JsonObject {
  const scale = decodeBody(SCALE, body, { mode: 'update', call: request.options });
  const { resource, name = '', namespace } = request.target;
  const given = (body.value as { spec?: { replicas?: unknown } }).spec?.replicas;
  const object: KubeObject = {
    apiVersion: request.apiVersion,
    kind: resource.kind,
    metadata: { name, ...(resource.namespaced && namespace ? { namespace } : {}) },
  };
  if (typeof given !== 'number')
    throw failure(
      400,
      'BadRequest',
      `the spec replicas field ${JSON.stringify(paths.specReplicasPath)} cannot be empty`,
    );
  write(object, paths.specReplicasPath, (scale['spec'] as { replicas: number }).replicas);
  return object as unknown as JsonObject;
}
