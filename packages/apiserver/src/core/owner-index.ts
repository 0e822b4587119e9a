import type { OwnerReference } from './types.js';

/** Where an object is stored. */
export interface ItemRef {
  storage: string;
  key: string;
}

/** Which objects name which owner, by the owner's uid. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Set<string>>();

  static format(item: ItemRef): string {
    return `${item.storage} ${item.key}`;
  }

  static parse(id: string): ItemRef {
    const space = id.indexOf(' ');
    return { storage: id.slice(0, space), key: id.slice(space + 1) };
  }

  /** Notes the owners of an object; answers whether anything about them changed. */
  set(
    item: ItemRef,
    before: readonly OwnerReference[] | undefined,
    after: readonly OwnerReference[] | undefined,
  ): boolean {
    const id = OwnerIndex.format(item);
    let changed = before?.length !== after?.length;
    for (const owner of before ?? []) {
      if (after?.some((other) => other.uid === owner.uid && other.blockOwnerDeletion === owner.blockOwnerDeletion))
        continue;
      changed = true;
      if (after?.some((other) => other.uid === owner.uid)) continue;
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(id);
      if (!dependents?.size) this.#dependents.delete(owner.uid);
    }
    for (const owner of after ?? []) {
      let dependents = this.#dependents.get(owner.uid);
      if (!dependents) this.#dependents.set(owner.uid, (dependents = new Set()));
      if (!dependents.has(id)) changed = true;
      dependents.add(id);
    }
    return changed;
  }

  dependents(uid: string): ItemRef[] {
    return [...(this.#dependents.get(uid) ?? [])].map((id) => OwnerIndex.parse(id));
  }

  clear(): void {
    this.#dependents.clear();
  }
}
