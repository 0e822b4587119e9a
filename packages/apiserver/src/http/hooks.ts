import type { Exchange } from './exchange.js';

/** Where test control plugs into the HTTP server (§3.3). All optional. */
export interface HttpHooks {
  /** Answers `/_embedded/…` after authentication and authorisation. */
  control?(exchange: Exchange): Promise<void>;
  /**
   * Runs after authorisation and before the handler (TC-2): calls `next` for the real answer, or answers itself. May set
   * `exchange.response` aside by not calling `next`.
   */
  intercept?(exchange: Exchange, next: () => Promise<void>): Promise<void>;
  /** After the answer was sent or the connection was lost. `started`: clock time in ms at which the request came. */
  done?(exchange: Exchange, started: number): void;
}
