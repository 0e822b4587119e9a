/** Literals of the work queue; times in ms. */
export const QUEUE_DEFAULTS = {
  /** First delay of a key's exponential back-off (Q11). */
  backoffBase: 5,
  /** Longest delay of a key's exponential back-off (Q11). */
  backoffMax: 1_000_000,
  /** Rate-limited adds of all keys together, per second (Q13). */
  bucketPerSecond: 10,
  /** Rate-limited adds that pass before the bucket makes any wait (Q13). */
  bucketBurst: 100,
  /** Share of a rate-limited delay that chance may take off (Q14). */
  jitter: 0.2,
  /** A key ready for that long moves up one level (Q16). */
  promoteAfter: 30_000,
  /** `coalesce.maxDelay` in windows (Q17). */
  coalesceMaxWindows: 5,
  /** Delay that stands in for a limiter that throws (Q20). */
  brokenLimiterDelay: 1_000,
  /** Causes kept of one hand-out: the first, and the newest of the rest (C18). */
  causesKept: 10,
  /** The longest wait of one timer; longer ones would fire at once (Q9). */
  longestTimer: 2_147_483_647,
} as const;

/** Queue priorities lie between −PRIORITY_LIMIT and PRIORITY_LIMIT (Q15). */
export const PRIORITY_LIMIT = 1_000;
