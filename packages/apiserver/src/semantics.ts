import { ControllableClock } from './core/clock.js';
import type { Core } from './core/core.js';
import { failure } from './core/errors.js';
import { GarbageCollector } from './core/gc.js';
import { NamespaceController } from './core/namespace-controller.js';
import { systemRandom } from './core/random.js';
import { ResourceRegistry, storageOf } from './core/registry.js';
import { Representations } from './core/represent.js';
import { CoreObjectService } from './core/service.js';
import { Store } from './core/store.js';
import type { StoreSnapshot } from './core/store.js';
import { WatchHub } from './core/watch.js';
import { applyPort } from './apply/port.js';
import { patchPort } from './patch/port.js';
import type {
  AdmissionPort,
  Clock,
  KubeObject,
  ObjectService,
  Random,
  Registry,
  Semantics,
  Settleable,
  StoreEvent,
} from './core/types.js';

export interface SemanticsOptions {
  /** Default: the system clock, which tests can stop and move. */
  clock?: Clock;
  /** Default: chance of the system. */
  random?: Random;
  /** Events kept per resource; default 10,000. */
  historyEvents?: number;
  /** How long events are kept, in ms; default 5 minutes. */
  historyMs?: number;
  /** Revision to count from; default 1. */
  firstRevision?: number;
  /** Time between bookmarks, in ms; default 60,000. */
  bookmarkMs?: number;
  /** Lifetime of watches that ask for none, in ms; default random between 30 and 60 minutes. */
  watchTimeoutMs?: number;
  /** Delay before garbage collection and namespace deletion act, in ms; default 0. */
  gcDelayMs?: number;
}

/** How long `settle` waits, in ms. */
const SETTLE_MS = 10_000;

/** Object semantics without HTTP: registry, store, pipelines, watches, namespace controller and garbage collector. */
export class ObjectSemantics implements Semantics {
  readonly objects: ObjectService;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly core: Core;
  readonly #gc: GarbageCollector;
  readonly #namespaces: NamespaceController;
  readonly #settleables = new Set<Settleable>();

  constructor(options: SemanticsOptions = {}) {
    const clock = options.clock ?? new ControllableClock();
    const random = options.random ?? systemRandom();
    const { historyEvents, historyMs, firstRevision, bookmarkMs, watchTimeoutMs, gcDelayMs = 0 } = options;
    const store = new Store({
      clock,
      ...(historyEvents === undefined ? {} : { historyEvents }),
      ...(historyMs === undefined ? {} : { historyMs }),
      ...(firstRevision === undefined ? {} : { firstRevision }),
    });
    const registry = new ResourceRegistry();
    const representations = new Representations();
    const hub = new WatchHub({
      store,
      representations,
      clock,
      random,
      ...(bookmarkMs === undefined ? {} : { bookmarkMs }),
      ...(watchTimeoutMs === undefined ? {} : { watchTimeoutMs }),
    });
    this.clock = clock;
    this.random = random;
    this.registry = registry;
    this.core = {
      store,
      registry,
      representations,
      hub,
      clock,
      random,
      patches: patchPort,
      applies: applyPort,
      admission: undefined,
      beforeWrite: undefined,
    };
    this.objects = new CoreObjectService(this.core);
    const delayMs = (): number => gcDelayMs;
    this.#gc = new GarbageCollector({ core: this.core, objects: this.objects, delayMs });
    this.#namespaces = new NamespaceController({ core: this.core, objects: this.objects, delayMs });
    this.track(this.#gc.loop);
    this.track(this.#namespaces.loop);
    store.onStored((event) => hub.dispatch(event));
    registry.onChange(({ previous, current }) => {
      if (!previous) {
        // The history window of a resource begins where it is defined (WA-3).
        if (current) store.collection(storageOf(current));
        return;
      }
      hub.end(storageOf(previous));
      if (!current && previous.storage === undefined) store.retire(storageOf(previous));
    });
  }

  /** Webhooks; undefined = none. */
  set admission(port: AdmissionPort | undefined) {
    this.core.admission = port;
  }

  subscribe(storage: string, listener: (event: StoreEvent) => void): () => void {
    return this.core.store.listen(storage, listener);
  }

  stored(storage: string): readonly KubeObject[] {
    return this.core.store.collection(storage).values();
  }

  track(controller: Settleable): () => void {
    this.#settleables.add(controller);
    return () => this.#settleables.delete(controller);
  }

  /** Runs what waits for `gcDelayMs` now, and waits for it. */
  async flush(): Promise<void> {
    this.#gc.loop.flush();
    this.#namespaces.loop.flush();
    await this.settle();
  }

  async settle(options: { maxMs?: number } = {}): Promise<void> {
    const deadline = performance.now() + (options.maxMs ?? SETTLE_MS);
    for (;;) {
      // Work may hand over to other work; idle counts only when it still holds one turn of the event loop later.
      if (this.#busy().length === 0) {
        await nextTurn();
        if (this.#busy().length === 0) return;
      }
      if (performance.now() > deadline) {
        throw new Error(
          `controllers did not settle in ${options.maxMs ?? SETTLE_MS} ms; still busy: ${this.#busy().join(', ')}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  /** All objects as they are now (TC-9). */
  snapshot(): StoreSnapshot {
    return this.core.store.snapshot();
  }

  /**
   * Puts a snapshot back; open watches end with 410 so that caches list again. `between` brings parts up to date that decide
   * which resources there are; the controllers of the core look at everything anew after it.
   */
  restore(snapshot: StoreSnapshot, between?: () => void): void {
    this.core.hub.end(undefined, failure(410, 'Expired', 'the state of the server was replaced; list again'));
    this.core.store.restore(snapshot);
    between?.();
    this.#gc.rebuild();
    this.#namespaces.rebuild();
  }

  close(): void {
    this.#gc.close();
    this.#namespaces.close();
    this.core.hub.end();
    if (this.clock instanceof ControllableClock) this.clock.close();
  }

  #busy(): string[] {
    return [...this.#settleables].filter((controller) => !controller.idle()).map((controller) => controller.name);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Assembles the object core; resources are added to its registry by the caller. */
export function createObjectService(options: SemanticsOptions = {}): ObjectSemantics {
  return new ObjectSemantics(options);
}
