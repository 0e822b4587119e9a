import {
  type Clock,
  type EnqueueOptions,
  type EventPredicate,
  type KindInfo,
  type Logger,
  type Reconciler,
  type Request,
  requestKey,
} from '@kubewright/api';
import { errorFields } from '../error-fields.js';
import type { ControllerSnapshot, KeySnapshot } from '../inspector/contract.js';
import { Feed } from '../inspector/feed.js';
import { RunHistory } from '../inspector/run-history.js';
import { LogThrottle } from '../log-throttle.js';
import type { RunContexts } from '../run-context.js';
import { SafeLogger } from '../safe-logger.js';
import type { Source, SourceHost } from '../source/contract.js';
import { keyOf } from '../source/event-object.js';
import type { AddOptions, QueueSnapshot, WorkItem } from '../workqueue/contract.js';
import { WorkQueue } from '../workqueue/work-queue.js';
import { isPanic } from './classify.js';
import { type ControllerCounters, newCounters } from './counters.js';
import { CONTROLLER_DEFAULTS } from './defaults.js';
import { controllerStarted, noReconcile, noSource, reconcileTimedOut } from './errors.js';
import { Failsafe } from './failsafe.js';
import { keySnapshot, plainOptions } from './inspect.js';
import {
  type ControllerOptions,
  queueOptionsOf,
  type ResolvedControllerOptions,
  resolveControllerOptions,
} from './options.js';
import { logKeys } from './log-keys.js';
import { Outcomes } from './outcomes.js';
import { Run, type RunHost } from './run.js';
import { Watchdog } from './watchdog.js';
import { Workers } from './workers.js';

/** What a {@link Controller} is made of. */
export interface ControllerConfig {
  /** Unique in its manager; names queue, logs and metrics. */
  readonly name: string;
  readonly reconciler: Reconciler;
  readonly sources: readonly Source[];
  readonly clock: Clock;
  /** [0, 1); for jitter only. */
  readonly random: () => number;
  readonly logger: Logger;
  /** Shared with the client, so that calls below a run find it (L18). */
  readonly runContext: RunContexts;
  /** What it reconciles, for log keys. Default: not known. */
  readonly kind?: Pick<KindInfo, 'group' | 'kind'>;
  /** Asked about the events of all sources, before their own (E2). Default: none. */
  readonly predicates?: readonly EventPredicate[];
  readonly options?: ControllerOptions;
}

/** A source that was added to a running controller. */
export interface WatchHandle {
  dispose(): void;
}

/**
 * Takes keys from its queue and runs the reconciler on them. Runs of one key never overlap (C3); nothing that user code
 * throws ends a worker (C19).
 */
export class Controller {
  readonly name: string;
  readonly options: ResolvedControllerOptions;
  readonly counters: ControllerCounters = newCounters();
  /** What happens, for the inspector. */
  readonly feed: Feed = new Feed();
  readonly #history = new RunHistory();
  readonly #config: ControllerConfig;
  readonly #sources: Set<Source>;
  readonly #queue: WorkQueue;
  readonly #failsafe: Failsafe;
  readonly #outcomes: Outcomes;
  readonly #watchdog: Watchdog;
  readonly #throttle: LogThrottle;
  readonly #logger: Logger;
  readonly #workers: Workers;
  readonly #sourceHost: SourceHost;
  readonly #runHost: RunHost;
  #state: 'new' | 'connected' | 'running' | 'stopped' = 'new';
  #onPanic: (error: unknown) => void = () => {};
  #stopReason: Error | undefined;

