/** Literals of the inspector (C25). */
export const INSPECTOR_DEFAULTS = {
  /** Runs kept of a key. */
  runs: 20,
  /** Keys of which runs are kept: the latest that went well, and the latest that failed. */
  keys: 1_000,
  failingKeys: 10_000,
} as const;
