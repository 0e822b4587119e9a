/** Defaults of the cache (sections 2 and 3); ms unless said otherwise. */
export const cacheDefaults = {
  /** Objects per page (count). */
  pageSize: 500,
  /** A watch asks the server to end it after U[min, max) seconds, so that streams do not reconnect together. */
  watchSecondsMin: 300,
  watchSecondsMax: 600,
  /** Silence on a watch after which its connection is taken for dead. */
  inactivity: 100_000,
  /** Silence in a streamed first list after which it is read by pages. */
  initialSilence: 30_000,
  /** A watch that lived this long, or delivered anything, reopens at once. */
  healthyWatch: 10_000,
  /** Opens of one stream are at least this far apart. */
  openInterval: 1_000,
  /** Back-off of a stream: base, ceiling, and how long a watch must live to reset it. */
  backoffBase: 800,
  backoffMax: 30_000,
  backoffReset: 120_000,
  /** A second 410 within this goes through the back-off. */
  expiredInterval: 10_000,
  /** A kind that is not served is looked for this often. */
  missingInterval: 10_000,
  /** Broken attempts in a row after which the first list is read by pages (count). */
  brokenStreams: 3,
  /** Lines that are no JSON at one place, and ERROR events in a row, after which the list is read anew (count). */
  badLines: 3,
  errorEvents: 3,
  /** Malformed objects that are remembered as logged (count). */
  malformedRemembered: 1_000,
  /** Bytes of a failed answer that are read. */
  errorBodyBytes: 65_536,
  /** Bytes of one line of a watch. */
  lineBytes: 33_554_432,
  /** Block of memory of a bytes store (bytes), and the objects of it that stay parsed (count). */
  slabBytes: 262_144,
  parsedKept: 1_000,
  /** Longest stretch of synchronous work before the event loop runs. */
  slice: 8,
  /** A failing stream is logged this often. */
  logInterval: 60_000,
  /** An own write whose event has not come for this long is late. */
  overlayLate: 60_000,
  /** A cached read waits this long for the first list. */
  syncTimeout: 120_000,
  /** Reads are live this long after a write of unknown outcome. */
  barrier: 60_000,
} as const;
