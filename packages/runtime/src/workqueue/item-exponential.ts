import { type Duration, parseDuration } from '@kubewright/api';
import type { RateLimiter } from './rate-limiter.js';

/** Doubles a key's delay with each try: `base`, 2·`base`, 4·`base` … up to `max`, there for good. */
export function itemExponential(base: Duration, max: Duration): RateLimiter {
  const first = parseDuration(base);
  const longest = parseDuration(max);
  const tries = new Map<string, number>();
  return {
    when(key) {
      const before = tries.get(key) ?? 0;
      tries.set(key, before + 1);
      return Math.min(first * 2 ** before, longest);
    },
    forget: (key) => void tries.delete(key),
    retries: (key) => tries.get(key) ?? 0,
  };
}
