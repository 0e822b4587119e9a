/** A pending timer; opaque. */
export type TimerHandle = { readonly __timer?: never } | object;

/** All time the runtime knows. Inject a virtual one to test hours in milliseconds (Q10). */
export interface Clock {
  /** Wall clock, ms since the epoch; for texts and timestamps only. */
  now(): number;
  /** Ms from an arbitrary start; never goes back. All due times use it. */
  monotonic(): number;
  setTimeout(run: () => void, ms: number): TimerHandle;
  clearTimeout(timer: TimerHandle): void;
  /** Lets the event loop run once. */
  yield(): Promise<void>;
}

/** The clock of the process. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  setTimeout(run: () => void, ms: number): TimerHandle {
    return setTimeout(run, ms);
  }

  clearTimeout(timer: TimerHandle): void {
    clearTimeout(timer as NodeJS.Timeout);
  }

  yield(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Resolves after `ms`, rejects with the signal's reason when it aborts first. Leaves no timer and no listener behind. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clock.clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
