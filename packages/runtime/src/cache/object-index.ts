import type { StoredObject } from '@kubewright/api';

/** Name of the built-in index by the uid of each owner; user indexes cannot take it. */
export const OWNER_INDEX = '(owner uid)';

/** The uids of an object's owners. */
export const ownerUids = (object: StoredObject): string[] =>
  object.metadata.ownerReferences?.map((owner) => owner.uid) ?? [];

/** Told of an index function that throws; the object is then in no index of that name (R22). */
export type OnIndexFailure = (object: StoredObject, error: unknown) => void;

/** Exact-match index from values of objects to what the store keeps for them (R29). */
export class ObjectIndex<Kept> {
  readonly postings: Map<string, Set<Kept>> = new Map();

  constructor(private readonly values: (object: StoredObject) => string[]) {}

  add(kept: Kept, object: StoredObject, onFailure: OnIndexFailure): void {
    try {
      for (const value of this.values(object)) {
        const posting = this.postings.get(value);
        if (posting) posting.add(kept);
        else this.postings.set(value, new Set([kept]));
      }
    } catch (error) {
      onFailure(object, error);
    }
  }

  remove(kept: Kept, object: StoredObject): void {
    let values: string[];
    try {
      values = this.values(object);
    } catch {
      // It threw when the object came, too, so nothing, or only a part, was posted; look everywhere.
      values = [...this.postings.keys()];
    }
    for (const value of values) {
      const posting = this.postings.get(value);
      if (posting?.delete(kept) && posting.size === 0) this.postings.delete(value);
    }
  }
}
