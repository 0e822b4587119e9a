/** Literals of sources; times in ms. */
export const SOURCE_DEFAULTS = {
  /** Priority of creates of an initial list (E12). */
  initialListPriority: -100,
  /** A handler that takes longer has failed (E10). */
  handlerTimeout: 30_000,
  /** Wait before a failed handler is called again; doubles with each failure (E10). */
  handlerRetryBase: 1_000,
  /** The longest such wait (E10). */
  handlerRetryMax: 60_000,
  /** Keys a channel keeps before its controllers start (E13). */
  channelBuffer: 1_024,
} as const;
