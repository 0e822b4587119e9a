/** How long a key waits before its next rate-limited hand-out (Q11). One instance serves one queue. */
export interface RateLimiter {
  /** Ms to wait; counts as one more try of the key. `now` is the queue's monotonic time in ms. */
  when(key: string, now: number): number;
  /** The key went well: its tries no longer count. */
  forget(key: string): void;
  /** Tries since the last `forget`. */
  retries(key: string): number;
}
