import { type Clock, type Duration, parseDuration, type TimerHandle } from '@kubewright/api';

interface VirtualTimer {
  readonly due: number;
  readonly seq: number;
  readonly run: () => void;
}

/** Time that moves only when told to: a back-off of 1000 s is tested in a millisecond. */
export class VirtualClock implements Clock {
  #monotonic = 0;
  #wall: number;
  #seq = 0;
  readonly #timers = new Set<VirtualTimer>();

  /** `wall` is the wall clock at the start, ms since the epoch. Default 2026-01-01T00:00:00Z. */
  constructor(wall: number = Date.UTC(2026, 0, 1)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** A wait above 2³¹−1 ms fires after 1 ms, as Node's own timers do. */
  setTimeout(run: () => void, ms: number): TimerHandle {
    const wait = ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1;
    const timer: VirtualTimer = { due: this.#monotonic + wait, seq: this.#seq++, run };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: TimerHandle): void {
    this.#timers.delete(timer as VirtualTimer);
  }

  yield(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  /** Ms until the next timer; undefined when none is set. */
  nextTimerIn(): number | undefined {
    const next = this.#earliest();
    return next === undefined ? undefined : Math.max(0, next.due - this.#monotonic);
  }

  /** Timers that are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Moves the wall clock alone, as an administrator or NTP does. */
  jumpWall(ms: number): void {
    this.#wall += ms;
  }

  /** Moves time on and fires what comes due, in order, letting the event loop run after each timer. */
  async advance(duration: Duration): Promise<void> {
    const end = this.#monotonic + parseDuration(duration);
    await this.settle();
    while (this.#fireNext(end)) await this.settle();
    this.#moveTo(end);
    await this.settle();
  }

  /** {@link advance} without letting anything asynchronous happen between timers. */
  advanceSync(duration: Duration): void {
    const end = this.#monotonic + parseDuration(duration);
    while (this.#fireNext(end));
    this.#moveTo(end);
  }

  /** Lets pending promises and immediates run; time stands still. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await this.yield();
  }

  #fireNext(end: number): boolean {
    const next = this.#earliest();
    if (next === undefined || next.due > end) return false;
    this.#moveTo(next.due);
    this.#timers.delete(next);
    next.run();
    return true;
  }

  #moveTo(monotonic: number): void {
    if (monotonic <= this.#monotonic) return;
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }

  #earliest(): VirtualTimer | undefined {
    let earliest: VirtualTimer | undefined;
    for (const timer of this.#timers)
      if (
        earliest === undefined ||
        timer.due < earliest.due ||
        (timer.due === earliest.due && timer.seq < earliest.seq)
      )
        earliest = timer;
    return earliest;
  }
}
