import { gvkKey, type KindInfo, type ReadMode, sleep, type Clock, type StoredObject } from '@kubewright/api';
import { cacheErrors } from '../cache/errors.js';
import { metadataPart } from '../cache/intake.js';
import { OWNER_INDEX } from '../cache/object-index.js';
import { compareVersions, isOrderedVersion } from '../cache/resource-version.js';
import { covers, type SharedCache } from '../cache/shared-cache.js';
import type { Posting, Store } from '../cache/store.js';
import type { Stream } from '../cache/stream.js';
import type { Barriers } from './barriers.js';
import { deepFreeze } from './json.js';
import type { ParsedSelector } from './label-selector.js';

/** Answer of a cached read that only the server can give. */
export const LIVE: unique symbol = Symbol('live');

/** One object's place. */
interface KeyRead {
  readonly kind: KindInfo;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly what: string;
  /** Only `apiVersion`, `kind`, `metadata` are wanted (L22). */
  readonly metadataOnly: boolean;
}

/** A list that may be answered by index. */
export interface ListRead {
  readonly kind: KindInfo;
  readonly namespace: string | undefined;
  readonly labels: ParsedSelector<Readonly<Record<string, string>> | undefined>;
  readonly fields: ParsedSelector<StoredObject>;
  readonly ownedBy: string | undefined;
  readonly controlledBy: string | undefined;
  readonly index: Readonly<Record<string, string>>;
  readonly limit: number | undefined;
  readonly what: string;
  /** Only `apiVersion`, `kind`, `metadata` are wanted (L22). */
  readonly metadataOnly: boolean;
}

/** A cached list: the objects, frozen, and the version of the store. */
export interface CachedList {
  readonly objects: StoredObject[];
  readonly version: string;
}

/** Answers reads from the cache where the cache can prove the answer (L19–L23). */
export class CachedReads {
  private readonly held = new Map<string, string>();

  constructor(
    private readonly cache: SharedCache,
    private readonly clock: Clock,
    private readonly barriers: Barriers,
  ) {}

  async find(
    read: KeyRead,
    mode: ReadMode,
    signal: AbortSignal | undefined,
  ): Promise<StoredObject | undefined | typeof LIVE> {
    const { kind, namespace, name, what, metadataOnly } = read;
    const streams = this.streams(read);
    if (streams.length === 0) return this.none(kind, mode, what);
    const proof = streams.find(isUnselected);
    if (mode === 'auto' && (await this.barriers.isUp(kind, namespace, proof ?? streams[0]))) return LIVE;
    if (mode === 'auto' && this.isHeld(read, streams)) return LIVE;
    if (proof) await this.untilSynced(proof, what, signal);
    let newest: StoredObject | undefined;
    let holder: Stream | undefined;
    for (const stream of streams) {
      const object = stream.store.visible.get(namespace ?? '', name);
      if (!object) continue;
      if (newest && compareVersions(newest.metadata.resourceVersion, object.metadata.resourceVersion) >= 0) continue;
      newest = object;
      holder = stream;
    }
    if (!newest) return proof || mode === 'cache' ? undefined : LIVE;
    const fault = holder?.intake.faultOf(newest);
    if (fault && !metadataOnly) throw cacheErrors.malformed(what, fault.cause);
    return metadataOnly ? frozenMetadata(newest) : deepFreeze(newest);
  }

  /** Reads of the key are live until the stream has reached the version (L41). */
  hold({ kind, namespace, name }: Pick<KeyRead, 'kind' | 'namespace' | 'name'>, version: string): void {
    if (!isOrderedVersion(version) || this.cache.streamsOf(kind).length === 0) return;
    this.held.set(`${gvkKey(kind)}|${namespace ?? ''}/${name}`, version);
  }

  private isHeld({ kind, namespace, name }: KeyRead, streams: readonly Stream[]): boolean {
    if (this.held.size === 0) return false;
    const key = `${gvkKey(kind)}|${namespace ?? ''}/${name}`;
    const version = this.held.get(key);
    if (version === undefined) return false;
    if (streams.some((stream) => compareVersions(stream.store.version, version) < 0)) return true;
    this.held.delete(key);
    return false;
  }

  /** Whether an informer of the kind drops part of its objects (L24). */
  isPartial(kind: KindInfo): boolean {
    return this.cache.streamsOf(kind).some((stream) => !stream.intake.isWhole);
  }

  /** The newest state the cache has of a key, without waiting; undefined when it has none, or not the whole of it. */
  peek(kind: KindInfo, namespace: string | undefined, name: string): StoredObject | undefined {
    for (const stream of this.cache.streamsOf(kind)) {
      if (!stream.hasSynced || !covers(stream.scope, namespace) || !stream.intake.isWhole) continue;
      const object = stream.store.visible.get(namespace ?? '', name);
      if (object && !stream.intake.faultOf(object)) return object;
    }
    return undefined;
  }

  async list(read: ListRead, mode: ReadMode, signal: AbortSignal | undefined): Promise<CachedList | typeof LIVE> {
    const { kind, namespace, what } = read;
    const streams = this.streams(read);
    if (streams.length === 0) {
      this.refuseUnknownIndex(read, streams);
      return this.none(kind, mode, what);
    }
    const stream = this.holder(read, streams);
    if (!stream) {
      this.refuseUnknownIndex(read, streams);
      if (mode === 'cache') throw cacheErrors.notCached(what);
      return LIVE;
    }
    if (mode === 'auto' && (await this.barriers.isUp(kind, namespace, stream))) return LIVE;
    await this.untilSynced(stream, what, signal);
    return { objects: select(stream, read), version: stream.store.version };
  }

