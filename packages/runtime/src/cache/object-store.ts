import type { StoredObject } from '@kubewright/api';
import type { Indexers } from './contract.js';

/** What a store can do (R35). Namespace is `''` for cluster-scoped objects. */
export interface Store {
  get(namespace: string, name: string): StoredObject | undefined;
  /** All objects, or those of one namespace. */
  list(namespace?: string): Iterable<StoredObject>;
  /** Objects with that index value; undefined when no such index is declared. */
  byIndex(index: string, value: string): ReadonlySet<StoredObject> | undefined;
  upsert(object: StoredObject): void;
  delete(namespace: string, name: string): StoredObject | undefined;
  readonly size: number;
}

/** Name of the built-in index by the uid of each owner; user indexes cannot take it. */
export const OWNER_INDEX = '(owner uid)';

const NONE: ReadonlySet<StoredObject> = new Set();
const ownerUids = (object: StoredObject): string[] => object.metadata.ownerReferences?.map((owner) => owner.uid) ?? [];

/** Parsed objects by namespace and name, with exact-match indexes (R29). */
export class ObjectStore implements Store {
  private readonly namespaces = new Map<string, Map<string, StoredObject>>();
  private readonly indexes = new Map<string, Index>();
  private count = 0;

  /** `onIndexFailure` is told of an index function that throws; the object is then in no index of that name (R22). */
  constructor(
    indexers: Indexers = {},
    private readonly onIndexFailure: (object: StoredObject, error: unknown) => void = () => {},
  ) {
    this.indexes.set(OWNER_INDEX, new Index(ownerUids));
    for (const [name, values] of Object.entries(indexers)) this.indexes.set(name, new Index(values));
  }

  get size(): number {
    return this.count;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.namespaces.get(namespace)?.get(name);
  }

  *list(namespace?: string): IterableIterator<StoredObject> {
    if (namespace !== undefined) yield* this.namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.namespaces.values()) yield* objects.values();
  }

  byIndex(index: string, value: string): ReadonlySet<StoredObject> | undefined {
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
      if (old) index.remove(old);
      index.add(object, this.onIndexFailure);
    }
  }

  delete(namespace: string, name: string): StoredObject | undefined {
    const objects = this.namespaces.get(namespace);
    const old = objects?.get(name);
    if (!objects || !old) return undefined;
    objects.delete(name);
    if (objects.size === 0) this.namespaces.delete(namespace);
    this.count--;
    for (const index of this.indexes.values()) index.remove(old);
    return old;
  }

  /** Declares an index and fills it in one pass. */
  addIndex(name: string, values: (object: StoredObject) => string[]): void {
    const index = new Index(values);
    for (const object of this.list()) index.add(object, this.onIndexFailure);
    this.indexes.set(name, index);
  }
}

class Index {
  readonly postings = new Map<string, Set<StoredObject>>();

  constructor(private readonly values: (object: StoredObject) => string[]) {}

  add(object: StoredObject, onFailure: (object: StoredObject, error: unknown) => void): void {
    try {
      for (const value of this.values(object)) {
        const posting = this.postings.get(value);
        if (posting) posting.add(object);
        else this.postings.set(value, new Set([object]));
      }
    } catch (error) {
      onFailure(object, error);
    }
  }

  remove(object: StoredObject): void {
    let values: string[];
    try {
      values = this.values(object);
    } catch {
      // It threw when the object came, too, so nothing, or only a part, was posted; look everywhere.
      values = [...this.postings.keys()];
    }
    for (const value of values) {
      const posting = this.postings.get(value);
      if (posting?.delete(object) && posting.size === 0) this.postings.delete(value);
    }
  }
}
