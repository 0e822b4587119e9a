import type { Core } from './core.js';
import { OwnerIndex } from './owner-index.js';
import { ownerWarning } from './owner-warning.js';
import type { ItemRef } from './owner-index.js';
import { keyOf, parseApiVersion, storageOf } from './registry.js';
import { unlessGone } from './unless-gone.js';
import { WorkLoop } from './work-loop.js';
import type {
  CallOptions,
  JsonObject,
  KubeObject,
  ObjectService,
  OwnerReference,
  ResourceDef,
  StoreEvent,
  Target,
} from './types.js';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const CALL: CallOptions = {
  principal: {
    name: 'system:serviceaccount:kube-system:generic-garbage-collector',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated', 'system:masters'],
  },
  fieldManager: 'kube-controller-manager',
};

type OwnerState = 'solid' | 'dangling' | 'waiting';

export interface GarbageCollectorOptions {
  core: Core;
  objects: ObjectService;
  /** How long dependents wait, in ms. */
  delayMs: () => number;
}

/** Deletes objects whose owners are gone, and carries out foreground and orphan deletion (GC-1 … GC-5). */
export class GarbageCollector {
  readonly loop: WorkLoop;
  readonly #core: Core;
  readonly #objects: ObjectService;
  readonly #index = new OwnerIndex();
  readonly #stop: () => void;

  constructor(options: GarbageCollectorOptions) {
    this.#core = options.core;
    this.#objects = options.objects;
    this.loop = new WorkLoop({
      name: 'garbage-collector',
      clock: options.core.clock,
      delayMs: options.delayMs,
      work: (id) => this.#work(OwnerIndex.parse(id)),
    });
    this.#stop = this.#core.store.listen('*', (event) => this.#hear(event));
  }

  /** Reads all objects anew, after the store was replaced. */
  rebuild(): void {
    this.#index.clear();
    for (const collection of this.#core.store.collections) {
      const { storage } = collection;
      for (const object of collection.values()) {
        const { namespace, name = '' } = object.metadata;
        const key = namespace ? `${namespace}/${name}` : name;
        this.#hear({ revision: 0, type: 'ADDED', storage, key, object, previous: undefined });
      }
    }
  }

  close(): void {
    this.#stop();
    this.loop.close();
  }

  #hear(event: StoreEvent): void {
    const { object, previous, storage, key } = event;
    const { metadata } = object;
    const before = previous?.metadata.ownerReferences;
    const after = event.type === 'DELETED' ? undefined : metadata.ownerReferences;
    if (before || after) {
      const changed = this.#index.set({ storage, key }, before, after);
      // An owner in foreground deletion may have waited for this object.
      if (changed) for (const owner of before ?? []) this.#wake(owner, metadata.namespace);
      if (after?.length && changed) this.#examine(object, { storage, key });
    }
    if (event.type === 'DELETED') {
      for (const dependent of this.#index.dependents(metadata.uid as string)) this.#add(dependent);
    } else if (
      metadata.deletionTimestamp &&
      (metadata.finalizers?.includes(ORPHAN) || metadata.finalizers?.includes(FOREGROUND))
    ) {
      this.#add({ storage, key });
    }
  }

  /** New owners: queues the object if one is missing, and tells of those that cannot be owners. */
  #examine(object: KubeObject, item: ItemRef): void {
    let dangling = false;
    for (const owner of object.metadata.ownerReferences ?? []) {
      if (this.#state(owner, object) !== 'solid') dangling = true;
      if (this.#misplaced(owner, object)) void this.#warn(object, owner);
    }
    if (dangling) this.#add(item);
  }

  /** A namespaced owner that a cluster-scoped object names, or that lives in another namespace (GC-4). */
  #misplaced(owner: OwnerReference, dependent: KubeObject): boolean {
    const { namespace } = dependent.metadata;
    const found = this.#find(owner, namespace);
    if (!found?.resource.namespaced) return false;
    if (!namespace) return true;
    if (found.object) return false;
    return this.#core.store
      .collection(found.storage)
      .values()
      .some((other) => other.metadata.uid === owner.uid);
  }

