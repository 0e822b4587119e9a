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
  /** Predicates and handler of one event that hold the event loop longer are named, that often at most (M17). */
  slowCallback: 50,
  slowCallbackTold: 3_600_000,
  /** Keys of `@Every` that fall due within that time are told together (E13). */
  everyTick: 10,
  /** A kind whose plural the server did not tell is asked for that often (M13). */
  lateKindRetry: 10_000,
} as const;
