/** Literals of the manager; times in ms. */
export const MANAGER_DEFAULTS = {
  /** For runs and runnables to end by themselves (M8). */
  gracefulTimeout: 30_000,
  /** For the rest of the stop order when the graceful time was not enough (M8). */
  restTimeout: 5_000,
  /** For the first list of every kind (M13). */
  cacheSyncTimeout: 120_000,
  /** When missing rights and kinds are told for the first time, and how often again (M13). */
  firstFaultReport: 5_000,
  faultReportEvery: 10_000,
  /** For each question that completes the text of a fault. */
  diagnosisTimeout: 2_000,
  /** Beat of the look at the event loop, the lag that is worth a warning, and how often one is given (M17). */
  lagBeat: 500,
  lagWarning: 1_000,
  lagWarnEvery: 60_000,
  /** A stream that made no step for that long hangs (M16). */
  hangAfter: 600_000,
} as const;
