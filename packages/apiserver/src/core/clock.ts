import type { Clock, TimerHandle } from './types.js';

/** The longest delay that setTimeout takes; a longer one is armed in steps. */
const MAX_DELAY = 2 ** 31 - 1;

interface Timer {
  due: number;
  run: () => void;
  armed: NodeJS.Timeout | undefined;
}

/**
 * Wall clock that tests can stop and move (TC-7). Running, it follows the system clock plus what it was advanced by; frozen,
 * time passes only by `advance`, which runs the timers that fall due in their order.
 */
export class ControllableClock implements Clock {
  #offset = 0;
  #frozenAt: number | undefined;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offset;
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  after(ms: number, run: () => void): TimerHandle {
    const timer: Timer = { due: this.now() + Math.max(0, ms), run, armed: undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return { cancel: () => this.#drop(timer) };
  }

  /** Stops time at `at` (ms since the epoch, default now). Moving back leaves timers at the time they are due. */
  freeze(at: number = this.now()): void {
    this.#frozenAt = at;
    for (const timer of this.#timers) this.#disarm(timer);
  }

  /** Moves time forward and runs what falls due on the way. */
  advance(ms: number): void {
    const wasFrozen = this.frozen;
    const target = this.now() + ms;
    for (;;) {
      const next = this.#earliest();
      if (!next || next.due > target) break;
      this.#frozenAt = Math.max(this.now(), next.due);
      this.#timers.delete(next);
      this.#disarm(next);
      next.run();
    }
    this.#frozenAt = target;
    if (!wasFrozen) this.resume();
  }

  /** Lets time run on from where it stands. */
  resume(): void {
    if (this.#frozenAt === undefined) return;
    this.#offset = this.#frozenAt - Date.now();
    this.#frozenAt = undefined;
    for (const timer of this.#timers) {
      this.#disarm(timer);
      this.#arm(timer);
    }
  }

  /** Cancels all timers. */
  close(): void {
    for (const timer of this.#timers) this.#drop(timer);
  }

  #earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.#timers) if (!earliest || timer.due < earliest.due) earliest = timer;
    return earliest;
  }

  #arm(timer: Timer): void {
    if (this.frozen) return;
    const wait = Math.min(MAX_DELAY, Math.max(0, timer.due - this.now()));
    timer.armed = setTimeout(() => {
      if (timer.due - this.now() >= 1) {
        this.#arm(timer);
        return;
      }
      this.#timers.delete(timer);
      timer.run();
    }, wait);
    timer.armed.unref();
  }

  #disarm(timer: Timer): void {
    clearTimeout(timer.armed);
    timer.armed = undefined;
  }

  #drop(timer: Timer): void {
    this.#disarm(timer);
    this.#timers.delete(timer);
  }
}

/** Seconds of RFC 3339 in UTC, the form of Kubernetes timestamps (ME-1). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
