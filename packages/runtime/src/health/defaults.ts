/** Literals of the health server; times in ms. */
export const HEALTH_DEFAULTS = {
  /** A check that has not answered by then has failed (X38). */
  checkTimeout: 2_000,
} as const;
