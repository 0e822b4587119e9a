import { type Duration, parseDuration } from '@kubewright/api';
import type { RateLimiter } from './rate-limiter.js';

/** `fast` for the first `fastTries` tries of a key, `slow` from then on. */
export function fastSlow(fast: Duration, slow: Duration, fastTries: number): RateLimiter {
  const short = parseDuration(fast);
  const long = parseDuration(slow);
  const tries = new Map<string, number>();
  return {
    when(key) {
      const count = (tries.get(key) ?? 0) + 1;
      tries.set(key, count);
      return count <= fastTries ? short : long;
    },
    forget: (key) => void tries.delete(key),
    retries: (key) => tries.get(key) ?? 0,
  };
}
