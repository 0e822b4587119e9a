import { type Duration, parseDuration } from '@kubewright/api';
import type { RateLimiter } from './rate-limiter.js';

/** At most `max` hand-outs of one key in any `within`; further ones wait, none is dropped. `forget` does not reset it. */
export function perKeyWindow(max: number, within: Duration): RateLimiter {
  const window = parseDuration(within);
  // Planned hand-outs of each key, oldest first; the keys ordered by their last use, so that the quiet ones stand in front.
  const planned = new Map<string, number[]>();
  return {
    when(key, now) {
      for (const [quiet, times] of planned) {
        if ((times.at(-1) ?? 0) + window > now) break;
        planned.delete(quiet);
      }
      const times = planned.get(key) ?? [];
      const at = times.length < max ? now : Math.max(now, (times.at(-max) ?? 0) + window);
      times.push(at);
      if (times.length > max) times.shift();
      planned.delete(key);
      planned.set(key, times);
      return at - now;
    },
    forget() {},
    retries: () => 0,
  };
}
