import { Collection } from './collection.js';
import { deepFreeze } from './json.js';
import type { Clock, KubeObject, StoreEvent } from './types.js';

export interface StoreOptions {
  clock: Clock;
  /** Events kept per resource; default 10,000. An older resourceVersion then gets 410. */
  historyEvents?: number;
  /** How long events are kept, in ms; default 5 minutes. */
  historyMs?: number;
  /** Revision to count from; default 1. */
  firstRevision?: number;
}

/** All objects at one revision; holds no copies of objects, so it is cheap. */
export interface StoreSnapshot {
  readonly revision: number;
  readonly collections: ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;
}

type Listener = (event: StoreEvent) => void;

/**
 * Memory of the server: one revision counter for all kinds, a collection per storage (ST-1 … ST-7). A write is one
 * synchronous step: revision, map, log, listeners and watch queues change together (ST-5).
 */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #waiting = new Set<() => void>();
  #stored: Listener | undefined;
  readonly #clock: Clock;
  readonly #historyEvents: number;
  readonly #historyMs: number;
  #revision: number;

  constructor(options: StoreOptions) {
    this.#clock = options.clock;
    this.#historyEvents = options.historyEvents ?? 10_000;
    this.#historyMs = options.historyMs ?? 5 * 60_000;
    this.#revision = options.firstRevision ?? 1;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The collection of a storage; made on first use, its window then begins now. */
  collection(storage: string): Collection {
    let found = this.#collections.get(storage);
    if (!found) this.#collections.set(storage, (found = new Collection(storage, this.#revision)));
    return found;
  }

  get collections(): Iterable<Collection> {
    return this.#collections.values();
  }

  get(storage: string, key: string): KubeObject | undefined {
    return this.#collections.get(storage)?.get(key);
  }

  /** Stores `object`, which becomes the store's own: it gets its resourceVersion and is frozen. */
  put(storage: string, key: string, object: KubeObject): KubeObject {
    const previous = this.get(storage, key);
    const revision = this.#revision + 1;
    object.metadata.resourceVersion = String(revision);
    deepFreeze(object);
    this.#commit({ revision, type: previous ? 'MODIFIED' : 'ADDED', storage, key, object, previous });
    return object;
  }

  /** Removes the object under `key`, which must be there. */
  remove(storage: string, key: string): KubeObject {
    const previous = this.get(storage, key);
    if (!previous) throw new Error(`${storage} ${key} cannot be removed: it is not in the store`);
    const revision = this.#revision + 1;
    const metadata = { ...previous.metadata, resourceVersion: String(revision) };
    const object = deepFreeze({ ...previous, metadata });
    this.#commit({ revision, type: 'DELETED', storage, key, object, previous });
    return object;
  }

  /** Hears each event of one storage, or of all (`*`), inside the write. */
  listen(storage: string, listener: Listener): () => void {
    let listeners = this.#listeners.get(storage);
    if (!listeners) this.#listeners.set(storage, (listeners = new Set()));
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** The last to hear of each event, after all listeners: the watches. */
  onStored(listener: Listener): void {
    this.#stored = listener;
  }

  /** Applies the bounds of the history window now; called before history is read. */
  trim(collection: Collection): void {
    collection.trim(this.#historyEvents, this.#clock.now() - this.#historyMs);
  }

  /** Forgets history up to `revision` (default all) of one storage or of all. */
  compact(storage?: string, revision: number = this.#revision): void {
    for (const collection of storage === undefined ? this.#collections.values() : [this.collection(storage)]) {
      collection.compact(Math.min(revision, this.#revision));
    }
  }

  /** Forgets the history of a resource that is no longer served. Objects stay: it may be served again. */
  retire(storage: string): void {
    if (!this.#collections.get(storage)?.size) this.#collections.delete(storage);
  }

  /** Resolves true once `revision` was reached, false after `ms`. */
  async reached(revision: number, ms: number): Promise<boolean> {
    if (revision <= this.#revision) return true;
    return new Promise((resolve) => {
      const done = (result: boolean): void => {
        timer.cancel();
        this.#waiting.delete(check);
        resolve(result);
      };
      const check = (): void => {
        if (revision <= this.#revision) done(true);
      };
      const timer = this.#clock.after(ms, () => done(false));
      this.#waiting.add(check);
    });
  }

  snapshot(): StoreSnapshot {
    const collections = new Map<string, ReadonlyMap<string, KubeObject>>();
    for (const collection of this.#collections.values()) collections.set(collection.storage, collection.content());
    return { revision: this.#revision, collections };
  }

  /**
   * Puts the objects of a snapshot back. Revisions go on upwards, never back; all history is dropped, so whoever watched has
   * to list again (TC-9).
   */
  restore(snapshot: StoreSnapshot): void {
    this.#revision = Math.max(this.#revision, snapshot.revision) + 1;
    for (const storage of snapshot.collections.keys()) this.collection(storage);
    for (const collection of this.#collections.values()) {
      collection.reset(snapshot.collections.get(collection.storage) ?? new Map<string, KubeObject>(), this.#revision);
    }
  }

  #commit(event: StoreEvent): void {
    this.#revision = event.revision;
    const collection = this.collection(event.storage);
    collection.apply(event, this.#clock.now());
    this.trim(collection);
    for (const listener of this.#listeners.get(event.storage) ?? []) listener(event);
    for (const listener of this.#listeners.get('*') ?? []) listener(event);
    this.#stored?.(event);
    for (const check of this.#waiting) check();
  }
}
