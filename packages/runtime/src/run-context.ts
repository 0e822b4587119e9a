import { AsyncLocalStorage } from 'node:async_hooks';

/** What code below a reconcile can know of its run without being handed it (L18). */
export interface RunContext {
  readonly controllerName: string;
  /** The hard signal (C21): client calls without a signal of their own use it. */
  readonly signal: AbortSignal;
  /** Log keys of the run (M18). */
  readonly loggerFields: Readonly<Record<string, unknown>>;
}

/** The async context of one operator; share one instance between its client and its controllers. */
export class RunContexts {
  readonly #storage = new AsyncLocalStorage<RunContext>();

  /** Calls `body` so that it, and all it awaits, finds `context`. */
  run<A extends unknown[], R>(context: RunContext, body: (...args: A) => R, ...args: A): R {
    return this.#storage.run(context, body, ...args);
  }

  /** The run that the caller is part of. */
  current(): RunContext | undefined {
    return this.#storage.getStore();
  }
}
