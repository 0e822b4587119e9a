import { conflict, failure, groupResource, invalid, notFound, invalidValue, badRequest } from './errors.js';
import { deepFreeze, jsonCopy, jsonEqual } from './json.js';
import {
  checkDeletionUntouched,
  dedupeOwners,
  finalizerWarnings,
  keepSystemMetadata,
  raisesGeneration,
  validateMetadataUpdate,
} from './metadata.js';
import { isNamespaceKind, specFinalizers, takeFinalizers } from './namespaces.js';
import { createObject } from './create.js';
import { decodeBody } from './decoding.js';
import { keyOf } from './registry.js';
import type { Write } from './write.js';
import type { Body, KubeObject, ManagedFieldsEntry, ObjectMeta, WriteResult } from './types.js';

/** What a write makes of the live object. */
export interface Change {
  /** Private: the pipeline changes it. */
  next: KubeObject;
  /** managedFields are final already (apply). */
  managed: boolean;
}

/** How an update differs by its kind of request. */
export interface Updating {
  /** Called again for each live object met: on a conflict inside the server it is repeated. */
  change(live: KubeObject): Change;
  /** PUT needs a resourceVersion where the kind asks for one, and another uid is a conflict; a patch is more lenient. */
  kind: 'put' | 'patch';
  /** No resourceVersion is needed whatever the kind asks for; default false. */
  unconditional?: boolean;
}

/** PUT of an object or of a subresource that has the form of its object (PI-2). */
export async function update(write: Write, body: Body): Promise<WriteResult> {
  const { target } = write;
  const decoded = decodeBody(write.decoder, body, { mode: 'update', call: write.options });
  checkIdentity(write, decoded.metadata);
  const live = write.core.store.get(write.storage, keyOf(target.resource, target.namespace, target.name ?? ''));
  if (!live && target.subresource === undefined && target.resource.traits.createOnUpdate) {
    delete decoded.metadata.resourceVersion;
    return createObject(write, decoded, { managed: false });
  }
  return updateObject(write, { kind: 'put', change: () => ({ next: jsonCopy(decoded), managed: false }) });
}