  /** The streams that may hold what is wanted. */
  private streams({ kind, namespace, metadataOnly }: Pick<KeyRead, 'kind' | 'namespace' | 'metadataOnly'>): Stream[] {
    return this.cache
      .streamsOf(kind)
      .filter((stream) => covers(stream.scope, namespace) && (metadataOnly || stream.intake.isWhole));
  }

  private none(kind: KindInfo, mode: ReadMode, what: string): typeof LIVE {
    if (!this.cache.started && (mode === 'cache' || this.cache.watches(kind))) throw cacheErrors.notStarted(what);
    if (mode === 'cache') throw cacheErrors.notCached(what);
    return LIVE;
  }

  /** The stream that can prove the list: without selector, with the same one, or with the index that was asked for. */
  private holder(read: ListRead, streams: readonly Stream[]): Stream | undefined {
    const wanted = Object.keys(read.index);
    const indexed = streams.filter((stream) => wanted.every((name) => stream.indexNames.includes(name)));
    const byIndex = wanted.length > 0 || read.ownedBy !== undefined || read.controlledBy !== undefined;
    return (
      indexed.find(isUnselected) ??
      indexed.find(({ labelText, fieldText }) => labelText === read.labels.text && fieldText === read.fields.text) ??
      (byIndex ? indexed[0] : undefined)
    );
  }

  /** An index is known to the cache alone: the server cannot answer instead. */
  private refuseUnknownIndex({ index, kind }: ListRead, streams: readonly Stream[]): void {
    const [name] = Object.keys(index);
    if (name === undefined) return;
    const missing = Object.keys(index).find((wanted) => !streams.some((stream) => stream.indexNames.includes(wanted)));
    throw cacheErrors.index(missing ?? name, kind.kind, [...new Set(streams.flatMap((stream) => stream.indexNames))]);
  }

  private async untilSynced(stream: Stream, what: string, signal: AbortSignal | undefined): Promise<void> {
    if (stream.hasSynced) return;
    const timer = new AbortController();
    const forward = (): void => timer.abort(signal?.reason);
    signal?.addEventListener('abort', forward, { once: true });
    const { syncTimeout } = this.cache;
    try {
      const late = sleep(this.clock, syncTimeout, timer.signal).then(() => {
        throw cacheErrors.notSynced(what, stream.status(), syncTimeout);
      });
      late.catch(() => {});
      await Promise.race([stream.synced, late]);
    } finally {
      signal?.removeEventListener('abort', forward);
      timer.abort(new Error('not needed'));
    }
  }
}

const isUnselected = (stream: Stream): boolean => stream.labelText === '' && stream.fieldText === '';

function select(stream: Stream, read: ListRead): StoredObject[] {
  const { namespace, ownedBy, controlledBy, labels, fields, limit = Infinity } = read;
  const { visible } = stream.store;
  const [smallest, ...others] = postingsOf(visible, read);
  const isOneOwner = ownedBy !== undefined && controlledBy === undefined;
  const selects = labels.text !== '' || fields.text !== '';
  const objects: StoredObject[] = [];
  for (const object of smallest ?? visible.list(namespace)) {
    if (objects.length >= limit) break;
    const { metadata } = object;
    if (namespace !== undefined && metadata.namespace !== namespace) continue;
    if (others.length > 0 && !others.every((posting) => posting.has(object))) continue;
    // The index goes by uid alone, and holds the uid of each owner.
    if (!isOneOwner && !isOwned(metadata, ownedBy, controlledBy)) continue;
    if (selects && !(labels.matches(metadata.labels) && fields.matches(object))) continue;
    if (read.metadataOnly) objects.push(frozenMetadata(object));
    else if (!stream.intake.faultOf(object)) objects.push(deepFreeze(object));
  }
  return objects;
}

const frozenMetadata = (object: StoredObject): StoredObject => deepFreeze(metadataPart(object));

/** The index entries that the read names, the smallest first. */
function postingsOf(store: Store, { ownedBy, controlledBy, index }: ListRead): Posting[] {
  const postings: Posting[] = [];
  const owner = ownedBy ?? controlledBy;
  if (owner !== undefined) postings.push(store.byIndex(OWNER_INDEX, owner) ?? NONE);
  for (const name in index) postings.push(store.byIndex(name, index[name] as string) ?? NONE);
  return postings.length > 1 ? postings.sort((a, b) => a.size - b.size) : postings;
}

const NONE: Posting = new Set<StoredObject>();

/** Whether the owners are among the object's, the second one as its controller. */
export function isOwned(
  { ownerReferences }: StoredObject['metadata'],
  ownedBy: string | undefined,
  controlledBy: string | undefined,
): boolean {
  if (ownedBy === undefined && controlledBy === undefined) return true;
  const owners = ownerReferences ?? [];
  return (
    (ownedBy === undefined || owners.some(({ uid }) => uid === ownedBy)) &&
    (controlledBy === undefined || owners.some(({ uid, controller }) => uid === controlledBy && controller === true))
  );
}
