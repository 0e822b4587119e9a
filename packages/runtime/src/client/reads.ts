import { isNotFound, type ListOptions, type ReadMode, type ReadOptions, type StoredObject } from '@kubewright/api';
import { METADATA_ONLY, withKind } from '../cache/intake.js';
import { cacheDefaults } from '../cache/defaults.js';
import { listAll } from '../cache/paged-list.js';
import { resourcePath } from '../transport/url.js';
import { type CachedList, isOwned, LIVE, type ListRead } from './cached-reads.js';
import type { Call, ClientCore } from './core.js';
import { cacheErrors } from '../cache/errors.js';
import type { Place } from './targets.js';

/** One object, from the cache where that can prove the answer, else from the server; undefined when it does not exist. */
export async function readOne(
  core: ClientCore,
  place: Place,
  { read = 'auto', signal, timeoutMs, metadataOnly = false }: ReadOptions & { readonly metadataOnly?: boolean },
): Promise<{ readonly object: StoredObject | undefined; readonly fromCache: boolean; readonly error?: Error }> {
  const { kind, namespace, name, key, what } = place;
  if (read !== 'live' && core.cached) {
    const found = await core.cached.find({ kind, namespace, name, what, metadataOnly }, read, core.signal({ signal }));
    if (found !== LIVE) return { object: found, fromCache: true };
  } else if (read === 'cache') throw cacheErrors.notCached(what);
  const call: Call = {
    kind,
    namespace,
    subject: core.subject('get', kind, key),
    method: 'GET',
    path: resourcePath({ kind, namespace, name }),
    ...(metadataOnly && { accept: METADATA_ONLY }),
    retry: 'safe',
    signal,
    timeoutMs,
  };
  try {
    const object = core.object(call, await core.send(call), !metadataOnly);
    return { object: metadataOnly ? withKind(object, kind, true) : object, fromCache: false };
  } catch (error) {
    if (isNotFound(error)) return { object: undefined, fromCache: false, error };
    throw error;
  }
}

/** A list, from the cache where that can prove the answer, else read by pages to the end, or to `limit`. */
export async function readList(
  core: ClientCore,
  read: ListRead,
  mode: ReadMode,
  options: ListOptions,
): Promise<CachedList> {
  if (mode !== 'live' && core.cached) {
    const found = await core.cached.list(read, mode, core.signal(options));
    if (found !== LIVE) return found;
    core.liveLists.note(read.kind);
  } else if (mode === 'cache') throw cacheErrors.notCached(read.what);
  const [index] = Object.keys(read.index);
  if (index !== undefined) throw cacheErrors.index(index, read.kind.kind, []);
  return liveList(core, read, options);
}

async function liveList(core: ClientCore, read: ListRead, options: ListOptions): Promise<CachedList> {
  const { kind, namespace, labels, fields, ownedBy, controlledBy, limit } = read;
  const call = {
    kind,
    namespace,
    subject: core.subject('list', kind, namespace === undefined ? undefined : `in ${namespace}`),
    path: resourcePath({ kind, namespace }),
    ...(read.metadataOnly && { accept: METADATA_ONLY }),
    query: { labelSelector: labels.text || undefined, fieldSelector: fields.text || undefined },
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  };
  const owned = ownedBy !== undefined || controlledBy !== undefined;
  let objects: StoredObject[] = [];
  const version = await listAll(
    (size, token) => core.listPage(call, size, token),
    limit === undefined || owned ? cacheDefaults.pageSize : Math.min(limit, cacheDefaults.pageSize),
    {
      begin: () => {
        objects = [];
      },
      page: (items) => {
        for (const item of items) {
          const object = withKind(item, kind, read.metadataOnly);
          if (owned && !isOwned(object.metadata, ownedBy, controlledBy)) continue;
          objects.push(object);
        }
        return limit === undefined || objects.length < limit;
      },
    },
  );
  if (limit !== undefined && objects.length > limit) objects.length = limit;
  return { objects, version };
}
