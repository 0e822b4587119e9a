import {
  apiVersionOf,
  type ApplyOptions,
  builtinKind,
  type DeleteOptions,
  type DeleteOutcome,
  isConflict,
  isNotFound,
  type ObjectMeta,
  type ObjectTarget,
  type PatchOptions,
  type StoredObject,
  type UpdateOptions,
  type WriteOptions,
} from '@kubewright/api';
import type { RetryPolicy } from '../transport/contract.js';
import { encodeBody } from '../transport/encode.js';
import { resourcePath, withQuery } from '../transport/url.js';
import type { Call, ClientCore } from './core.js';
import { type Deletable, isHeld } from './deletion.js';
import { clientErrors } from './errors.js';
import type { Place } from './targets.js';

/** What the options of a write become in the query (L16). */
export function writeQuery(
  core: ClientCore,
  { dryRun, fieldManager, fieldValidation }: WriteOptions,
): Record<string, string | undefined> {
  return {
    dryRun: dryRun ? 'All' : undefined,
    fieldManager: fieldManager ?? core.fieldManager,
    fieldValidation: fieldValidation ?? 'Strict',
  };
}

/** What makes one write differ from another. */
interface Write {
  readonly verb: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly body: unknown;
  readonly contentType?: string;
  readonly subresource?: string;
  readonly retry: RetryPolicy;
  readonly force?: boolean;
}

/** A write's place: an object to be created may have no name yet. */
type WritePlace = Pick<Place, 'kind' | 'namespace' | 'key'> & { readonly name: string | undefined };

async function write(core: ClientCore, place: WritePlace, what: Write, options: WriteOptions): Promise<StoredObject> {
  return (await answered(core, place, what, options)).object;
}

/** What the server stored, and whether it was new. */
interface Answered {
  readonly object: StoredObject;
  readonly created: boolean;
}

async function answered(core: ClientCore, place: WritePlace, write: Write, options: WriteOptions): Promise<Answered> {
  const { kind, namespace, name, key } = place;
  const { verb, method, body, contentType, subresource, retry, force } = write;
  const path = resourcePath({ kind, namespace, name: method === 'POST' ? undefined : name, subresource });
  const call: Call = {
    kind,
    namespace,
    subject: core.subject(verb, kind, key),
    method,
    path: withQuery(path, { ...writeQuery(core, options), force }),
    body: encodeBody(body, kind),
    ...(contentType !== undefined && { contentType }),
    retry: options.dryRun ? 'safe' : retry,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  };
  const response = await core.send(call);
  const object = core.object(call, response, options.remember !== false && !options.dryRun);
  return { object, created: response.status === 201 };
}

/** Creates an object that states its kind (L7). */
export function create(
  core: ClientCore,
  place: WritePlace,
  object: ObjectTarget,
  options: WriteOptions,
): Promise<StoredObject> {
  const body = withMetadata(object, { ...object.metadata, ...inNamespace(place) });
  return write(core, place, { verb: 'create', method: 'POST', body, retry: 'unsafe' }, options);
}

/** Replaces an object that states its kind (L8, L24). */
export function update(
  core: ClientCore,
  place: Place,
  object: ObjectTarget,
  options: UpdateOptions,
): Promise<StoredObject> {
  const { resourceVersion, managedFields, ...rest } = object.metadata ?? {};
  if (!options.unconditional && !resourceVersion) throw clientErrors.updateWithoutVersion(place.what);
  if (!options.transformed && core.cached?.isPartial(place.kind)) throw clientErrors.updateTransformed(place.what);
  const metadata: ObjectMeta = { ...rest, ...inNamespace(place) };
  if (resourceVersion && !options.unconditional) metadata.resourceVersion = resourceVersion;
  if (managedFields && !isErasing(managedFields)) metadata.managedFields = managedFields;
  const retry = options.unconditional ? 'unsafe' : 'safe';
  return write(core, place, { verb: 'update', method: 'PUT', body: withMetadata(object, metadata), retry }, options);
}

/** Content types of patches. */
export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** Changes parts of an object (L9). */
export function patch(
  core: ClientCore,
  place: Place,
  body: object,
  options: PatchOptions & { readonly subresource?: string },
): Promise<StoredObject> {
  const { type = 'merge', subresource } = options;
  const locked = patchBody(place, body, options);
  const parts = { verb: 'patch', method: 'PATCH', contentType: PATCH_TYPES[type], retry: 'unsafe' } as const;
  return write(core, place, { ...parts, body: locked, ...(subresource !== undefined && { subresource }) }, options);
}

