import type { KubeObject, ObjectService, Principal, WatchEvent } from '../core/types.js';

/** Who the server itself is when it reads what it needs for a decision. */
export const SERVER: Principal = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/**
 * All objects of one resource, kept current by a watch through the object service, so that a write counts from the next
 * request on. Opened when first read; opened again when the server ends the watch.
 */
export class Mirror {
  readonly #objects: ObjectService;
  readonly #group: string;
  readonly #plural: string;
  readonly #byKey = new Map<string, KubeObject>();
  #opened: Promise<void> | undefined;
  /** Counts changes, so that derived tables know when to be made again. */
  revision = 0;

  constructor(objects: ObjectService, group: string, plural: string) {
    this.#objects = objects;
    this.#group = group;
    this.#plural = plural;
  }

  /** Resolves when the objects that exist are in. Costs nothing once open. */
  open(): Promise<void> {
    return (this.#opened ??= this.#watch());
  }

  get(name: string, namespace = ''): KubeObject | undefined {
    return this.#byKey.get(`${namespace}/${name}`);
  }

  values(): Iterable<KubeObject> {
    return this.#byKey.values();
  }

  async #watch(): Promise<void> {
    const resource = this.#objects.registry.byResource(this.#group, this.#plural);
    if (!resource)
      throw new Error(
        `the server has no resource ${this.#plural}.${this.#group}, which it needs for its own decisions`,
      );
    const target = { resource, version: resource.storageVersion };
    await this.#objects.watch(
      target,
      { principal: SERVER },
      { event: (e) => this.#apply(e), end: () => this.#close() },
    );
  }

  #apply(event: WatchEvent): void {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return;
    const object = event.object as KubeObject;
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    if (event.type === 'DELETED') this.#byKey.delete(key);
    else this.#byKey.set(key, object);
    this.revision++;
  }

  #close(): void {
    this.#byKey.clear();
    this.#opened = undefined;
    this.revision++;
  }
}
