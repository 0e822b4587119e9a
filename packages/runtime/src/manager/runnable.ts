/** Something that runs as long as the manager does. */
export interface Runnable {
  /** For messages. */
  readonly name: string;
  /** Ends well: done. Rejects: the manager stops with that error. `signal` aborts at the stop. */
  start(signal: AbortSignal): Promise<void> | void;
  /** False: runs on every replica. Default true: only where the lease is held. */
  readonly needLeaderElection?: boolean;
}
