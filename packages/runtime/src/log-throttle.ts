import type { Clock } from '@kubewright/api';

const PERIOD = 60_000;
const REMEMBERED = 1_000;

interface Told {
  readonly since: number;
  times: number;
  left: number;
}

/** The same text from the same place is logged once a minute, with a count of what was left out (M18). */
export class LogThrottle {
  readonly #clock: Clock;
  readonly #texts = new Map<string, Told>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * How often the text was left out since it was last logged; undefined when it is to be left out now. `most`: lines a
   * minute.
   */
  admit(text: string, most: number = 1): number | undefined {
    const now = this.#clock.monotonic();
    const known = this.#texts.get(text);
    if (known !== undefined && now - known.since < PERIOD) {
      if (known.times < most) {
        known.times += 1;
        return 0;
      }
      known.left += 1;
      return undefined;
    }
    this.#texts.delete(text);
    this.#texts.set(text, { since: now, times: 1, left: 0 });
    if (this.#texts.size > REMEMBERED) this.#forgetOldest();
    return known?.left ?? 0;
  }

  /** The map is ordered by `since`. */
  #forgetOldest(): void {
    for (const text of this.#texts.keys()) {
      this.#texts.delete(text);
      return;
    }
  }
}
