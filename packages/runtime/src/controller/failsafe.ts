import type { Clock, Request, TimerHandle } from '@kubewright/api';
import { CONTROLLER_DEFAULTS } from './defaults.js';

/** Options of {@link Failsafe}. */
export interface FailsafeOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Ms; 0: off. */
  readonly interval: number;
  /** Called with each key that is due. */
  readonly onDue: (key: string, request: Request) => void;
}

interface Rest {
  readonly request: Request;
  due: number;
}

/** Finds keys whose last run ended long ago (C16): one number a key, one sweep for all, no timer per key. */
export class Failsafe {
  readonly #options: FailsafeOptions;
  readonly #rests = new Map<string, Rest>();
  #timer: TimerHandle | undefined;

  constructor(options: FailsafeOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#rests.size;
  }

  start(): void {
    if (this.#options.interval > 0) this.#arm();
  }

  /** A run of the key ended. The sweep may come one step late, so the jitter stays one step below its upper end. */
  ended(key: string, request: Request, now: number): void {
    const { interval, random } = this.#options;
    if (interval <= 0) return;
    const { failsafeJitter: jitter, failsafeSweeps } = CONTROLLER_DEFAULTS;
    const due = now + interval * (1 - jitter + random() * (2 * jitter - 1 / failsafeSweeps));
    const rest = this.#rests.get(key);
    if (rest === undefined) this.#rests.set(key, { request, due });
    else rest.due = due;
  }

  forget(key: string): void {
    this.#rests.delete(key);
  }

  stop(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#rests.clear();
  }

  #arm(): void {
    const { clock, interval } = this.#options;
    const wait = Math.min(interval / CONTROLLER_DEFAULTS.failsafeSweeps, 2 ** 31 - 1);
    this.#timer = clock.setTimeout(this.#sweep, wait);
  }

  readonly #sweep = (): void => {
    const now = this.#options.clock.monotonic();
    for (const [key, rest] of this.#rests) if (rest.due <= now) this.#options.onDue(key, rest.request);
    this.#arm();
  };
}
