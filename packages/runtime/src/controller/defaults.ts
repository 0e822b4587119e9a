/** Literals of controllers; times in ms. */
export const CONTROLLER_DEFAULTS = {
  maxConcurrentReconciles: 1,
  /** C20. */
  reconcileTimeout: 600_000,
  /** C16. */
  failsafeInterval: 36_000_000,
  /** Share by which each key's fail-safe interval differs at most (C16). */
  failsafeJitter: 0.1,
  /** The sweep that looks for due fail-safe runs comes that often per interval. */
  failsafeSweeps: 20,
  /** Priority of fail-safe runs (E12). */
  failsafePriority: -100,
  /** An event brings a key in back-off forward to no earlier than that after the failed run (C13). */
  earlyRunFloor: 1_000,
  /** Quiet errors in a row after which they log and count as errors (C10). */
  quietErrors: 10,
  /** A run that does not settle for that long after its time-out is stuck (C20). */
  stuckAfter: 30_000,
  /** A stuck run is logged that often (C20). */
  stuckLogEvery: 60_000,
  /** Keys that fail with one text and are logged, a minute: an outage is not worth a line for each of them (M18). */
  sameFailureLines: 20,
  /** The dispatcher lets the event loop run after that many runs, or that many ms. */
  runsPerTurn: 64,
  turnLength: 8,
  /** A dispatcher that hands out nothing for that long, though it could, hangs (M16). */
  hangAfter: 600_000,
} as const;
