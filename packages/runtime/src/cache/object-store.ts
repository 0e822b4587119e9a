import type { StoredObject } from '@kubewright/api';
import type { Indexers } from './contract.js';
import { ObjectIndex, type OnIndexFailure, OWNER_INDEX, ownerUids } from './object-index.js';
import type { Posting, Store, StoredEntry } from './store.js';

const NONE: Posting = new Set<StoredObject>();

/** Parsed objects by namespace and name, with exact-match indexes (R29). Its entries are the objects. */
export class ObjectStore implements Store {
  readonly bytes = 0;
  private readonly namespaces = new Map<string, Map<string, StoredObject>>();
  private readonly indexes = new Map<string, ObjectIndex<StoredObject>>();
  private count = 0;

  constructor(
    indexers: Indexers = {},
    private readonly onIndexFailure: OnIndexFailure = () => {},
  ) {
    this.indexes.set(OWNER_INDEX, new ObjectIndex(ownerUids));
    for (const [name, values] of Object.entries(indexers)) this.indexes.set(name, new ObjectIndex(values));
  }

  get size(): number {
    return this.count;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.namespaces.get(namespace)?.get(name);
  }

  entry(namespace: string, name: string): StoredEntry | undefined {
    return this.get(namespace, name);
  }

  *list(namespace?: string): IterableIterator<StoredObject> {
    if (namespace !== undefined) yield* this.namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.namespaces.values()) yield* objects.values();
  }

  entries(): Iterable<StoredEntry> {
    return this.list();
  }

  read(entry: StoredEntry): StoredObject {
    return entry as StoredObject;
  }

  byIndex(index: string, value: string): Posting | undefined {
    const found = this.indexes.get(index);
    return found && (found.postings.get(value) ?? NONE);
  }

  upsert(object: StoredObject): void {
    const { namespace = '', name } = object.metadata;
    let objects = this.namespaces.get(namespace);
    if (!objects) this.namespaces.set(namespace, (objects = new Map()));
    const old = objects.get(name);
    if (old === object) return;
    objects.set(name, object);
    if (!old) this.count++;
    for (const index of this.indexes.values()) {
      if (old) index.remove(old, old);
      index.add(object, object, this.onIndexFailure);
    }
  }

  adopt(entry: StoredEntry): void {
    this.upsert(entry as StoredObject);
  }

  delete(namespace: string, name: string): boolean {
    const objects = this.namespaces.get(namespace);
    const old = objects?.get(name);
    if (!objects || !old) return false;
    objects.delete(name);
    if (objects.size === 0) this.namespaces.delete(namespace);
    this.count--;
    for (const index of this.indexes.values()) index.remove(old, old);
    return true;
  }

  addIndex(name: string, values: (object: StoredObject) => string[]): void {
    const index = new ObjectIndex<StoredObject>(values);
    for (const object of this.list()) index.add(object, object, this.onIndexFailure);
    this.indexes.set(name, index);
  }

  retire(): void {
    // The collector sees what nobody holds.
  }
}
