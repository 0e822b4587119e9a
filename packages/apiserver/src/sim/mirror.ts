import type { KubeObject, Semantics, StoreEvent } from '../core/types.js';

/** Key of an object in its storage. */
export const keyOfObject = ({ metadata }: KubeObject): string =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '');

type Listener<T> = (object: T, event: StoreEvent | undefined) => void;

function put(index: Map<string, Set<string>>, value: string | undefined, key: string): void {
  if (value === undefined) return;
  const keys = index.get(value);
  if (keys) keys.add(key);
  else index.set(value, new Set([key]));
}

function take(index: Map<string, Set<string>>, value: string | undefined, key: string): void {
  const keys = value === undefined ? undefined : index.get(value);
  if (!keys?.delete(key) || keys.size) return;
  index.delete(value as string);
}

/** Index of objects without a controller, by namespace. */
const orphanKey = (namespace: string | undefined): string => `none/${namespace ?? ''}`;

const controllerUid = ({ metadata }: KubeObject): string =>
  metadata.ownerReferences?.find((owner) => owner.controller)?.uid ?? orphanKey(metadata.namespace);

/** The stored objects of one kind, by key, by controller and by namespace. Follows the store in the same step, so it is never behind. */
export class Mirror<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #byController = new Map<string, Set<string>>();
  readonly #byNamespace = new Map<string, Set<string>>();
  readonly #listeners = new Set<Listener<T>>();
  readonly #semantics: Semantics;
  readonly #storage: string;
  readonly #unsubscribe: () => void;

  constructor(semantics: Semantics, storage: string) {
    this.#semantics = semantics;
    this.#storage = storage;
    this.#unsubscribe = semantics.subscribe(storage, (event) => this.#apply(event));
    this.rebuild();
  }

  /** Reads everything again, after the store was replaced. */
  rebuild(): void {
    this.#objects.clear();
    this.#byController.clear();
    this.#byNamespace.clear();
    for (const object of this.#semantics.stored(this.#storage)) this.#set(keyOfObject(object), object as T);
    for (const object of this.#objects.values()) this.#tell(object, undefined);
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Objects whose controller has that uid. */
  controlledBy(uid: string | undefined): T[] {
    return this.#pick(uid === undefined ? undefined : this.#byController.get(uid));
  }

  /** Objects of a namespace that have no controller. */
  orphans(namespace: string | undefined): T[] {
    return this.#pick(this.#byController.get(orphanKey(namespace)));
  }

  in(namespace: string | undefined): T[] {
    return this.#pick(namespace === undefined ? undefined : this.#byNamespace.get(namespace));
  }

  #pick(keys: ReadonlySet<string> | undefined): T[] {
    const found: T[] = [];
    for (const key of keys ?? []) {
      const object = this.#objects.get(key);
      if (object) found.push(object);
    }
    return found;
  }

  /** Hears each change, and now each object that exists. */
  each(listener: Listener<T>): void {
    this.#listeners.add(listener);
    for (const object of this.#objects.values()) listener(object, undefined);
  }

  close(): void {
    this.#unsubscribe();
    this.#listeners.clear();
  }

  #apply(event: StoreEvent): void {
    const object = event.object as T;
    if (event.type === 'DELETED') this.#remove(event.key);
    else this.#set(event.key, object);
    this.#tell(object, event);
  }

  #tell(object: T, event: StoreEvent | undefined): void {
    for (const listener of this.#listeners) listener(object, event);
  }

  #set(key: string, object: T): void {
    const known = this.#objects.get(key);
    const controller = controllerUid(object);
    if (known && controllerUid(known) !== controller) take(this.#byController, controllerUid(known), key);
    this.#objects.set(key, object);
    put(this.#byController, controller, key);
    put(this.#byNamespace, object.metadata.namespace, key);
  }

  #remove(key: string): void {
    const known = this.#objects.get(key);
    if (!known) return;
    this.#objects.delete(key);
    take(this.#byController, controllerUid(known), key);
    take(this.#byNamespace, known.metadata.namespace, key);
  }
}
