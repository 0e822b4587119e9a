/** Defaults of the transport (T2, T3, T14–T17, T25); ms unless said otherwise. */
export const transportDefaults = {
  /** Requests at once, watches not counted. More waits in line. */
  maxInFlight: 100,
  /** TCP and TLS together. */
  connectTimeout: 10_000,
  /** Above the server's own 60 s, so that its answer arrives. */
  headersTimeout: 70_000,
  watchHeadersTimeout: 30_000,
  /** Silence inside a body that is no watch. */
  bodyTimeout: 60_000,
  /** An idle socket is closed after this. */
  keepAliveTimeout: 30_000,
  /** Before the server's own Keep-Alive hint. */
  keepAliveMargin: 2_000,
  /** First TCP keep-alive probe. */
  tcpKeepAlive: 30_000,
  /** Attempts, the first included. */
  attempts: 4,
  /** Waits between attempts; each is shortened at random to no less than half. */
  waits: [100, 400, 1_600],
  /** A Retry-After above this is not waited for but reported. */
  maxRetryAfter: 30_000,
  /** A retry-after wait is lengthened at random by at most this fraction. */
  retryAfterJitter: 0.25,
  /** The repeat after a 401 with unchanged credentials. */
  unauthorizedWait: 500,
  /** The same server warning is logged once in this time. */
  warningInterval: 3_600_000,
  /** Server warnings remembered (count). */
  warningsRemembered: 1_000,
  /** After new TLS material: watches on the old one end within this, at random, and all else after that. */
  rotateWatches: 30_000,
  rotateGrace: 120_000,
  closeGrace: 5_000,
  /** Bytes of a stream that may wait unread before its connection is told to stop. */
  unreadBytes: 1_048_576,
} as const;
