import { isStatusError } from '../core/errors.js';
import type { Clock, Random, Settleable, TimerHandle } from '../core/types.js';

interface SimLoopOptions {
  /** Name in `settle`, `pause` and `step`. */
  name: string;
  clock: Clock;
  /**
   * Works on one key. Answers after how many ms the key wants to be worked on again, or undefined. A rejection puts the key
   * back: at once after a conflict, after a growing pause otherwise.
   */
  work(key: string): Promise<number | undefined>;
}

/** Delayed work that is due within this time counts as busy: a start, a short grace period. In ms. */
const SOON_MS = 2_000;
const RETRY_MS = 10;
const RETRY_MAX_MS = 10_000;
/** How long the loop works before it lets others run, in ms. */
const TURN_MS = 10;

interface Delayed {
  due: number;
  timer: TimerHandle;
}

/** The work queue of a pretend controller: each key at most once, one at a time, with pause and single steps (TC-8). */
export class SimLoop implements Settleable {
  readonly name: string;
  readonly #options: SimLoopOptions;
  readonly #queue = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  #running = false;
  #scheduled: NodeJS.Immediate | undefined;
  #paused = false;
  #closed = false;

  constructor(options: SimLoopOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Queues a key, after `delayMs` if given. Of several delays the first one due counts. */
  add(key: string, delayMs = 0): void {
    if (this.#closed || this.#queue.has(key)) return;
    if (delayMs > 0) {
      this.#delay(key, delayMs);
      return;
    }
    this.#drop(key);
    this.#queue.add(key);
    this.#schedule();
  }

  #delay(key: string, delayMs: number): void {
    const due = this.#options.clock.now() + delayMs;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    known?.timer.cancel();
    const timer = this.#options.clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, timer });
  }

  #drop(key: string): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
  }

  #schedule(): void {
    // After the answer to the request that caused the work, so that a client sees the state it asked for.
    if (!this.#running && !this.#paused && !this.#closed) this.#scheduled ??= setImmediate(() => void this.#run());
  }

  /** True when nothing is queued, running or soon due. A paused loop is idle, and so is waiting while time stands still. */
  idle(): boolean {
    if (this.#running) return false;
    if (this.#paused) return true;
    if (this.#queue.size) return false;
    const { clock } = this.#options;
    if (clock.frozen) return true;
    const soon = clock.now() + SOON_MS;
    for (const { due } of this.#delayed.values()) if (due <= soon) return false;
    return true;
  }

  /** Stops working; keys are still queued. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#queue.size) this.#schedule();
  }

  /** Works on one queued key, paused or not; false when there is none. */
  async step(): Promise<boolean> {
    const [key] = this.#queue;
    if (key === undefined || this.#running || this.#closed) return false;
    this.#running = true;
    this.#queue.delete(key);
    await this.#work(key);
    this.#running = false;
    if (this.#queue.size) this.#schedule();
    return true;
  }

  close(): void {
    this.#closed = true;
    clearImmediate(this.#scheduled);
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#queue.clear();
  }

  async #run(): Promise<void> {
    this.#scheduled = undefined;
    if (this.#running) return;
    this.#running = true;
    let turn = performance.now();
    for (const key of this.#queue) {
      if (this.#paused || this.#closed) break;
      this.#queue.delete(key);
      if (performance.now() - turn > TURN_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        turn = performance.now();
      }
      await this.#work(key);
    }
    this.#running = false;
  }

  async #work(key: string): Promise<void> {
    try {
      const again = await this.#options.work(key);
      this.#failures.delete(key);
      if (again !== undefined) this.add(key, again);
    } catch (error) {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      // Someone else wrote the object first: the next look sees it. What else goes wrong is tried again until it works.
      const conflict = isStatusError(error) && error.code === 409 && failures < 5;
      this.add(key, conflict ? 0 : Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures));
    }
  }
}

/** A delay between two bounds in ms. */
export type DelayRange = readonly [min: number, max: number];

/** A delay in the range. */
export function pickDelay(range: DelayRange, random: Random): number {
  return range[0] + Math.floor(random.next() * (range[1] - range[0]));
}
