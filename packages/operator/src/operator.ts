import type { Client } from '@kubewright/api';
import type { Control, HealthServer, Inspector } from '@kubewright/runtime';
import type { LogLevel } from './pino-logger.js';

/** Where checks of yours are added, before the start, and which port answers. */
export type Health = Pick<HealthServer, 'addLive' | 'addReady' | 'port'>;

/** Steers an operator that runs. */
export interface OperatorControl extends Control {
  /** Of the built-in logger and everything made from it; false when the logger is yours. */
  setLogLevel(level: LogLevel): boolean;
}

/** A bootstrapped operator. Nothing of it is shared with another operator in the process. */
export interface Operator extends AsyncDisposable {
  readonly name: string;
  /** The client that controllers get; use it for set-up and in tests. Cached reads work from {@link start} on. */
  readonly client: Client;
  /** Resolves when caches are complete and all controllers run; never, when the start fails. */
  readonly ready: Promise<void>;
  /** Of the option `health`; undefined without it. */
  readonly health: Health | undefined;
  /** Looks at streams, queues and keys, and is told what happens. Never shows specs or data. */
  readonly inspector: Inspector;
  /** Pauses, resumes and triggers controllers. Whoever gets it can stop your operator's work: keep it to yourself. */
  readonly control: OperatorControl;
  /** Runs it; resolves when it has stopped, rejects with the first cause of a failure. To be called once. */
  start(): Promise<void>;
  /** Stops it in order; resolves when everything has ended. Harmless before start and when called twice. */
  stop(): Promise<void>;
}
