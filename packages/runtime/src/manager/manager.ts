import { type Clock, type Duration, type Logger, parseDuration, sleep } from '@kubewright/api';
import type { Cache } from '../cache/contract.js';
import type { Controller } from '../controller/controller.js';
import { errorFields } from '../error-fields.js';
import { pingCheck } from '../health/endpoint.js';
import { HealthServer } from '../health/health-server.js';
import type { Control, Inspector, ManagerSnapshot } from '../inspector/contract.js';
import { ManagerControl, ManagerInspector } from '../inspector/inspector.js';
import { SafeLogger } from '../safe-logger.js';
import { MANAGER_DEFAULTS } from './defaults.js';
import {
  gracefulTimeOver,
  managerForced,
  managerStarted,
  managerStopped,
  managerStopping,
  nameTaken,
  restTimeOver,
} from './errors.js';
import { EventLoopLag } from './event-loop-lag.js';
import { cachesCheck, loopsCheck, shutdownCheck } from './health-checks.js';
import { ProcessSignals, type SignalSource } from './process-signals.js';
import type { Runnable } from './runnable.js';
import { Runnables } from './runnables.js';
import type { Diagnostics } from './source-fault.js';
import { type AwaitedSource, SyncGate } from './sync-gate.js';

/** What a {@link Manager} is made of, and how long it waits. Durations: ms, or text such as `30s`. */
export interface ManagerOptions {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For runs and runnables at a stop. Default 30 s; 0: they are not waited for; Infinity: for ever. */
  readonly gracefulTimeout?: Duration;
  /** For the first lists, where a controller does not say otherwise. Default 2 min; 0: for ever. */
  readonly cacheSyncTimeout?: Duration;
  /** SIGTERM and SIGINT stop the manager. Default false: the process belongs to the caller. */
  readonly signals?: boolean | SignalSource;
  /** Serves `/healthz`, `/livez`, `/readyz` there. Default: no server. */
  readonly health?: { readonly port: number; readonly host?: string };
  /** `lenient`: no controller's start waits for a kind or right that is missing (M14). Default `strict`. */
  readonly startup?: 'strict' | 'lenient';
  /** Reads that complete the texts of start faults. Default: none. */
  readonly diagnostics?: Diagnostics;
  /** Closed last of all. Default: none. */
  readonly transports?: readonly { close(): Promise<void> }[];
}

interface Step {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

type Started = 'replicas' | 'leader';

/** Owns what it starts: caches, controllers, runnables, the health server; starts and stops them in order (M4, M7). */
export class Manager {
  readonly health: HealthServer | undefined;
  /** Looks at everything it owns (C25). */
  readonly inspector: Inspector;
  /** Pauses and triggers controllers (C26). */
  readonly control: Control;
  /** Resolves when the last step of the start has begun (M5). */
  readonly elected: Promise<void>;
  /** What went wrong, first cause first; `start()` rejects with the first. */
  readonly errors: unknown[] = [];
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #signals: ProcessSignals | undefined;
  readonly #runnables: Runnables;
  readonly #waiting = new Set<Runnable>();
  readonly #controllers = new Map<string, Controller>();
  readonly #clusters = new Map<string, Cache>();
  readonly #begun = new Set<Started>();
  readonly #stopAsked = new AbortController();
  readonly #forced = new AbortController();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #elected = Promise.withResolvers<void>();
  readonly #lag: EventLoopLag;
  #state: 'new' | 'running' | 'stopped' = 'new';
  #cachesStarted = false;
  #synced = false;

  constructor(options: ManagerOptions) {
    const { clock, signals = false } = options;
    this.#options = options;
    this.#clock = clock;
    this.#logger = new SafeLogger(options.logger);
    this.elected = this.#elected.promise;
    this.#lag = new EventLoopLag(clock, this.#logger);
    this.#runnables = new Runnables(this.#logger, (error) => this.#fail(error));
    const controllers = (): ReadonlyMap<string, Controller> => this.#controllers;
    this.inspector = new ManagerInspector({
      clock,
      controllers,
      phase: () => this.#phase,
      lag: () => this.#lag.last,
      caches: () => [[undefined, options.cache], ...this.#clusters],
    });
    this.control = new ManagerControl(controllers);
    if (signals !== false)
      this.#signals = new ProcessSignals(signals === true ? process : signals, (signal, second) =>
        this.#onSignal(signal, second),
      );
    if (options.health !== undefined) this.health = this.#healthServer(options.health);
  }

