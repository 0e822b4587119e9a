import { isStatusError, internal } from './errors.js';
import type { StatusError } from './errors.js';
import { deepFreeze } from './json.js';
import type { WatchPlan } from './query.js';
import { watchTooOld } from './query.js';
import { storageOf, apiVersionOf } from './registry.js';
import type { Representations } from './represent.js';
import type { Store } from './store.js';
import { SharedEvent } from './watch-event.js';
import type {
  Clock,
  KubeObject,
  Principal,
  Random,
  ResourceDef,
  StoreEvent,
  TimerHandle,
  WatchEvent,
  WatchHandle,
  WatchSink,
} from './types.js';

/** What a watch is about. */
export interface WatchRequest {
  resource: ResourceDef;
  version: string;
  /** Keys the watch sees: `namespace/`, one whole key, or all (empty). */
  prefix: string;
  namespace: string | undefined;
  name: string | undefined;
  principal: Principal;
  /** Selectors, on the object at `version`; undefined = all. */
  matches: ((object: KubeObject) => boolean) | undefined;
  bookmarks: boolean;
  plan: WatchPlan;
  /** Undefined = a random 30 to 60 minutes (QP-6). */
  timeoutMs: number | undefined;
  sink: WatchSink;
}

export interface WatchHubOptions {
  store: Store;
  representations: Representations;
  clock: Clock;
  random: Random;
  /** Time between bookmarks in ms; default 60,000 (QP-8). */
  bookmarkMs?: number;
  /** Lifetime of watches without timeoutSeconds, in ms; default random between 30 and 60 minutes. */
  watchTimeoutMs?: number;
}

/** All open watches. Every stored event reaches them inside the write, in revision order. */
export class WatchHub {
  readonly #options: WatchHubOptions;
  readonly #open = new Map<string, Set<OpenWatch>>();
  #bookmarkMs: number;
  #nextId = 1;

  constructor(options: WatchHubOptions) {
    this.#options = options;
    this.#bookmarkMs = options.bookmarkMs ?? 60_000;
  }

