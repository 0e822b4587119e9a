import type { Clock, TimerHandle } from '@kubewright/api';
import { CONTROLLER_DEFAULTS } from './defaults.js';
import type { Run } from './run.js';

/** Options of {@link Watchdog}. */
export interface WatchdogOptions {
  readonly clock: Clock;
  /** Ms; 0: off. */
  readonly limit: number;
  readonly onTimeout: (run: Run) => void;
  /** Called first when the run is stuck, then once a minute. */
  readonly onStuck: (run: Run) => void;
}

/** Time limit of runs (C20), on one timer for all of them. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #runs = new Set<Run>();
  #timer: TimerHandle | undefined;
  #armedFor = Infinity;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** Runs that have not settled. */
  get runs(): ReadonlySet<Run> {
    return this.#runs;
  }

  add(run: Run): void {
    this.#runs.add(run);
    if (this.#options.limit <= 0) return;
    run.checkAt = run.item.handedOutAt + this.#options.limit;
    this.#arm(run.checkAt);
  }

  remove(run: Run): void {
    this.#runs.delete(run);
  }

  /** The timer is left to run out while runs come and go; this ends it. */
  stop(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedFor = Infinity;
  }

  #arm(at: number): void {
    if (at >= this.#armedFor) return;
    this.stop();
    const wait = Math.min(Math.ceil(at - this.#options.clock.monotonic()), 2 ** 31 - 1);
    this.#armedFor = at;
    this.#timer = this.#options.clock.setTimeout(this.#look, wait);
  }

  readonly #look = (): void => {
    this.#armedFor = Infinity;
    const now = this.#options.clock.monotonic();
    let next = Infinity;
    for (const run of this.#runs) {
      if (run.checkAt <= now) this.#bark(run, now);
      next = Math.min(next, run.checkAt);
    }
    this.#arm(next);
  };

  #bark(run: Run, now: number): void {
    if (run.timedOut) {
      run.checkAt = now + CONTROLLER_DEFAULTS.stuckLogEvery;
      this.#options.onStuck(run);
      return;
    }
    run.timedOut = true;
    run.checkAt = now + CONTROLLER_DEFAULTS.stuckAfter;
    this.#options.onTimeout(run);
  }
}
