import {
  apiVersionOf,
  type Editable,
  type EnsureOutcome,
  type EnsurePatchOutcome,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubernetesObject,
  type Mutate,
  sleep,
  type StoredObject,
  type WriteOptions,
} from '@kubewright/api';
import { notFoundInCache } from '../transport/api-errors.js';
import type { ClientCore } from './core.js';
import { clientDefaults as defaults } from './defaults.js';
import { clientErrors } from './errors.js';
import { changedPaths, deepEqual, mergeDiff, mutable } from './json.js';
import { readOne } from './reads.js';
import type { Place } from './targets.js';
import { create, patch, update } from './writes.js';

type Change = Mutate<unknown>;
type Json = Record<string, unknown>;

/** One try: what is there is undefined if nothing is. */
type Attempt<R> = (before: StoredObject | undefined) => Promise<R>;

/** Reads and tries; again from a live read when somebody else was faster (L29). Errors of user code come out of `attempt` marked. */
async function again<R>(core: ClientCore, place: Place, options: WriteOptions, attempt: Attempt<R>): Promise<R> {
  // What a transform cut off must not be erased (L24).
  let read: 'auto' | 'live' = core.cached?.isPartial(place.kind) ? 'live' : 'auto';
  for (let tries = 1; ; tries++) {
    const { object } = await readOne(core, place, { ...options, read });
    try {
      return await attempt(object);
    } catch (error) {
      if (error instanceof UserFault) throw error.cause;
      const isLate = isConflict(error) || (object === undefined ? isAlreadyExists(error) : isNotFound(error));
      if (!isLate || tries >= defaults.editAttempts || (isNotFound(error) && read === 'live')) throw error;
    }
    read = 'live';
  }
}

/** Keeps what user code threw apart from what the server answered. */
class UserFault extends Error {}

async function mutated(place: Place, object: KubernetesObject, mutate: Change): Promise<KubernetesObject> {
  try {
    await mutate(object as Editable<unknown>);
  } catch (error) {
    throw new UserFault('user code threw', { cause: error });
  }
  const { name, namespace } = object.metadata ?? {};
  if (name !== place.name || (place.namespace !== undefined && namespace !== place.namespace))
    throw clientErrors.mutateKey(place.what);
  return object;
}

/** An object that holds nothing but who it is. */
function blank({ kind, name, namespace }: Place): KubernetesObject {
  const metadata = namespace === undefined ? { name } : { name, namespace };
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
}

/** {@link Client.createOrUpdate}. */
export function createOrUpdate(
  core: ClientCore,
  place: Place,
  mutate: Change,
  options: WriteOptions,
): Promise<EnsureOutcome> {
  return again(core, place, options, async (before) => {
    if (!before) {
      await create(core, place, await mutated(place, blank(place), mutate), options);
      return 'created';
    }
    const after = await mutated(place, mutable(before), mutate);
    if (deepEqual(before, after)) return 'unchanged';
    await update(core, place, after, { ...options, transformed: true });
    core.fights.note(place, changedPaths(mergeDiff(before, after)));
    return 'updated';
  });
}

/** {@link Client.createOrPatch}. */
export function createOrPatch(
  core: ClientCore,
  place: Place,
  mutate: Change,
  options: WriteOptions,
): Promise<EnsurePatchOutcome> {
  return again(core, place, options, async (before) => {
    if (!before) {
      const object = (await mutated(place, blank(place), mutate)) as Json;
      if (place.kind.hasStatus !== false) delete object['status'];
      await create(core, place, object, options);
      return 'created';
    }
    const after = await mutated(place, mutable(before), mutate);
    const diff = mergeDiff(before, after) as Json | undefined;
    if (diff === undefined) return 'unchanged';
    core.fights.note(place, changedPaths(diff));
    const hasStatus = place.kind.hasStatus !== false && 'status' in diff;
    const { status, ...rest } = diff;
    const body = hasStatus ? rest : diff;
    const hasBody = Object.keys(body).length > 0;
    if (hasBody) await patch(core, place, body, options);
    if (hasStatus) await patch(core, place, { status }, { ...options, subresource: 'status' });
    return hasStatus ? (hasBody ? 'updatedStatus' : 'updatedStatusOnly') : 'updated';
  });
}

/** {@link Client.edit}. */
export async function edit(
  core: ClientCore,
  place: Place,
  change: Change,
  options: WriteOptions,
): Promise<StoredObject> {
  let read: 'auto' | 'live' = core.cached?.isPartial(place.kind) ? 'live' : 'auto';
  for (let tries = 0; ; tries++) {
    const { object: before, error } = await readOne(core, place, { ...options, read });
    if (!before) throw error ?? notFoundInCache(core.subject('get', place.kind, place.key), place.kind);
    try {
      const after = await mutated(place, mutable(before), change);
      if (deepEqual(before, after)) return mutable(before);
      return await update(core, place, after, { ...options, transformed: true });
    } catch (thrown) {
      if (thrown instanceof UserFault) throw thrown.cause;
      const wait = defaults.editWaits[tries];
      if (!isConflict(thrown) || wait === undefined) throw thrown;
      await sleep(core.clock, wait / 2 + (core.random() * wait) / 2, core.signal(options));
    }
    read = 'live';
  }
}
