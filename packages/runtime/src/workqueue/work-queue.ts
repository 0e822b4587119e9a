import { type Clock, type Request, requestKey } from '@kubewright/api';
import { Backoff } from './backoff.js';
import { bucket } from './bucket.js';
import { type CauseRecord, pushCause } from './cause-record.js';
import type { AddOptions, CoalesceOptions, QueueSnapshot, WorkItem } from './contract.js';
import { PRIORITY_LIMIT, QUEUE_DEFAULTS } from './defaults.js';
import { DelayLine } from './delay-line.js';
import { Entry } from './entry.js';
import { itemExponential } from './item-exponential.js';
import { maxOf } from './max-of.js';
import type { RateLimiter } from './rate-limiter.js';
import { ReadyLanes } from './ready-lanes.js';

/** Options of a {@link WorkQueue}. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  /** [0, 1); for jitter only. */
  readonly random: () => number;
  /** Default: the longer of `itemExponential(5 ms, 1000 s)` and `bucket(10/s, 100)` (Q13). */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Share of a rate-limited delay that chance may take off, 0…1. Default 0.2; 0 makes all delays exact. */
  readonly jitter?: number | undefined;
  /** Ms after which a ready key moves up one level. Default 30 s; 0: never, so low levels can starve. */
  readonly promoteAfter?: number | undefined;
  /** Default: off, every add is due at once. */
  readonly coalesce?: CoalesceOptions | undefined;
  /** Told of a rate limiter that throws. Default: nobody. */
  readonly onLimiterError?: ((error: unknown) => void) | undefined;
}

const NO_OPTIONS: AddOptions = {};
const NO_CAUSES: readonly CauseRecord[] = [];

interface Waiter {
  resolve(item: WorkItem | undefined): void;
}

