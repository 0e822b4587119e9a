import type { StoredObject } from '@kubewright/api';

/** What a store knows of an object without reading it. */
export interface StoredEntry {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

/** Objects under one index value. */
export type Posting = Pick<ReadonlySet<StoredObject>, 'size' | 'has' | typeof Symbol.iterator>;

/** What a store can do (R35). Namespace is `''` for cluster-scoped objects. */
export interface Store {
  get(namespace: string, name: string): StoredObject | undefined;
  entry(namespace: string, name: string): StoredEntry | undefined;
  /** All objects, or those of one namespace. */
  list(namespace?: string): Iterable<StoredObject>;
  entries(): Iterable<StoredEntry>;
  /** The object of an entry of this store, or of one it took the place of. */
  read(entry: StoredEntry): StoredObject;
  /** Objects with that index value; undefined when no such index is declared. */
  byIndex(index: string, value: string): Posting | undefined;
  /** `cold`: nobody is expected to read it soon. */
  upsert(object: StoredObject, cold?: boolean): void;
  /** Takes over an entry of the store that this one will replace. */
  adopt(entry: StoredEntry): void;
  /** False when there was nothing. */
  delete(namespace: string, name: string): boolean;
  /** Declares an index and fills it in one pass. */
  addIndex(name: string, values: (object: StoredObject) => string[]): void;
  /** `successor` has taken its place; what that did not adopt may go. */
  retire(successor: Store): void;
  readonly size: number;
  /** Bytes kept outside of the JavaScript heap. */
  readonly bytes: number;
}
