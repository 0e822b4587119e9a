import type { RateLimiter } from './rate-limiter.js';

/** All keys together: `burst` pass at once, then `perSecond` a second. Knows no keys and counts no tries. */
export function bucket(perSecond: number, burst: number): RateLimiter {
  let tokens = burst;
  let filledAt: number | undefined;
  return {
    when(_key, now) {
      tokens = Math.min(burst, tokens + ((now - (filledAt ?? now)) * perSecond) / 1000);
      filledAt = now;
      // Below zero: tokens that are promised to earlier callers and not there yet.
      tokens -= 1;
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond;
    },
    forget() {},
    retries: () => 0,
  };
}
