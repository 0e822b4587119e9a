import { QUEUE_DEFAULTS } from './defaults.js';
import type { RateLimiter } from './rate-limiter.js';

export interface BackoffOptions {
  readonly limiter: RateLimiter;
  /** Share of each delay that chance may take off, 0…1. */
  readonly jitter: number;
  readonly random: () => number;
  /** Told of a limiter that throws; the queue goes on. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The rate-limit layer: a limiter that may be broken (Q20), and the jitter that parts keys which failed together (Q14). */
export class Backoff {
  readonly #options: BackoffOptions;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Ms until the key's next try, in (0.8 d, d] with the default jitter; counts the try. */
  next(key: string, now: number): number {
    const delay = this.#ask((limiter) => limiter.when(key, now), QUEUE_DEFAULTS.brokenLimiterDelay);
    if (!Number.isFinite(delay)) return QUEUE_DEFAULTS.brokenLimiterDelay;
    return Math.max(0, delay * (1 - this.#options.jitter * this.#options.random()));
  }

  forget(key: string): void {
    this.#ask((limiter) => limiter.forget(key), undefined);
  }

  retries(key: string): number {
    return this.#ask((limiter) => limiter.retries(key), 0);
  }

  #ask<T>(question: (limiter: RateLimiter) => T, otherwise: T): T {
    try {
      return question(this.#options.limiter);
    } catch (error) {
      this.#options.onError?.(error);
      return otherwise;
    }
  }
}