  get watches(): OpenWatch[] {
    return [...this.#open.values()].flatMap((watches) => [...watches]);
  }

  /** Bookmark period of open and new watches (TC-6). */
  setBookmarkPeriod(ms: number): void {
    this.#bookmarkMs = ms;
    for (const watch of this.watches) watch.scheduleBookmark();
  }

  /** Tells the watches of a storage; the server calls it for each stored event, after its own listeners. */
  dispatch(event: StoreEvent): void {
    const watches = this.#open.get(event.storage);
    if (!watches?.size) return;
    const shared = new SharedEvent(event, this.#options.representations);
    for (const watch of watches) watch.accept(shared);
  }

  open(request: WatchRequest): WatchHandle {
    const { store, random } = this.#options;
    const storage = storageOf(request.resource);
    const collection = store.collection(storage);
    store.trim(collection);
    const timeoutMs = request.timeoutMs ?? this.#options.watchTimeoutMs ?? (30 + random.next() * 30) * 60_000;
    const watch = new OpenWatch(this.#nextId++, request, {
      ...this.#options,
      timeoutMs,
      bookmarkMs: () => this.#bookmarkMs,
      closed: (closed) => this.#open.get(storage)?.delete(closed),
    });
    const { plan } = request;
    if (plan.mode === 'from' && plan.revision < collection.floor) {
      watch.fail(watchTooOld(plan.revision, collection.oldest));
      return watch;
    }
    let watches = this.#open.get(storage);
    if (!watches) this.#open.set(storage, (watches = new Set()));
    watches.add(watch);
    if (plan.mode === 'initial') watch.sendInitial(collection.view(request.prefix));
    else if (plan.mode === 'from') {
      for (const event of collection.since(plan.revision))
        watch.accept(new SharedEvent(event, this.#options.representations));
    }
    watch.start();
    return watch;
  }

  /** Ends the watches of one storage, or all: cleanly, or with an error event first. */
  end(storage?: string, error?: StatusError): void {
    for (const [key, watches] of this.#open) {
      if (storage !== undefined && key !== storage) continue;
      for (const watch of watches) {
        if (error) watch.fail(error);
        else watch.close();
      }
    }
  }
}

interface Surroundings {
  store: Store;
  representations: Representations;
  clock: Clock;
  random: Random;
  timeoutMs: number;
  bookmarkMs: () => number;
  closed: (watch: OpenWatch) => void;
}

/** How long before its deadline a watch gets a last bookmark, in ms. */
const LAST_BOOKMARK_MS = 2000;

/** One open watch: filters, converts and hands on events in order; can be held back or cut (TC-4). */
export class OpenWatch implements WatchHandle {
  readonly id: number;
  readonly request: WatchRequest;
  readonly #around: Surroundings;
  /** Events that wait for a conversion or for `release`; undefined while events pass straight through. */
  #lane: (WatchEvent | undefined | Promise<WatchEvent | undefined>)[] | undefined;
  #pumping = false;
  #stalled = false;
  #ended = false;
  /** Events up to this revision are not for this watch. */
  #after: number;
  #bookmarkTimer: TimerHandle | undefined;
  #lastBookmarkTimer: TimerHandle | undefined;
  #deadline: TimerHandle | undefined;

  constructor(id: number, request: WatchRequest, around: Surroundings) {
    this.id = id;
    this.request = request;
    this.#around = around;
    this.#after = request.plan.mode === 'from' ? request.plan.revision : around.store.revision;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  get ended(): boolean {
    return this.#ended;
  }

  accept(shared: SharedEvent): void {
    const { event } = shared;
    if (event.revision <= this.#after) return;
    const { prefix } = this.request;
    if (prefix && !event.key.startsWith(prefix)) return;
    const { name, resource, version, matches } = this.request;
    if (name !== undefined && event.object.metadata.name !== name) return;
    this.#pass(shared.seenBy(resource, version, matches));
  }

  sendInitial(view: { keys: readonly string[]; from: number; to: number; get(key: string): KubeObject }): void {
    const { representations } = this.#around;
    const { resource, version, matches, name } = this.request;
    const added = (object: KubeObject): WatchEvent | undefined =>
      !matches || matches(object) ? { type: 'ADDED', object } : undefined;
    for (let i = view.from; i < view.to && !this.#ended; i++) {
      const stored = view.get(view.keys[i] as string);
      if (name !== undefined && stored.metadata.name !== name) continue;
      const object = representations.at(resource, stored, version);
      this.#pass(object instanceof Promise ? object.then(added) : added(object));
    }
    if (this.request.bookmarks) this.#pass(this.#bookmark({ 'k8s.io/initial-events-end': 'true' }));
  }

  /** Starts the timers of bookmarks and deadline. */
  start(): void {
    if (this.#ended) return;
    const { clock, timeoutMs } = this.#around;
    this.#deadline = clock.after(timeoutMs, () => this.close());
    if (this.request.bookmarks && timeoutMs > LAST_BOOKMARK_MS) {
      this.#lastBookmarkTimer = clock.after(timeoutMs - LAST_BOOKMARK_MS, () => this.#pass(this.#bookmark()));
    }
    this.scheduleBookmark();
  }

  scheduleBookmark(): void {
    this.#bookmarkTimer?.cancel();
    if (!this.request.bookmarks || this.#ended) return;
    const { clock, random, bookmarkMs } = this.#around;
    // Up to 2 s later than the period (never for short periods), so that many watches do not speak at once.
    const spread = bookmarkMs() >= 10_000 ? random.next() * 2000 : 0;
    this.#bookmarkTimer = clock.after(bookmarkMs() + spread, () => {
      this.#pass(this.#bookmark());
      this.scheduleBookmark();
    });
  }

  /** Holds events back until `release`. */
  stall(): void {
    this.#stalled = true;
    this.#lane ??= [];
  }

  release(): void {
    this.#stalled = false;
    void this.#pump();
  }

  /** Sends an ERROR event and ends. */
  fail(error: StatusError): void {
    if (this.#ended) return;
    this.request.sink.event({ type: 'ERROR', object: error.status });
    this.close();
  }

  /** Breaks the connection without an end. */
  reset(): void {
    if (this.#ended) return;
    this.#finish();
    if (this.request.sink.reset) this.request.sink.reset();
    else this.request.sink.end();
  }

  close(): void {
    if (this.#ended) return;
    this.#finish();
    this.request.sink.end();
  }

  #finish(): void {
    this.#ended = true;
    this.#lane = undefined;
    this.#bookmarkTimer?.cancel();
    this.#lastBookmarkTimer?.cancel();
    this.#deadline?.cancel();
    this.#around.closed(this);
  }

  #bookmark(annotations?: Record<string, string>): WatchEvent {
    const { resource, version } = this.request;
    const object: KubeObject = {
      kind: resource.kind,
      apiVersion: apiVersionOf(resource.group, version),
      metadata: { resourceVersion: String(this.#around.store.revision), ...(annotations ? { annotations } : {}) },
    };
    return { type: 'BOOKMARK', object: deepFreeze(object) };
  }

  #pass(event: WatchEvent | undefined | Promise<WatchEvent | undefined>): void {
    // A conversion that fails after the watch has ended is nobody's business any more.
    if (event instanceof Promise) event.catch(() => undefined);
    if (this.#ended || event === undefined) return;
    if (!this.#lane && !(event instanceof Promise)) {
      this.request.sink.event(event);
      return;
    }
    (this.#lane ??= []).push(event);
    if (!this.#stalled) void this.#pump();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#lane?.length && !this.#stalled) {
        const next = await this.#lane[0];
        if (this.#stalled) break;
        void this.#lane?.shift();
        if (next && !this.#ended) this.request.sink.event(next);
      }
      if (!this.#stalled) this.#lane = undefined;
    } catch (error) {
      this.fail(isStatusError(error) ? error : internal(error instanceof Error ? error.message : String(error)));
    } finally {
      this.#pumping = false;
    }
  }
}
