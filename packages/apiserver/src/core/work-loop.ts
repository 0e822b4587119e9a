import type { Clock, Settleable, TimerHandle } from './types.js';

export interface WorkLoopOptions {
  name: string;
  clock: Clock;
  /** How long an item waits before it is worked on, in ms; default 0. */
  delayMs?: () => number;
  /** Works on one item; a rejection puts the item back. */
  work(key: string): Promise<void>;
}

/** How long a failed item waits, in ms: doubles with each failure up to the maximum. */
const RETRY_MS = 10;
const RETRY_MAX_MS = 10_000;

/** How long the loop works before it lets others run, in ms. */
const TURN_MS = 10;

/** A queue of keys worked on one after the other, each key at most once in the queue. */
export class WorkLoop implements Settleable {
  readonly name: string;
  readonly #options: WorkLoopOptions;
  readonly #queue = new Set<string>();
  readonly #timers = new Map<string, TimerHandle>();
  readonly #failures = new Map<string, number>();
  #running = false;
  #scheduled: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(options: WorkLoopOptions) {
    this.name = options.name;
    this.#options = options;
  }

  idle(): boolean {
    return !this.#running && !this.#queue.size && !this.#timers.size;
  }

  add(key: string, delayMs: number = this.#options.delayMs?.() ?? 0): void {
    if (this.#closed || this.#queue.has(key)) return;
    if (delayMs > 0) {
      if (this.#timers.has(key)) return;
      const start = (): void => {
        this.#timers.delete(key);
        this.add(key, 0);
      };
      this.#timers.set(key, this.#options.clock.after(delayMs, start));
      return;
    }
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
    this.#queue.add(key);
    // After the answer to the request that caused the work, so that a client sees the state it asked for.
    if (!this.#running) this.#scheduled ??= setImmediate(() => void this.#run());
  }

  /** Starts everything that waits for its delay now. */
  flush(): void {
    for (const key of this.#timers.keys()) this.add(key, 0);
  }

  close(): void {
    this.#closed = true;
    clearImmediate(this.#scheduled);
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#queue.clear();
  }

  async #run(): Promise<void> {
    this.#scheduled = undefined;
    if (this.#running) return;
    this.#running = true;
    let turn = performance.now();
    for (const key of this.#queue) {
      this.#queue.delete(key);
      if (performance.now() - turn > TURN_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        turn = performance.now();
      }
      try {
        await this.#options.work(key);
        this.#failures.delete(key);
      } catch {
        // What went wrong shows at the object; the item is tried again until it works or is no longer needed.
        const failures = this.#failures.get(key) ?? 0;
        this.#failures.set(key, failures + 1);
        this.add(key, Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures));
      }
      if (this.#closed) break;
    }
    this.#running = false;
  }
}
