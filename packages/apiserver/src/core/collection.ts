import type { KubeObject, StoreEvent } from './types.js';

/** Objects of one storage at one revision: `keys[from … to)` in order, and what each key holds. Read it before anything is written. */
export interface View {
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
  get(key: string): KubeObject;
}

/** The index of the first key that is not below `key`. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The end of the range of keys that begin with `prefix`: no key holds a character above U+FFFF's last. */
const AFTER = '\uffff';

/** Current objects of one resource in key order, and the events of its history window (ST-2, ST-3). */
export class Collection {
  readonly storage: string;
  readonly #objects = new Map<string, KubeObject>();
  #keys: string[] = [];
  /** `#log[#head …]` is the window; `#times` holds when each event was stored. */
  #log: StoreEvent[] = [];
  #times: number[] = [];
  #head = 0;
  #floor: number;

  constructor(storage: string, revision: number) {
    this.storage = storage;
    this.#floor = revision;
  }

  /** Every event after this revision is still held. */
  get floor(): number {
    return this.#floor;
  }

  /** The revision before the oldest event still held (WA-3). */
  get oldest(): number {
    const first = this.#log[this.#head];
    return first ? first.revision - 1 : this.#floor;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  /** All current objects in key order. */
  values(): KubeObject[] {
    return this.#keys.map((key) => this.#objects.get(key) as KubeObject);
  }

  apply(event: StoreEvent, at: number): void {
    if (event.type === 'DELETED') {
      this.#objects.delete(event.key);
      this.#keys.splice(lowerBound(this.#keys, event.key), 1);
    } else {
      if (!this.#objects.has(event.key)) {
        const keys = this.#keys;
        const last = keys[keys.length - 1];
        if (last === undefined || last < event.key) keys.push(event.key);
        else keys.splice(lowerBound(keys, event.key), 0, event.key);
      }
      this.#objects.set(event.key, event.object);
    }
    this.#log.push(event);
    this.#times.push(at);
  }

  /** Drops events beyond `count` or stored before `since`. */
  trim(count: number, since: number): void {
    let head = Math.max(this.#head, this.#log.length - count);
    while (head < this.#log.length && (this.#times[head] as number) < since) head++;
    this.#dropTo(head);
  }

  /** Drops the events up to `revision` (TC-5). */
  compact(revision: number): void {
    let head = this.#head;
    while (head < this.#log.length && (this.#log[head] as StoreEvent).revision <= revision) head++;
    this.#dropTo(head);
    this.#floor = Math.max(this.#floor, revision);
  }

  /** Events after `revision` in order. */
  since(revision: number): readonly StoreEvent[] {
    let low = this.#head;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#log[middle] as StoreEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#log.slice(low);
  }

  /** What keys with `prefix` held at `revision`, which must not be below the floor; default now. */
  view(prefix: string, revision?: number): View {
    const undone = new Map<string, KubeObject | undefined>();
    if (revision !== undefined) {
      for (let i = this.#log.length - 1; i >= this.#head; i--) {
        const event = this.#log[i] as StoreEvent;
        if (event.revision <= revision) break;
        if (event.key.startsWith(prefix)) undone.set(event.key, event.previous);
      }
    }
    const from = lowerBound(this.#keys, prefix);
    const to = prefix ? lowerBound(this.#keys, prefix + AFTER) : this.#keys.length;
    const get = (key: string): KubeObject => this.#objects.get(key) as KubeObject;
    if (!undone.size) return { keys: this.#keys, from, to, get };
    const keys = this.#keys.slice(from, to).filter((key) => !undone.has(key));
    for (const [key, object] of undone) if (object) keys.push(key);
    keys.sort(byCodeUnit);
    return { keys, from: 0, to: keys.length, get: (key) => undone.get(key) ?? get(key) };
  }

  /** Replaces the content; the history before `revision` is gone (TC-9). */
  reset(objects: ReadonlyMap<string, KubeObject>, revision: number): void {
    this.#objects.clear();
    for (const [key, object] of objects) this.#objects.set(key, object);
    this.#keys = [...objects.keys()].sort(byCodeUnit);
    this.#log = [];
    this.#times = [];
    this.#head = 0;
    this.#floor = revision;
  }

  /** The current map, shared by nobody. */
  content(): Map<string, KubeObject> {
    return new Map(this.#objects);
  }

  #dropTo(head: number): void {
    if (head <= this.#head) return;
    this.#floor = Math.max(this.#floor, (this.#log[head - 1] as StoreEvent).revision);
    this.#head = head;
    // Amortised: the arrays are shortened only when at least half of them is dead.
    if (head > 1024 && head * 2 > this.#log.length) {
      this.#log = this.#log.slice(head);
      this.#times = this.#times.slice(head);
      this.#head = 0;
    }
  }
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
