import type { Clock, TimerHandle } from '@kubewright/api';
import { QUEUE_DEFAULTS } from './defaults.js';
import type { Entry } from './entry.js';

/** The delay layer: entries by due time on one timer (Q5, Q9), a binary heap that knows where each entry stands. */
export class DelayLine {
  readonly #clock: Clock;
  readonly #onDue: (entry: Entry, now: number) => void;
  readonly #heap: Entry[] = [];
  #sequence = 0;
  #timer: TimerHandle | undefined;
  #armedFor = Infinity;

  /** `onDue` gets each entry once, in order of due time; it has left the line then. */
  constructor(clock: Clock, onDue: (entry: Entry, now: number) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  insert(entry: Entry, due: number, now: number): void {
    entry.due = due;
    entry.sequence = this.#sequence++;
    entry.slot = this.#heap.length;
    this.#heap.push(entry);
    this.#up(entry);
    this.#arm(now);
  }

  /** Gives an entry of the line another due time. */
  move(entry: Entry, due: number, now: number): void {
    entry.due = due;
    this.#up(entry);
    this.#down(entry);
    this.#arm(now);
  }

  remove(entry: Entry): void {
    const last = this.#heap.pop() as Entry;
    if (last !== entry) {
      this.#put(last, entry.slot);
      this.#up(last);
      this.#down(last);
    }
    entry.slot = -1;
  }

  clear(): void {
    this.#heap.length = 0;
    this.#disarm();
  }

  /** In no particular order. */
  entries(): Iterable<Entry> {
    return this.#heap;
  }

  /** A timer for an earlier entry that left is let run: it finds nothing due and arms the next. */
  #arm(now: number): void {
    const due = this.#heap[0]?.due ?? Infinity;
    if (due >= this.#armedFor || due === Infinity) return;
    this.#disarm();
    const wait = Math.min(Math.max(Math.ceil(due - now), 1), QUEUE_DEFAULTS.longestTimer);
    this.#armedFor = due;
    this.#timer = this.#clock.setTimeout(this.#fire, wait);
  }

  #disarm(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#armedFor = Infinity;
  }

  readonly #fire = (): void => {
    this.#timer = undefined;
    this.#armedFor = Infinity;
    const now = this.#clock.monotonic();
    for (let first = this.#heap[0]; first !== undefined && first.due <= now; first = this.#heap[0]) {
      this.remove(first);
      this.#onDue(first, now);
    }
    this.#arm(now);
  };

  #put(entry: Entry, slot: number): void {
    entry.slot = slot;
    this.#heap[slot] = entry;
  }

  #up(entry: Entry): void {
    let slot = entry.slot;
    while (slot > 0) {
      const parent = this.#heap[(slot - 1) >> 1] as Entry;
      if (!before(entry, parent)) break;
      this.#put(parent, slot);
      slot = (slot - 1) >> 1;
    }
    this.#put(entry, slot);
  }

  #down(entry: Entry): void {
    let slot = entry.slot;
    for (;;) {
      const left = 2 * slot + 1;
      if (left >= this.#heap.length) break;
      const right = left + 1;
      const child = this.#heap[
        right < this.#heap.length && before(this.#heap[right] as Entry, this.#heap[left] as Entry) ? right : left
      ] as Entry;
      if (!before(child, entry)) break;
      const childSlot = child.slot;
      this.#put(child, slot);
      slot = childSlot;
    }
    this.#put(entry, slot);
  }
}

const before = (a: Entry, b: Entry): boolean => a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
