import type { Clock, Logger, TimerHandle } from '@kubewright/api';
import { MANAGER_DEFAULTS } from './defaults.js';

/** Notices when something holds the event loop: every timer, probe and watch waits for that long (M17). */
export class EventLoopLag {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #timer: TimerHandle | undefined;
  #due = 0;
  #last = 0;
  #warnedAt = -Infinity;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Of the last beat, ms. */
  get last(): number {
    return this.#last;
  }

  start(): void {
    this.#due = this.#clock.monotonic() + MANAGER_DEFAULTS.lagBeat;
    this.#timer = this.#clock.setTimeout(this.#beat, MANAGER_DEFAULTS.lagBeat);
  }

  stop(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #beat = (): void => {
    const now = this.#clock.monotonic();
    this.#last = Math.max(0, now - this.#due);
    if (this.#last > MANAGER_DEFAULTS.lagWarning && now - this.#warnedAt >= MANAGER_DEFAULTS.lagWarnEvery) {
      this.#warnedAt = now;
      this.#logger.warn(
        { lagMs: Math.round(this.#last) },
        'the event loop was held: runs, watches and probes waited; move long computations to a worker thread, or divide them',
      );
    }
    this.start();
  };
}