  async #warn(dependent: KubeObject, owner: OwnerReference): Promise<void> {
    const { registry, clock, random } = this.#core;
    const resource = registry.byResource('', 'events');
    if (!resource) return;
    const value = ownerWarning(dependent, owner, { now: clock.now(), suffix: random.suffix(16) });
    const target: Target = { resource, version: 'v1', namespace: dependent.metadata.namespace ?? 'default' };
    // The namespace may be terminating or missing: then there is no place to tell it.
    await this.#objects.create(target, { value, owned: true }, CALL).catch(() => undefined);
  }

  #add(item: ItemRef): void {
    this.loop.add(OwnerIndex.format(item));
  }

  #wake(owner: OwnerReference, namespace: string | undefined): void {
    const found = this.#find(owner, namespace);
    if (found?.object?.metadata.finalizers?.includes(FOREGROUND)) this.#add(found);
  }

  /** The place of an owner and what is there; undefined for a kind nobody serves. */
  #find(
    owner: OwnerReference,
    namespace: string | undefined,
  ): (ItemRef & { object: KubeObject | undefined; resource: ResourceDef }) | undefined {
    const resource = this.#core.registry.byKind(parseApiVersion(owner.apiVersion).group, owner.kind);
    if (!resource) return undefined;
    const storage = storageOf(resource);
    const key = keyOf(resource, namespace, owner.name);
    return { storage, key, resource, object: this.#core.store.get(storage, key) };
  }

  #state(owner: OwnerReference, dependent: KubeObject): OwnerState {
    const { namespace } = dependent.metadata;
    const found = this.#find(owner, namespace);
    // An unknown kind, or a namespaced owner of a cluster-scoped object (GC-4): nobody can tell that the owner is gone.
    if (!found || (found.resource.namespaced && !namespace)) return 'solid';
    const metadata = found.object?.metadata;
    if (!metadata || metadata.uid !== owner.uid) return 'dangling';
    return metadata.deletionTimestamp && metadata.finalizers?.includes(FOREGROUND) ? 'waiting' : 'solid';
  }

  async #work(item: ItemRef): Promise<void> {
    const object = this.#core.store.get(item.storage, item.key);
    const target = object && this.#target(object);
    if (!object || !target) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp) {
      if (finalizers.includes(ORPHAN)) await this.#orphan(object, target);
      else if (finalizers.includes(FOREGROUND)) await this.#foreground(object, target);
      return;
    }
    await this.#collect(object, target);
  }

  #target(object: KubeObject): Target | undefined {
    const resource = this.#core.registry.byKind(parseApiVersion(object.apiVersion).group, object.kind);
    const { name, namespace } = object.metadata;
    return resource && { resource, version: resource.storageVersion, name, namespace };
  }

  /** GC-2 */
  async #collect(object: KubeObject, target: Target): Promise<void> {
    const owners = object.metadata.ownerReferences ?? [];
    const states = owners.map((owner) => this.#state(owner, object));
    if (states.every((state) => state === 'solid')) return;
    if (states.includes('solid')) {
      const solid = owners.filter((_, index) => states[index] === 'solid');
      await this.#patch(object, target, { ownerReferences: solid as unknown as JsonObject[] });
      return;
    }
    const { uid, finalizers } = object.metadata;
    const foreground = states.includes('waiting') && this.#index.dependents(uid as string).length > 0;
    if (foreground) await this.#unblock(object, target);
    const own = finalizers?.includes(ORPHAN)
      ? 'Orphan'
      : finalizers?.includes(FOREGROUND)
        ? 'Foreground'
        : 'Background';
    await this.#delete(target, uid, foreground ? 'Foreground' : own);
  }

  /** Owners in a circle would wait for each other for ever, so one that closes it no longer holds up its own owners. */
  async #unblock(object: KubeObject, target: Target): Promise<void> {
    const circle = this.#dependentsOf(object.metadata.uid as string).some(
      ({ object: { metadata } }) => metadata.deletionTimestamp && metadata.finalizers?.includes(FOREGROUND),
    );
    if (!circle) return;
    const owners = (object.metadata.ownerReferences ?? []).map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    await this.#patch(object, target, { ownerReferences: owners as unknown as JsonObject[] });
  }

  /** GC-3: the owner stays until no dependent that blocks it is left. */
  async #foreground(object: KubeObject, target: Target): Promise<void> {
    const uid = object.metadata.uid as string;
    const blocking = this.#dependentsOf(uid).filter(({ owner }) => owner.blockOwnerDeletion);
    if (!blocking.length) {
      await this.#removeFinalizer(object, target, FOREGROUND);
      return;
    }
    for (const { object: dependent } of blocking) {
      const dependentTarget = this.#target(dependent);
      if (dependentTarget && !dependent.metadata.deletionTimestamp) await this.#collect(dependent, dependentTarget);
    }
  }

  /** GC-3: the dependents lose their reference, then the owner its finalizer. */
  async #orphan(object: KubeObject, target: Target): Promise<void> {
    const uid = object.metadata.uid as string;
    for (const { object: dependent } of this.#dependentsOf(uid)) {
      const dependentTarget = this.#target(dependent);
      if (!dependentTarget) continue;
      const others = (dependent.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
      await this.#patch(dependent, dependentTarget, {
        ownerReferences: others.length ? (others as unknown as JsonObject[]) : null,
      });
    }
    await this.#removeFinalizer(object, target, ORPHAN);
  }

  #dependentsOf(uid: string): { object: KubeObject; owner: OwnerReference }[] {
    return this.#index.dependents(uid).flatMap(({ storage, key }) => {
      const object = this.#core.store.get(storage, key);
      const owner = object?.metadata.ownerReferences?.find((reference) => reference.uid === uid);
      return object && owner ? [{ object, owner }] : [];
    });
  }

  async #removeFinalizer(object: KubeObject, target: Target, finalizer: string): Promise<void> {
    const left = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    await this.#patch(object, target, { finalizers: left.length ? left : null });
  }

  async #patch(object: KubeObject, target: Target, metadata: JsonObject): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    const value = { metadata: { ...metadata, uid: uid as string, resourceVersion: resourceVersion as string } };
    await unlessGone(this.#objects.patch(target, { type: 'merge', body: { value } }, CALL));
  }

  async #delete(
    target: Target,
    uid: string | undefined,
    propagationPolicy: 'Orphan' | 'Foreground' | 'Background',
  ): Promise<void> {
    await unlessGone(this.#objects.delete(target, { ...CALL, propagationPolicy, preconditions: { uid } }));
  }
}
