import type { Entry } from './entry.js';

interface Lane {
  readonly level: number;
  first: Entry | undefined;
  last: Entry | undefined;
}

/**
 * The priority layer: higher levels first, first-in-first-out within one (Q5), and long waiters move up (Q16).
 * Entries of one lane are ordered by `laneSince`, so the head is always the longest in its lane.
 */
export class ReadyLanes {
  readonly #promoteAfter: number;
  /** Lanes in use, lowest level first. */
  readonly #lanes: Lane[] = [];
  #size = 0;

  /** `promoteAfter` in ms, 0 = never. */
  constructor(promoteAfter: number) {
    this.#promoteAfter = promoteAfter;
  }

  get size(): number {
    return this.#size;
  }

  /** Puts the entry at the end of its priority's level. */
  push(entry: Entry, now: number): void {
    this.#size += 1;
    this.#append(this.#laneFor(entry.priority), entry, now);
  }

  /** The entry's priority was raised: to the end of the new level, if that is above where it stands. */
  raise(entry: Entry, now: number): void {
    if (entry.priority <= entry.lane) return;
    this.#unlink(entry);
    this.#append(this.#laneFor(entry.priority), entry, now);
  }

  shift(now: number): Entry | undefined {
    if (this.#lanes.length > 1 && this.#promoteAfter > 0) this.#promote(now);
    const entry = this.#lanes.at(-1)?.first;
    if (entry === undefined) return undefined;
    this.#unlink(entry);
    this.#size -= 1;
    return entry;
  }

  clear(): void {
    this.#lanes.length = 0;
    this.#size = 0;
  }

  /** In the order of hand-out. */
  *entries(): Generator<Entry> {
    for (const lane of this.#lanes.toReversed())
      for (let entry = lane.first; entry !== undefined; entry = entry.next) yield entry;
  }

  /** From the top down, so that one look moves an entry by one level at most. */
  #promote(now: number): void {
    for (let index = this.#lanes.length - 2; index >= 0; index--) {
      const lane = this.#lanes[index] as Lane;
      const above = this.#lanes[index + 1] as Lane;
      for (let head = lane.first; head !== undefined; head = lane.first) {
        if (now - head.laneSince < this.#promoteAfter) break;
        this.#unlink(head);
        this.#append(above, head, now);
      }
    }
  }

  #append(lane: Lane, entry: Entry, now: number): void {
    entry.lane = lane.level;
    entry.laneSince = now;
    entry.previous = lane.last;
    entry.next = undefined;
    if (lane.last === undefined) lane.first = entry;
    else lane.last.next = entry;
    lane.last = entry;
  }

  #unlink(entry: Entry): void {
    const index = this.#indexOf(entry.lane);
    const lane = this.#lanes[index] as Lane;
    if (entry.previous === undefined) lane.first = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next === undefined) lane.last = entry.previous;
    else entry.next.previous = entry.previous;
    entry.previous = undefined;
    entry.next = undefined;
    if (lane.first === undefined) this.#lanes.splice(index, 1);
  }

  #laneFor(level: number): Lane {
    const index = this.#indexOf(level);
    const found = this.#lanes[index];
    if (found?.level === level) return found;
    const lane: Lane = { level, first: undefined, last: undefined };
    this.#lanes.splice(index, 0, lane);
    return lane;
  }

  /** Index of the level, or where it belongs. */
  #indexOf(level: number): number {
    let low = 0;
    let high = this.#lanes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lanes[middle] as Lane).level < level) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
