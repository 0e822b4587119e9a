import type { Client } from '@kubewright/api';

/** A bootstrapped operator. Nothing of it is shared with another operator in the process. */
export interface Operator extends AsyncDisposable {
  readonly name: string;
  /** The client that controllers get; use it for set-up and in tests. Cached reads work from {@link start} on. */
  readonly client: Client;
  /** Resolves when caches are complete and all controllers run; never, when the start fails. */
  readonly ready: Promise<void>;
  /** Runs it; resolves when it has stopped, rejects with the first cause of a failure. To be called once. */
  start(): Promise<void>;
  /** Stops it in order; resolves when everything has ended. Harmless before start and when called twice. */
  stop(): Promise<void>;
}