/** ER-10 */
export function checkIdentity(write: Write, metadata: ObjectMeta): void {
  const { name, namespace, resource } = write.target;
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name ?? ''} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name ?? ''})`);
  }
  if (resource.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** The update pipeline: loops until what it was computed from is still the live object when it is stored (PI-6). */
export async function updateObject(write: Write, updating: Updating): Promise<WriteResult> {
  const { core, target } = write;
  const key = keyOf(target.resource, target.namespace, target.name ?? '');
  for (;;) {
    const stored = core.store.get(write.storage, key);
    if (!stored) throw notFound(target.resource, target.name ?? '');
    const live = await write.seen(stored);
    const { next: sent, managed } = updating.change(live);
    checkUid(write, sent, live, updating.kind);
    const sentVersion = sent.metadata.resourceVersion;
    const begun = target.subresource === undefined ? checkDeletionUntouched(sent.metadata, live.metadata) : [];
    let next = separate(write, sent, live);
    keepSystemMetadata(next.metadata, live.metadata);
    next.metadata.resourceVersion = live.metadata.resourceVersion as string;
    const repeated = dedupeOwners(next.metadata);
    if (repeated) write.context.warn(repeated);
    if (!managed) write.trackFields(next, live);

    next = await write.mutate('UPDATE', next, live);
    if (core.beforeWrite) await core.beforeWrite(target, stored);
    if (core.store.get(write.storage, key) !== stored) continue;
    checkResourceVersion(write, sentVersion, live, updating);

    keepSystemMetadata(next.metadata, live.metadata);
    target.resource.strategy.prepareForUpdateInPlace(next, live, write.context);
    // A binding places a Pod and leaves what its spec asks for as it was.
    const asks = target.subresource !== 'status' && target.subresource !== 'binding';
    if (asks && raisesGeneration(target.resource, write.version, next, live)) {
      next.metadata.generation = (live.metadata.generation ?? 0) + 1;
    }
    const errors = [
      ...begun,
      ...validateMetadataUpdate(target.resource, next.metadata, live.metadata),
      ...target.resource.strategy.validateUpdate(next, live, write.context),
    ];
    if (errors.length) throw invalid(target.resource, target.name ?? '', errors);
    if (!jsonEqual(next.metadata.finalizers, live.metadata.finalizers)) {
      for (const warning of finalizerWarnings(target.resource, next.metadata)) write.context.warn(warning);
    }
    keepFieldTimes(next.metadata, live.metadata);
    await write.validate('UPDATE', next, live);

    const done = await store(write, key, { stored, next });
    if (done) return { object: done, created: false };
  }
}

/** Stores the result, removes the object when nothing holds it any more, or answers undefined when the live object moved on. */
async function store(
  write: Write,
  key: string,
  { stored, next }: { stored: KubeObject; next: KubeObject },
): Promise<KubeObject | undefined> {
  const { core, context } = write;
  const result = await write.stored(next);
  if (core.store.get(write.storage, key) !== stored) return undefined;
  result.metadata.resourceVersion = stored.metadata.resourceVersion as string;
  if (isReleased(write, result)) {
    if (!context.dryRun) write.remove(key);
    return deepFreeze(next);
  }
  if (jsonEqual(result, stored)) return write.seen(stored);
  if (context.dryRun) return deepFreeze(next);
  return write.seen(write.put(key, result));
}

/** DL-4: a deleted object that nothing holds. */
function isReleased(write: Write, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds || finalizers?.length) return false;
  return !isNamespaceKind(write.target.resource) || specFinalizers(write.target.resource, object).length === 0;
}

/** Main writes keep the status, status writes keep all else (ME-8). */
function separate(write: Write, sent: KubeObject, live: KubeObject): KubeObject {
  const { subresource, resource } = write.target;
  if (subresource === 'status') {
    const metadata: ObjectMeta = { ...live.metadata };
    if (sent.metadata.managedFields) metadata.managedFields = sent.metadata.managedFields;
    for (const field of resource.traits.statusMetadata ?? []) {
      if (sent.metadata[field] === undefined) delete metadata[field];
      else (metadata as Record<string, unknown>)[field] = sent.metadata[field];
    }
    return jsonCopy(withField({ ...live, metadata }, 'status', sent['status']));
  }
  if (subresource === 'finalize' && isNamespaceKind(resource)) return jsonCopy(takeFinalizers(live, sent));
  return write.version.status ? withField(sent, 'status', jsonCopy(live['status'])) : sent;
}

function withField(object: KubeObject, field: string, value: unknown): KubeObject {
  if (value === undefined) delete object[field];
  else object[field] = value;
  return object;
}

/** ER-4 */
function checkUid(write: Write, next: KubeObject, live: KubeObject, kind: 'put' | 'patch'): void {
  const sent = next.metadata.uid;
  const { uid } = live.metadata;
  if (!sent || sent === uid) return;
  const { resource, name = '' } = write.target;
  if (kind === 'patch') throw invalid(resource, name, [invalidValue('metadata.uid', sent, 'field is immutable')]);
  const place = resource.custom ? `${resource.group}/${resource.plural}` : resource.plural;
  const path = `/registry/${place}/${keyOf(resource, write.target.namespace, name)}`;
  throw conflict(
    resource,
    name,
    `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ` +
      `UID in precondition: ${sent}, UID in object meta: ${uid ?? ''}`,
  );
}

/** ER-3, ER-8, ME-6 */
function checkResourceVersion(write: Write, sent: string | undefined, live: KubeObject, updating: Updating): void {
  const { resource, name = '' } = write.target;
  if (sent && sent !== '0') {
    if (!/^\d+$/.test(sent))
      throw failure(500, '', `strconv.ParseUint: parsing ${JSON.stringify(sent)}: invalid syntax`);
    if (sent !== live.metadata.resourceVersion) throw conflict(resource, name);
    return;
  }
  if (updating.kind === 'patch' || updating.unconditional || resource.traits.unconditionalUpdate) return;
  const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
  // This one answer names the resource where others name the kind.
  throw failure(422, 'Invalid', `${groupResource(resource)} "${name}" is invalid: ${error.field}: ${error.message}`, {
    name,
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.plural,
    causes: [{ reason: error.type, message: error.message, field: error.field }],
  });
}

/** Managed fields that differ in their times only are no change (PI-2). */
function keepFieldTimes(next: ObjectMeta, live: ObjectMeta): void {
  if (!next.managedFields || !live.managedFields) return;
  const timeless = (entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] =>
    entries.map((entry) => ({ ...entry, time: '' }));
  if (jsonEqual(timeless(next.managedFields), timeless(live.managedFields))) next.managedFields = live.managedFields;
}
