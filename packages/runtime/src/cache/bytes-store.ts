import type { StoredObject } from '@kubewright/api';
import type { Indexers } from './contract.js';
import { cacheDefaults } from './defaults.js';
import { ObjectIndex, type OnIndexFailure, OWNER_INDEX, ownerUids } from './object-index.js';
import { type Slabs, SlabText } from './slabs.js';
import type { Posting, Store, StoredEntry } from './store.js';

/** One object: who it is, and its JSON; or the object itself where it is spoiled and must stay what it is. */
class Kept implements StoredEntry {
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;

  constructor(
    object: StoredObject,
    /** Turned into the object when an index function fails for it. */
    public content: SlabText | StoredObject,
  ) {
    const { namespace, name, uid, resourceVersion } = object.metadata;
    this.namespace = namespace;
    this.name = name;
    this.uid = uid;
    this.resourceVersion = resourceVersion;
  }

  get metadata(): StoredEntry['metadata'] {
    return this;
  }
}

export interface BytesStoreOptions {
  /** Shared by the stores that follow one another in a stream. */
  readonly slabs: Slabs;
  readonly indexers?: Indexers;
  readonly onIndexFailure?: OnIndexFailure;
  /** Objects that are known by their identity and have to stay as they are (R22). */
  readonly isSpoiled?: (object: StoredObject) => boolean;
}

/**
 * Objects as the UTF-8 bytes of their JSON, outside of the JavaScript heap, parsed when read; the 1,000 read last stay
 * parsed (R35). For many objects that are seldom read: less memory, and next to no work for the collector.
 */
export class BytesStore implements Store {
  private readonly namespaces = new Map<string, Map<string, Kept>>();
  private readonly indexes = new Map<string, ObjectIndex<Kept>>();
  private readonly recent = new Map<Kept, StoredObject>();
  private readonly slabs: Slabs;
  private readonly isSpoiled: (object: StoredObject) => boolean;
  private readonly onIndexFailure: OnIndexFailure;
  private count = 0;

  constructor({ slabs, indexers = {}, onIndexFailure = () => {}, isSpoiled = () => false }: BytesStoreOptions) {
    this.slabs = slabs;
    this.isSpoiled = isSpoiled;
    this.onIndexFailure = onIndexFailure;
    this.indexes.set(OWNER_INDEX, new ObjectIndex(ownerUids));
    for (const [name, values] of Object.entries(indexers)) this.indexes.set(name, new ObjectIndex(values));
  }

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return this.slabs.bytes;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    const kept = this.find(namespace, name);
    if (!kept) return undefined;
    const object = this.read(kept);
    this.keepParsed(kept, object);
    return object;
  }

  entry(namespace: string, name: string): StoredEntry | undefined {
    return this.find(namespace, name);
  }

  *list(namespace?: string): IterableIterator<StoredObject> {
    yield* this.readEach(this.all(namespace));
  }

  entries(): Iterable<StoredEntry> {
    return this.all();
  }

  read(entry: StoredEntry): StoredObject {
    if (!(entry instanceof Kept)) return entry as StoredObject;
    const { content } = entry;
    if (!(content instanceof SlabText)) return content;
    return this.recent.get(entry) ?? (JSON.parse(content.toString()) as StoredObject);
  }

  byIndex(index: string, value: string): Posting | undefined {
    const found = this.indexes.get(index);
    return found && this.posting(found.postings.get(value));
  }

  upsert(object: StoredObject, cold = false): void {
    const { namespace = '', name } = object.metadata;
    const old = this.find(namespace, name);
    if (old && (old.content === object || this.recent.get(old) === object)) return;
    const kept = new Kept(object, this.isSpoiled(object) ? object : this.slabs.put(JSON.stringify(object)));
    this.put(kept, object);
    if (!cold) this.keepParsed(kept, object);
  }

  adopt(entry: StoredEntry): void {
    if (entry instanceof Kept) this.put(entry, this.read(entry));
    else this.upsert(entry as StoredObject, true);
  }

  delete(namespace: string, name: string): boolean {
    const kept = this.find(namespace, name);
    if (!kept) return false;
    this.drop(kept);
    const objects = this.namespaces.get(namespace);
    objects?.delete(name);
    if (objects?.size === 0) this.namespaces.delete(namespace);
    this.count--;
    return true;
  }

  addIndex(name: string, values: (object: StoredObject) => string[]): void {
    const index = new ObjectIndex<Kept>(values);
    this.indexes.set(name, index);
    for (const kept of this.all()) {
      const object = this.read(kept);
      index.add(kept, object, this.onIndexFailure);
      this.settle(kept, object);
    }
  }

  retire(successor: Store): void {
    for (const kept of this.all()) if (successor.entry(kept.namespace ?? '', kept.name) !== kept) this.free(kept);
    this.recent.clear();
  }

  private find(namespace: string, name: string): Kept | undefined {
    return this.namespaces.get(namespace)?.get(name);
  }

  private *all(namespace?: string): IterableIterator<Kept> {
    if (namespace !== undefined) yield* this.namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.namespaces.values()) yield* objects.values();
  }

  private put(kept: Kept, object: StoredObject): void {
    const { namespace = '', name } = kept;
    const old = this.find(namespace, name);
    if (old) this.drop(old);
    else this.count++;
    let objects = this.namespaces.get(namespace);
    if (!objects) this.namespaces.set(namespace, (objects = new Map()));
    objects.set(name, kept);
    for (const index of this.indexes.values()) index.add(kept, object, this.onIndexFailure);
    this.settle(kept, object);
  }

  /** What an index function failed for is known by its identity from now on, so it has to stay. */
  private settle(kept: Kept, object: StoredObject): void {
    if (kept.content === object || !this.isSpoiled(object)) return;
    this.free(kept);
    kept.content = object;
  }

  private drop(kept: Kept): void {
    const object = this.read(kept);
    for (const index of this.indexes.values()) index.remove(kept, object);
    this.recent.delete(kept);
    this.free(kept);
  }

  private free({ content }: Kept): void {
    if (content instanceof SlabText) this.slabs.free(content);
  }

  private keepParsed(kept: Kept, object: StoredObject): void {
    if (kept.content === object) return;
    this.recent.delete(kept);
    this.recent.set(kept, object);
    if (this.recent.size <= cacheDefaults.parsedKept) return;
    for (const oldest of this.recent.keys()) {
      this.recent.delete(oldest);
      return;
    }
  }

  private *readEach(kept: Iterable<Kept>): Generator<StoredObject, undefined, undefined> {
    for (const entry of kept) yield this.read(entry);
    return undefined;
  }

  private posting(kept: ReadonlySet<Kept> = new Set()): Posting {
    return {
      size: kept.size,
      has: ({ metadata: { namespace = '', name } }) => {
        const found = this.find(namespace, name);
        return found !== undefined && kept.has(found);
      },
      [Symbol.iterator]: () => this.readEach(kept),
    };
  }
}