/**
 * The deduplication layer, on top of the layers for delay, rate limit and priority. Guarantees: a key is with at most
 * one worker (Q1); a waiting key is one entry however often it was added (Q2, Q8); a key added while it is processed is
 * handed out once more after `done` (Q3); every add is followed by a hand-out that begins after it (Q4). A quiet key
 * takes no memory (Q21).
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #coalesce: CoalesceOptions | undefined;
  readonly #lanes: ReadyLanes;
  readonly #delays: DelayLine;
  /** Every key that is ready, delayed, resting or in processing. */
  readonly #entries = new Map<string, Entry>();
  readonly #waiters = new Set<Waiter>();
  #processing = 0;
  #held = 0;
  #strayDone = 0;
  #paused = false;
  #stopped = false;
  #idleWaiters: (() => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#coalesce = options.coalesce;
    this.#lanes = new ReadyLanes(options.promoteAfter ?? QUEUE_DEFAULTS.promoteAfter);
    this.#delays = new DelayLine(options.clock, this.#onDue);
    this.#backoff = new Backoff({
      limiter: options.rateLimiter ?? defaultRateLimiter(),
      jitter: options.jitter ?? QUEUE_DEFAULTS.jitter,
      random: options.random,
      onError: options.onLimiterError,
    });
  }

  /** Keys that are ready, and keys that are held because they are in processing (Q7). */
  get length(): number {
    return this.#lanes.size + this.#held;
  }

  /** Keys that could be handed out now. */
  get ready(): number {
    return this.#lanes.size;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether something is to be done for the key, now or later, or is being done. */
  has(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && (entry.wanted || entry.place === 'processing');
  }

  /** The delay in ms that this add asks for, before merging with earlier ones; undefined once stopped. */
  add(request: Request, options: AddOptions = NO_OPTIONS): number | undefined {
    if (this.#stopped) return undefined;
    const key = requestKey(request);
    const { priority = 0, cause, urgent = false } = options;
    checkPriority(priority);
    const now = this.#clock.monotonic();
    const after = urgent ? 0 : this.#delayOf(key, options, now);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = new Entry(key, request);
      this.#entries.set(key, entry);
    }
    entry.priority = entry.wanted ? Math.max(entry.priority, priority) : priority;
    if (cause !== undefined) {
      // Most hand-outs have one cause: a list made for one takes a fifth of the memory of one that grows.
      if (entry.causes === undefined) entry.causes = [cause];
      else if (pushCause(entry.causes, cause)) entry.causesDropped += 1;
    }
    if (urgent) {
      entry.urgent = true;
      entry.floorAt = 0;
    }
    const merges = this.#coalesce !== undefined && after === 0 && !urgent && options.rateLimited !== true;
    if (merges) this.#merge(entry, now);
    if (entry.place === 'processing') {
      this.#hold(entry, merges ? Infinity : after);
    } else {
      entry.wanted = true;
      this.#wait(entry, merges ? Infinity : now + after, now);
    }
    return after;
  }

  /** Nothing is handed out until {@link resume}; adds are taken as ever (C26). */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    while (this.#waiters.size > 0 && this.#lanes.size > 0) this.#serve();
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Takes the next key; undefined when none is ready. */
  tryGet(): WorkItem | undefined {
    if (this.#paused) return undefined;
    const now = this.#clock.monotonic();
    const entry = this.#lanes.shift(now);
    return entry === undefined ? undefined : this.#handOut(entry, now);
  }

  /** Waits for the next key; undefined when the queue stopped. An aborted get rejects and takes nothing (Q19). */
  get(signal?: AbortSignal): Promise<WorkItem | undefined> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const item = this.tryGet();
    if (item !== undefined || this.#stopped) return Promise.resolve(item);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (next) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(next);
        },
      };
      const onAbort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** The key is free again. `floor`: ms before which it is not handed out, whatever is added. */
  done(key: string, options?: { readonly floor?: number }): void {
    const entry = this.#entries.get(key);
    if (entry?.place !== 'processing') {
      this.#strayDone += 1;
      return;
    }
    this.#processing -= 1;
    entry.place = 'new';
    const floor = entry.urgent ? 0 : (options?.floor ?? 0);
    if (this.#stopped || (!entry.wanted && floor <= 0)) {
      this.#drop(entry);
      if (this.#stopped) this.#settleStop();
      return;
    }
    const now = this.#clock.monotonic();
    if (isHeld(entry)) this.#held -= 1;
    if (floor > 0) entry.floorAt = now + floor;
    const due = now + entry.dueAfterDone;
    entry.dueAfterDone = Infinity;
    this.#wait(entry, due, now);
  }

  /** The key went well: its next rate-limited add starts from the shortest delay. */
  forget(key: string): void {
    this.#backoff.forget(key);
  }

  /** Rate-limited adds since the last `forget`. */
  retries(key: string): number {
    return this.#backoff.retries(key);
  }

  /**
   * Ends the queue: adds are ignored, what waits is dropped, and every `get` answers undefined. With `drain` what is
   * ready is handed out first (Q18).
   */
  stop(options: { readonly drain?: boolean } = {}): void {
    this.#stopped = true;
    this.#paused = false;
    this.#delays.clear();
    if (options.drain !== true) this.#lanes.clear();
    for (const entry of this.#entries.values()) {
      if (entry.place === 'processing') entry.wanted = false;
      else if (entry.place === 'delayed' || options.drain !== true) this.#drop(entry);
    }
    this.#held = 0;
    this.#settleStop();
  }

  /** Resolves when the queue is stopped and the last `done` came. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
      this.#settleStop();
    });
  }

  snapshot(): QueueSnapshot {
    const now = this.#clock.monotonic();
    const all = [...this.#entries.values()];
    return {
      depth: this.length,
      ready: Array.from(this.#lanes.entries(), ({ key, priority }) => ({ key, priority })),
      delayed: [...this.#delays.entries()]
        .filter((entry) => entry.wanted)
        .toSorted((a, b) => a.due - b.due || a.sequence - b.sequence)
        .map(({ key, priority, due }) => ({ key, priority, dueIn: Math.max(0, due - now) })),
      processing: all
        .filter((entry) => entry.place === 'processing')
        .map(({ key, handedOutAt }) => ({ key, for: now - handedOutAt })),
      held: all.filter((entry) => entry.place === 'processing' && isHeld(entry)).map(({ key }) => key),
      strayDone: this.#strayDone,
    };
  }

  #delayOf(key: string, options: AddOptions, now: number): number {
    const { after = 0 } = options;
    if (!Number.isFinite(after)) throw new RangeError(`cannot wait ${after} ms before ${key}: not a finite number`);
    const asked = Math.max(0, after);
    return options.rateLimited === true ? Math.max(asked, this.#backoff.next(key, now)) : asked;
  }

  #merge(entry: Entry, now: number): void {
    const { window, maxDelay = window * QUEUE_DEFAULTS.coalesceMaxWindows } = this.#coalesce as CoalesceOptions;
    if (entry.mergingSince === Infinity) entry.mergingSince = now;
    entry.mergedAt = Math.min(now + window, entry.mergingSince + maxDelay);
  }

  /** Added while processed. */
  #hold(entry: Entry, after: number): void {
    const before = isHeld(entry);
    entry.wanted = true;
    entry.dueAfterDone = Math.min(entry.dueAfterDone, after);
    if (!before && isHeld(entry)) this.#held += 1;
  }

  /** Puts a key that is not in processing where it belongs; `due` is one more wish, the earliest counts. */
  #wait(entry: Entry, due: number, now: number): void {
    entry.dueAt = Math.min(entry.dueAt, due);
    if (entry.place === 'ready') {
      this.#lanes.raise(entry, now);
      return;
    }
    const wish = entry.wanted ? Math.min(entry.dueAt, entry.mergedAt) : -Infinity;
    const at = Math.max(wish, entry.floorAt);
    if (at > now) {
      if (entry.place === 'delayed') this.#delays.move(entry, at, now);
      else this.#delays.insert(entry, at, now);
      entry.place = 'delayed';
      return;
    }
    if (entry.place === 'delayed') this.#delays.remove(entry);
    this.#makeReady(entry, now);
  }

  readonly #onDue = (entry: Entry, now: number): void => {
    if (entry.wanted) this.#makeReady(entry, now);
    else this.#drop(entry);
  };

  #makeReady(entry: Entry, now: number): void {
    entry.place = 'ready';
    this.#lanes.push(entry, now);
    if (!this.#paused) this.#serve();
  }

  #serve(): void {
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter);
      waiter.resolve(this.tryGet());
      return;
    }
  }

  #handOut(entry: Entry, now: number): WorkItem {
    this.#processing += 1;
    const item: WorkItem = {
      key: entry.key,
      request: entry.request,
      priority: entry.priority,
      causes: entry.causes ?? NO_CAUSES,
      causesDropped: entry.causesDropped,
      handedOutAt: now,
    };
    entry.place = 'processing';
    entry.wanted = false;
    entry.urgent = false;
    entry.priority = 0;
    entry.causes = undefined;
    entry.causesDropped = 0;
    entry.dueAt = Infinity;
    entry.mergingSince = Infinity;
    entry.mergedAt = Infinity;
    entry.floorAt = 0;
    entry.handedOutAt = now;
    return item;
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.key);
  }

  #settleStop(): void {
    if (!this.#stopped || this.#lanes.size > 0) return;
    for (const waiter of this.#waiters) waiter.resolve(undefined);
    this.#waiters.clear();
    if (this.#processing > 0) return;
    for (const resolve of this.#idleWaiters) resolve();
    this.#idleWaiters = [];
  }
}

/** Held keys are wanted at once; a delay that begins at `done` is none of the length (Q7). */
const isHeld = (entry: Entry): boolean => entry.wanted && entry.dueAfterDone === 0;

function checkPriority(priority: number): void {
  if (!Number.isInteger(priority) || Math.abs(priority) > PRIORITY_LIMIT)
    throw new RangeError(`priority ${priority} is not a whole number from -${PRIORITY_LIMIT} to ${PRIORITY_LIMIT}`);
}

function defaultRateLimiter(): RateLimiter {
  return maxOf(
    itemExponential(QUEUE_DEFAULTS.backoffBase, QUEUE_DEFAULTS.backoffMax),
    bucket(QUEUE_DEFAULTS.bucketPerSecond, QUEUE_DEFAULTS.bucketBurst),
  );
}
