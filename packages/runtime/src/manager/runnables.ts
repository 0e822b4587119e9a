import type { Logger } from '@kubewright/api';
import type { Runnable } from './runnable.js';

/** Starts runnables and knows which of them have not ended (M5). */
export class Runnables {
  readonly #logger: Logger;
  readonly #onError: (error: unknown) => void;
  readonly #abort = new AbortController();
  readonly #running = new Map<Runnable, Promise<void>>();

  constructor(logger: Logger, onError: (error: unknown) => void) {
    this.#logger = logger;
    this.#onError = onError;
  }

  start(runnable: Runnable): void {
    this.#running.set(runnable, this.#run(runnable));
  }

  /** Names of those that have not ended. */
  names(): string[] {
    return Array.from(this.#running.keys(), ({ name }) => name);
  }

  /** Aborts their signal and resolves when all have ended. */
  async stop(reason: Error): Promise<void> {
    this.#abort.abort(reason);
    await Promise.all(this.#running.values());
  }

  async #run(runnable: Runnable): Promise<void> {
    const { signal } = this.#abort;
    try {
      await runnable.start(signal);
    } catch (error) {
      if (signal.aborted && isAbort(error, signal)) this.#logger.debug({ runnable: runnable.name }, 'runnable aborted');
      else this.#onError(error);
    } finally {
      this.#running.delete(runnable);
    }
  }
}

/** An error that only says that the signal was heeded (M9). */
const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || (error instanceof Error && (error.name === 'AbortError' || error.cause === signal.reason));