  get stopping(): boolean {
    return this.#stopAsked.signal.aborted;
  }

  /** Adds a runnable, before or after the start (M5). */
  add(runnable: Runnable): void {
    if (this.stopping) throw managerStopping(`runnable ${runnable.name}`);
    if (this.#begun.has(stepOf(runnable.needLeaderElection))) this.#runnables.start(runnable);
    else this.#waiting.add(runnable);
  }

  /** Adds a controller, before or after the start. */
  addController(controller: Controller): void {
    if (this.stopping) throw managerStopping(`controller ${controller.name}`);
    if (this.#controllers.has(controller.name)) throw nameTaken(controller.name);
    this.#controllers.set(controller.name, controller);
    if (!this.#cachesStarted) return;
    controller.connect((error) => this.#fail(error));
    if (this.#begun.has(stepOf(controller.options.needLeaderElection))) this.#engage(controller);
  }

  /** Adds the cache of another cluster, before the start; it starts and stops with the operator's own (M19). */
  addCluster(ref: string, cache: Cache): void {
    if (this.#state !== 'new') throw managerStarted();
    this.#clusters.set(ref, cache);
  }

  /** Starts everything in order; resolves when all has stopped, rejects with the first cause (M6). */
  async start(): Promise<void> {
    if (this.#state !== 'new') throw managerStarted();
    this.#state = 'running';
    this.#signals?.install();
    this.#lag.start();
    try {
      await this.#startAll();
    } catch (error) {
      if (error !== this.#stopAsked.signal.reason) this.#fail(error);
    }
    await aborted(this.#stopAsked.signal);
    this.#lag.stop();
    await this.#stopAll();
    this.#signals?.remove();
    this.#state = 'stopped';
    this.#stopped.resolve();
    this.#logger.info('stopped');
    if (this.errors.length > 0) throw this.errors[0];
  }

  /** Resolves when all has stopped; harmless before the start, and twice (M6). */
  async stop(): Promise<void> {
    if (this.#state === 'new') return;
    this.#askToStop('stopping');
    await this.#stopped.promise;
  }

  async #startAll(): Promise<void> {
    const steps: readonly Step[] = [
      { name: 'health', run: () => this.health?.start() },
      { name: 'caches', run: () => this.#startCaches() },
      { name: 'replicas', run: () => this.#begin('replicas') },
      { name: 'leader', run: () => this.#begin('leader') },
    ];
    for (const { name, run } of steps) {
      if (this.stopping) return;
      await run();
      this.#logger.debug({ step: name }, 'start step complete');
    }
  }

  async #startCaches(): Promise<void> {
    const { diagnostics } = this.#options;
    this.#cachesStarted = true;
    for (const controller of this.#controllers.values()) controller.connect((error) => this.#fail(error));
    for (const cache of this.#caches()) cache.start();
    const gate = new SyncGate({ clock: this.#clock, logger: this.#logger, diagnostics });
    await gate.wait(this.#awaitedSources(), this.#stopAsked.signal);
    this.#synced = true;
  }

  get #phase(): ManagerSnapshot['phase'] {
    if (this.#state !== 'running') return this.#state;
    return this.stopping ? 'stopping' : this.#begun.has('leader') ? 'running' : 'starting';
  }

  #caches(): readonly Cache[] {
    return [this.#options.cache, ...this.#clusters.values()];
  }

  #awaitedSources(): AwaitedSource[] {
    const own = parseDuration(this.#options.cacheSyncTimeout ?? MANAGER_DEFAULTS.cacheSyncTimeout);
    return [...this.#controllers.values()]
      .filter((controller) => this.#isStrict(controller))
      .flatMap((controller) =>
        controller.sources
          .filter(({ optional }) => !optional)
          .map((source) => ({ source, limit: controller.options.cacheSyncTimeout ?? own })),
      );
  }

  #isStrict(controller: Controller): boolean {
    return this.#options.startup !== 'lenient' && !controller.options.optional;
  }

  #begin(step: Started): void {
    this.#begun.add(step);
    for (const runnable of this.#waiting) {
      if (stepOf(runnable.needLeaderElection) !== step) continue;
      this.#waiting.delete(runnable);
      this.#runnables.start(runnable);
    }
    for (const controller of this.#controllers.values())
      if (stepOf(controller.options.needLeaderElection) === step) this.#engage(controller);
    if (step === 'leader') this.#elected.resolve();
  }

  /** Starts a controller's workers, once all its kinds are there. */
  #engage(controller: Controller): void {
    if (controller.isSynced()) controller.start();
    else
      void controller.synced.then(() => {
        if (!this.stopping) controller.start();
      });
  }

  #fail(error: unknown): void {
    this.errors.push(error);
    this.#logger.error({ err: errorFields(error) }, 'the manager stops because of an error');
    this.#askToStop('stopping after an error');
  }

  #askToStop(why: string): void {
    if (this.stopping) return;
    this.#logger.info(why);
    this.#stopAsked.abort(managerStopped());
  }

  #onSignal(signal: string, second: boolean): void {
    if (!second) {
      this.#askToStop(`stopping on ${signal}`);
      return;
    }
    this.errors.push(managerForced(signal));
    this.#forced.abort();
  }

  async #stopAll(): Promise<void> {
    const inTime = await this.#stopWork();
    const rest: readonly Step[] = [
      { name: 'caches', run: async () => void (await Promise.all(this.#caches().map((cache) => cache.stop()))) },
      { name: 'health server', run: () => this.health?.stop() },
      {
        name: 'transports',
        run: async () => void (await Promise.all((this.#options.transports ?? []).map((one) => one.close()))),
      },
    ];
    const until = inTime ? Infinity : this.#clock.monotonic() + MANAGER_DEFAULTS.restTimeout;
    for (const { name, run } of rest) {
      try {
        if (!(await this.#within(Promise.resolve(run()), until - this.#clock.monotonic())))
          this.errors.push(restTimeOver(MANAGER_DEFAULTS.restTimeout, name));
      } catch (error) {
        this.errors.push(error);
      }
    }
  }

  /** Ends runs and runnables together; false when the graceful time was not enough (M8). */
  async #stopWork(): Promise<boolean> {
    const { gracefulTimeout = MANAGER_DEFAULTS.gracefulTimeout } = this.#options;
    const limit = gracefulTimeout === Infinity ? Infinity : parseDuration(gracefulTimeout);
    const reason = this.#stopAsked.signal.reason as Error;
    const controllers = [...this.#controllers.values()];
    const work = Promise.allSettled([
      ...controllers.map((controller) => controller.stop(reason)),
      this.#runnables.stop(reason),
    ]).then((ends) => {
      for (const end of ends) if (end.status === 'rejected') this.errors.push(end.reason);
    });
    if (await this.#within(work, limit, this.#forced.signal)) return true;
    const late = gracefulTimeOver(limit, this.#unfinished());
    if (limit > 0 && !this.#forced.signal.aborted) this.errors.push(late);
    this.#logger.warn({ unfinished: this.#unfinished() }, 'the graceful time is over');
    for (const controller of controllers) controller.abort(late);
    return false;
  }

  #unfinished(): string[] {
    const controllers = [...this.#controllers.values()]
      .map((controller) => ({ name: controller.name, keys: controller.runningKeys() }))
      .filter(({ keys }) => keys.length > 0)
      .map(({ name, keys }) => `controller ${name} (${keys.join(', ')})`);
    return [...controllers, ...this.#runnables.names().map((name) => `runnable ${name}`)];
  }

  /** Whether `work` ended before `ms` were over and before `cut` aborted. */
  async #within(work: Promise<void>, ms: number, cut?: AbortSignal): Promise<boolean> {
    const ended = new AbortController();
    const signal = cut === undefined ? ended.signal : AbortSignal.any([ended.signal, cut]);
    const over = (ms === Infinity ? aborted(signal) : sleep(this.#clock, Math.max(ms, 0), signal)).then(
      () => false,
      () => false,
    );
    try {
      return await Promise.race([work.then(() => true), over]);
    } finally {
      ended.abort();
    }
  }

  #healthServer(options: { readonly port: number; readonly host?: string }): HealthServer {
    const server = new HealthServer({ clock: this.#clock, ...options });
    const caches = (): readonly Cache[] => this.#caches();
    server.addLive(pingCheck);
    server.addLive(loopsCheck(this.#clock, caches, () => [...this.#controllers.values()]));
    server.addReady(pingCheck);
    server.addReady(cachesCheck(() => this.#synced, caches));
    server.addReady(shutdownCheck(() => this.stopping));
    return server;
  }
}

const stepOf = (needLeaderElection: boolean | undefined): Started =>
  needLeaderElection === false ? 'replicas' : 'leader';

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
