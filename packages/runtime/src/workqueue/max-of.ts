import type { RateLimiter } from './rate-limiter.js';

/** Asks all limiters and takes the longest delay. */
export function maxOf(...limiters: RateLimiter[]): RateLimiter {
  return {
    when: (key, now) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(key, now)), 0),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    retries: (key) => limiters.reduce((most, limiter) => Math.max(most, limiter.retries(key)), 0),
  };
}