  constructor(config: ControllerConfig) {
    if (config.sources.length === 0) throw noSource(config.name);
    if (typeof config.reconciler?.reconcile !== 'function') throw noReconcile(config.name);
    const { name, clock, random, options = {}, kind } = config;
    const logger = new SafeLogger(config.logger);
    this.name = name;
    this.options = resolveControllerOptions(options);
    this.#config = { ...config, logger };
    this.#sources = new Set(config.sources);
    this.#logger = options.logConstructor
      ? new SafeLogger(options.logConstructor(undefined))
      : logger.child(logKeys(config));
    this.#throttle = new LogThrottle(clock);
    this.#queue = new WorkQueue({ clock, random, ...queueOptionsOf(options), onLimiterError: this.#onLimiterError });
    this.#failsafe = new Failsafe({
      clock,
      random,
      interval: this.options.failsafeInterval,
      onDue: this.#onFailsafe,
    });
    this.#outcomes = new Outcomes({
      controller: name,
      kind: kind?.kind,
      clock,
      random,
      logger: this.#logger,
      throttle: this.#throttle,
      queue: this.#queue,
      failsafe: this.#failsafe,
      counters: this.counters,
      history: this.#history,
      feed: this.feed,
      holds: (request) => this.#holds(request),
      maxRetries: this.options.maxRetries,
    });
    this.#watchdog = new Watchdog({
      clock,
      limit: this.options.reconcileTimeout,
      onTimeout: this.#onTimeout,
      onStuck: this.#onStuck,
    });
    this.#workers = new Workers({
      clock,
      queue: this.#queue,
      slots: this.options.maxConcurrentReconciles,
      reconcile: (item) => this.#reconcile(item),
    });
    this.#sourceHost = this.#hostOfSources();
    this.#runHost = this.#hostOfRuns();
  }

  get sources(): readonly Source[] {
    return [...this.#sources];
  }

  /** Resolves when all sources that are not optional delivered what is there (C2). */
  get synced(): Promise<void> {
    return Promise.all(this.sources.filter(({ optional }) => !optional).map(({ synced }) => synced)).then(() => {});
  }

  isSynced(): boolean {
    return this.sources.every((source) => source.optional || source.isSynced());
  }

  /** From now on events fill the queue; nothing runs yet. `onPanic`: told of the error when `recoverPanic` is false. */
  connect(onPanic: (error: unknown) => void = () => {}): void {
    if (this.#state !== 'new') throw controllerStarted(this.name);
    this.#state = 'connected';
    this.#onPanic = onPanic;
    for (const source of this.#sources) source.start(this.#sourceHost);
  }

  /** Starts the workers. Whoever calls it has seen {@link synced}, and holds the lease where one is needed. */
  start(): void {
    if (this.#state === 'new') this.connect();
    if (this.#state !== 'connected') throw controllerStarted(this.name);
    this.#state = 'running';
    this.#failsafe.start();
    this.#workers.start();
  }

  /** Takes no more keys, aborts the soft signals, resolves when the last run has settled. */
  async stop(reason: Error): Promise<void> {
    this.#state = 'stopped';
    this.#stopReason ??= reason;
    this.#queue.stop();
    this.#failsafe.stop();
    for (const run of this.#watchdog.runs) run.soft.abort(this.#stopReason);
    const [fault] = this.#stopSources();
    await this.#queue.idle();
    await this.#workers.ended();
    this.#watchdog.stop();
    if (fault !== undefined) throw fault;
  }

  /** Aborts the calls of the runs that have not settled (C21), and no longer watches over them. */
  abort(reason: Error): void {
    for (const run of this.#watchdog.runs) run.abort(reason);
    this.#watchdog.stop();
  }

  /** Adds a request from outside a run; false once stopped (C22). */
  enqueue(request: Request, options: EnqueueOptions = {}): boolean {
    const cause = { type: 'enqueue', kind: this.#config.kind?.kind, at: this.#config.clock.now() } as const;
    return this.#add(request, { ...options, cause });
  }

  /** Adds a source, before or after the start (C23). */
  watch(source: Source): WatchHandle {
    this.#sources.add(source);
    if (this.#state === 'connected' || this.#state === 'running') source.start(this.#sourceHost);
    return {
      dispose: () => {
        this.#sources.delete(source);
        source.stop();
      },
    };
  }

  /** Keys whose runs have not settled. */
  runningKeys(): string[] {
    return Array.from(this.#watchdog.runs, ({ item }) => item.key);
  }

  /** False when it hangs: keys wait, slots are free, and nothing is handed out (M16). */
  isAlive(): boolean {
    return this.#workers.isAlive(this.#watchdog.runs.size);
  }

  /** No new run begins until {@link resume}; its queue fills (C26). */
  pause(): void {
    this.#queue.pause();
  }

  resume(): void {
    this.#queue.resume();
  }

  /** Runs a key now, whatever it waits for; false once stopped (C26). */
  trigger(request: Request): boolean {
    const cause = { type: 'enqueue', kind: this.#config.kind?.kind, at: this.#config.clock.now() } as const;
    return this.#add(request, { urgent: true, cause });
  }

  /** Itself as plain JSON (C25). */
  inspect(): ControllerSnapshot {
    const { kind } = this.#config;
    return {
      name: this.name,
      ...(kind && { kind: kind.kind }),
      phase: this.#state,
      paused: this.#queue.paused,
      synced: this.isSynced(),
      queue: this.#queue.snapshot(),
      stuck: [...this.#watchdog.runs].filter(({ timedOut }) => timedOut).map(({ item }) => item.key),
      counters: { ...this.counters },
      options: plainOptions(this.options),
      sources: this.sources.map(({ label }) => label),
    };
  }

  /** What is known of a key (C25). */
  inspectKey(key: string): KeySnapshot | undefined {
    return keySnapshot(key, this.#queue, this.#history.of(key));
  }

  /** What its queue holds. */
  snapshot(): QueueSnapshot {
    return this.#queue.snapshot();
  }

  /** Keys of which anything is kept beyond the queue, fail-safe times included (C17). */
  get keptKeys(): number {
    return this.#outcomes.kept + this.#failsafe.size;
  }

  /** Whether the primary object is there; undefined where no source knows. */
  #holds(request: Request): boolean | undefined {
    let known: boolean | undefined;
    for (const source of this.#sources) {
      const answer = source.holds?.(request);
      if (answer === true) return true;
      known ??= answer;
    }
    return known;
  }

  /** False once stopped. */
  #add(request: Request, options: AddOptions): boolean {
    if (this.#queue.add(request, options) === undefined) return false;
    const { feed, name: controller } = this;
    if (feed.active) {
      const cause = options.cause ? { cause: options.cause.type } : {};
      feed.emit({ type: 'enqueued', controller, key: requestKey(request), at: this.#config.clock.now(), ...cause });
    }
    return true;
  }

  #stopSources(): Error[] {
    const faults: Error[] = [];
    for (const source of this.#sources)
      try {
        source.stop();
      } catch (error) {
        faults.push(error as Error);
      }
    return faults;
  }

  async #reconcile(item: WorkItem): Promise<Run> {
    const attempt = this.#queue.retries(item.key);
    const run = new Run(this.#runHost, item, { attempt, lastAttempt: attempt >= this.options.maxRetries });
    this.#watchdog.add(run);
    if (this.feed.active) {
      const { name: controller, feed } = this;
      feed.emit({ type: 'run-started', controller, key: item.key, attempt, at: this.#config.clock.now() });
    }
    let result: unknown;
    try {
      const returned = this.#config.runContext.run(run.context(), callReconcile, this.#config.reconciler, run);
      result = isPromise(returned) ? await returned : returned;
    } catch (error) {
      this.#watchdog.remove(run);
      this.#outcomes.threw(run, error);
      if (!this.options.recoverPanic && !run.timedOut && isPanic(error)) this.#onPanic(error);
      return run;
    }
    this.#watchdog.remove(run);
    this.#outcomes.returned(run, result);
    return run;
  }

  #hostOfSources(): SourceHost {
    const { clock, predicates = [] } = this.#config;
    return {
      clock,
      predicates,
      logger: this.#logger,
      throttle: this.#throttle,
      counters: this.counters,
      enqueue: (request, options) => void this.#add(request, options),
      onFiltered: (event) => {
        const { name: controller, feed } = this;
        if (feed.active)
          feed.emit({ type: 'filtered', controller, key: keyOf(event), event: event.type, at: clock.now() });
      },
      enqueueDeleted: (request, options) => {
        this.#outcomes.forget(requestKey(request));
        this.#add(request, { ...options, urgent: true });
      },
    };
  }

  #hostOfRuns(): RunHost {
    const { logger, options } = this.#config;
    const fieldsFor = (run: Run): Record<string, unknown> => ({
      ...logKeys(this.#config, run.item.request),
      reconcileID: run.reconcileId,
      attempt: run.attempt,
    });
    return {
      name: this.name,
      fieldsFor,
      loggerFor: (run) =>
        options?.logConstructor
          ? new SafeLogger(options.logConstructor(run.item.request))
          : logger.child(fieldsFor(run)),
      enqueue: (request, more) => this.enqueue(request, more),
    };
  }

  readonly #onLimiterError = (error: unknown): void => {
    this.counters.limiterErrors += 1;
    if (this.#throttle.admit(`limiter ${String(error)}`) !== undefined)
      this.#logger.error({ err: errorFields(error) }, 'the rate limiter failed; 1 s stands in for its answer');
  };

  readonly #onFailsafe = (key: string, request: Request): void => {
    if (this.#queue.has(key)) return;
    const cause = { type: 'failsafe', kind: this.#config.kind?.kind, at: this.#config.clock.now() } as const;
    this.#add(request, { priority: CONTROLLER_DEFAULTS.failsafePriority, cause });
  };

  readonly #onTimeout = (run: Run): void => {
    this.counters.timeouts += 1;
    run.abort(reconcileTimedOut({ controller: this.name, key: run.item.key, limit: this.options.reconcileTimeout }));
  };

  readonly #onStuck = (run: Run): void => {
    const since = this.#config.clock.monotonic() - run.item.handedOutAt;
    run.logger.error({ ms: since }, 'reconcile is stuck: it was aborted and does not end');
    this.#workers.lend(run);
  };
}

const callReconcile = (reconciler: Reconciler, run: Run): ReturnType<Reconciler['reconcile']> =>
  reconciler.reconcile(run.item.request, run);

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value;