/** The body as it is sent; one that does not fit its type is refused. */
export function patchBody(place: Place, body: object, { type = 'merge', optimisticLock }: PatchOptions): object {
  if ((type === 'json') !== Array.isArray(body) || typeof body !== 'object' || body === null)
    throw clientErrors.patchBody(place.what, type);
  if (type === 'strategic' && !builtinKind(place.kind)) throw clientErrors.strategicCustom(place.what, place.kind);
  return optimisticLock ? lock(place, body) : body;
}

/** Applies an object that states its kind (L11). */
export async function apply(
  core: ClientCore,
  place: Place,
  object: ObjectTarget,
  options: ApplyOptions & { readonly subresource?: string },
): Promise<StoredObject> {
  return (await applyAnswered(core, place, object, options)).object;
}

/** As {@link apply}, telling whether the object is new. */
export async function applyAnswered(
  core: ClientCore,
  place: Place,
  object: ObjectTarget,
  options: ApplyOptions & { readonly subresource?: string },
): Promise<Answered> {
  const { uid, creationTimestamp, managedFields } = object.metadata ?? {};
  if (uid !== undefined || creationTimestamp !== undefined || managedFields !== undefined)
    throw clientErrors.applyReadObject(place.what);
  const { force = true, subresource } = options;
  const parts = { verb: 'apply', method: 'PATCH', contentType: PATCH_TYPES.apply, retry: 'safe', force } as const;
  const body = withMetadata(object, { ...object.metadata, ...inNamespace(place) });
  return answered(core, place, { ...parts, body, ...(subresource !== undefined && { subresource }) }, options);
}

/** Replaces the status alone, checked against the version of the target (L14). */
export function updateStatus(
  core: ClientCore,
  place: Place,
  status: unknown,
  options: WriteOptions,
): Promise<StoredObject> {
  const { name, namespace, uid, resourceVersion } = place.metadata;
  if (!resourceVersion) throw clientErrors.updateWithoutVersion(place.what);
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    resourceVersion,
  };
  const body = { apiVersion: apiVersionOf(place.kind), kind: place.kind.kind, metadata, status };
  return write(core, place, { verb: 'update', method: 'PUT', body, subresource: 'status', retry: 'safe' }, options);
}

/** Deletes one object and tells what is left of it (L12). */
export async function remove(core: ClientCore, place: Place, options: DeleteOptions): Promise<DeleteOutcome> {
  const { kind, namespace, name, key, metadata } = place;
  const uid = options.anyUid ? undefined : metadata.uid;
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: options.propagationPolicy ?? 'Background',
    gracePeriodSeconds: options.gracePeriodSeconds,
    preconditions: uid === undefined ? undefined : { uid },
    dryRun: options.dryRun ? ['All'] : undefined,
  };
  const call: Call = {
    kind,
    namespace,
    subject: core.subject('delete', kind, key),
    method: 'DELETE',
    path: resourcePath({ kind, namespace, name }),
    body: encodeBody(body),
    retry: uid !== undefined || options.dryRun ? 'safe' : 'unsafe',
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  };
  let answer: string;
  try {
    ({ body: answer } = await core.send(call));
  } catch (error) {
    const isGone = isNotFound(error) || (uid !== undefined && isConflict(error) && /precondition/i.test(error.message));
    if (isGone && !options.mustExist) return 'absent';
    throw error;
  }
  const left = JSON.parse(answer) as Deleted;
  const isStatus = left.kind === 'Status' && left.apiVersion === 'v1';
  const isLeft = !isStatus && isHeld(kind, left);
  if (!options.dryRun && isLeft) core.cache?.remember(kind, namespace, answer);
  else if (!options.dryRun)
    core.cache?.forget(kind, { namespace, name, uid: uid ?? (isStatus ? left.details?.uid : left.metadata?.uid) });
  return isLeft ? 'deleting' : 'deleted';
}

interface Deleted extends Deletable {
  /** Of a Status. */
  readonly details?: { readonly uid?: string };
}

function lock(place: Place, body: object): object {
  const { resourceVersion } = place.metadata;
  if (!resourceVersion) throw clientErrors.lockWithoutVersion(place.what);
  if (Array.isArray(body))
    return [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, ...(body as object[])];
  return { ...body, metadata: { ...(body as ObjectTarget).metadata, resourceVersion } };
}

/** `[]` on built-in kinds and `[{}]` on all kinds would erase who manages what. */
function isErasing(managedFields: readonly object[]): boolean {
  const [first] = managedFields;
  return first === undefined || (managedFields.length === 1 && Object.keys(first).length === 0);
}

/** A copy with other metadata; the members keep their order. */
const withMetadata = (object: ObjectTarget, metadata: ObjectMeta): object => ({ ...object, metadata });

const inNamespace = ({ namespace }: { readonly namespace: string | undefined }): { namespace?: string } =>
  namespace === undefined ? {} : { namespace };
