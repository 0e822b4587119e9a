import { alreadyExists, badRequest, failure, invalid } from './errors.js';
import { timestamp } from './clock.js';
import { deepFreeze } from './json.js';
import { decodeBody } from './decoding.js';
import { dedupeOwners, finalizerWarnings, generateName, validateMetadata, wipeSystemMetadata } from './metadata.js';
import { checkNamespaceOpen } from './namespaces.js';
import { keyOf } from './registry.js';
import type { Write } from './write.js';
import type { Body, KubeObject, WriteResult } from './types.js';

/** How often a generated name is tried (ER-2). */
const NAME_TRIES = 8;

/** POST of an object (PI-1). */
export async function create(write: Write, body: Body): Promise<WriteResult> {
  const object = decodeBody(write.decoder, body, { mode: 'create', call: write.options });
  return createObject(write, object, { managed: false });
}

/** The create pipeline from a decoded object on; `managed` = its managedFields are final already (apply). */
export async function createObject(write: Write, decoded: KubeObject, how: { managed: boolean }): Promise<WriteResult> {
  const { resource, namespace } = write.target;
  const { metadata } = decoded;
  if (resource.namespaced && metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  wipeSystemMetadata(metadata);
  if (resource.namespaced) metadata.namespace = namespace ?? '';
  else delete metadata.namespace;
  const repeated = dedupeOwners(metadata);
  if (repeated) write.context.warn(repeated);
  if (write.version.status && !resource.traits.statusOnCreate) delete decoded['status'];
  if (!how.managed) write.trackFields(decoded, undefined);

  checkNamespaceOpen(write.core, write.target, decoded);
  const object = await write.mutate('CREATE', decoded, undefined);
  if (object.metadata.name || !object.metadata.generateName)
    return (await finish(write, object, 'given')) as WriteResult;
  for (let tries = NAME_TRIES; ; tries--) {
    const result = await finish(write, named(write, object), tries > 1 ? 'generated' : 'last');
    if (result) return result;
  }
}

/** A shallow copy with a new generated name. */
function named(write: Write, object: KubeObject): KubeObject {
  const name = generateName(object.metadata.generateName as string, write.core.random);
  return { ...object, metadata: { ...object.metadata, name } };
}

/** A name that was given, one that was generated, and the last one that is tried. */
type Naming = 'given' | 'generated' | 'last';

/** Fills system metadata, prepares, validates, stores. Answers undefined when the name is taken and another may be tried. */
async function finish(write: Write, object: KubeObject, naming: Naming): Promise<WriteResult | undefined> {
  const { core, target, context } = write;
  const { resource } = target;
  const { metadata } = object;
  const { resourceVersion } = metadata;
  metadata.uid = core.random.uuid();
  metadata.creationTimestamp = timestamp(core.clock.now());
  resource.strategy.prepareForCreateInPlace(object, context);
  if (resource.traits.generation !== 'none') metadata.generation = 1;
  const name = metadata.name ?? '';
  const errors = [...validateMetadata(resource, metadata), ...resource.strategy.validateCreate(object, context)];
  if (errors.length) throw invalid(resource, name, errors);
  for (const warning of finalizerWarnings(resource, metadata)) context.warn(warning);
  await write.validate('CREATE', object, undefined);
  if (resourceVersion && !context.dryRun) {
    throw failure(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const key = keyOf(resource, metadata.namespace, name);
  const stored = await write.stored(object);
  // Webhooks and conversion may have taken time, in which the namespace went.
  checkNamespaceOpen(core, target, object);
  const existing = core.store.get(write.storage, key);
  if (existing && naming === 'generated') return undefined;
  if (existing) throw taken(write, existing, naming);
  if (context.dryRun) return { object: deepFreeze(object), created: true };
  return { object: await write.seen(write.put(key, stored)), created: true };
}

function taken(write: Write, existing: KubeObject, naming: Naming): Error {
  const { metadata } = existing;
  const error = alreadyExists(write.target.resource, metadata.name ?? '', metadata.deletionTimestamp !== undefined);
  if (naming === 'given') return error;
  const message = `${error.message}, the server was not able to generate a unique name for the object`;
  return failure(409, 'AlreadyExists', message, { ...error.status.details, retryAfterSeconds: 1 });
}
