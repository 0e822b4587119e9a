import { type Request, requestKey, type TimerHandle } from '@kubewright/api';
import type { HandlerRegistration, Informer } from '../cache/contract.js';
import type { Source, SourceHost } from './contract.js';
import { SOURCE_DEFAULTS } from './defaults.js';
import { requestOf } from './event-object.js';

/** Options of {@link EverySource}. */
export interface EverySourceOptions {
  /** For messages: `PodSetController @Every(10m)`. */
  readonly label: string;
  /** Ms, more than 0. */
  readonly interval: number;
  /** Of the kind that the controller reconciles, one for each scope. */
  readonly informers: readonly Informer[];
  /** Kind of the primary objects, for causes. */
  readonly kind?: string | undefined;
}

interface Round {
  /** Monotonic ms. */
  readonly began: number;
  readonly keys: readonly string[];
  /** How many of the keys were enqueued. */
  told: number;
}

/** Enqueues all primary objects each interval, spread evenly over it; the first after one interval (E13). */
export class EverySource implements Source {
  readonly label: string;
  readonly optional: boolean = true;
  readonly synced: Promise<void> = Promise.resolve();
  readonly #options: EverySourceOptions;
  readonly #primaries = new Map<string, Request>();
  readonly #registrations: HandlerRegistration[] = [];
  #timer: TimerHandle | undefined;
  #host: SourceHost | undefined;
  #round: Round = { began: 0, keys: [], told: 0 };

  constructor(options: EverySourceOptions) {
    this.label = options.label;
    this.#options = options;
  }

  start(host: SourceHost): void {
    this.#host = host;
    for (const informer of this.#options.informers)
      this.#registrations.push(
        informer.addHandler((event) => {
          const request = requestOf(event);
          if (event.type === 'delete') this.#primaries.delete(requestKey(request));
          else if (event.type === 'create') this.#primaries.set(requestKey(request), request);
        }),
      );
    this.#round = { began: host.clock.monotonic(), keys: [], told: 0 };
    this.#tick();
  }

  isSynced(): boolean {
    return true;
  }

  stop(): void {
    for (const registration of this.#registrations) registration.dispose();
    if (this.#timer !== undefined) this.#host?.clock.clearTimeout(this.#timer);
    this.#primaries.clear();
    this.#host = undefined;
  }

  /** Tells whatever is due, then waits for the next. */
  readonly #tick = (): void => {
    const { clock } = this.#host as SourceHost;
    const { interval } = this.#options;
    const now = clock.monotonic();
    let round = this.#round;
    if (now >= round.began + interval) {
      this.#tell(round, Infinity);
      // A process that slept through some rounds does not make up for them.
      const began = Math.max(round.began + interval, now - interval);
      round = { began, keys: [...this.#primaries.keys()], told: 0 };
      this.#round = round;
    }
    this.#tell(round, now);
    const next = round.told < round.keys.length ? dueOf(round, interval) : round.began + interval;
    const wait = Math.min(Math.max(next - now, SOURCE_DEFAULTS.everyTick), 2 ** 31 - 1);
    this.#timer = clock.setTimeout(this.#tick, wait);
  };

  #tell(round: Round, until: number): void {
    const { kind, interval } = this.#options;
    const host = this.#host as SourceHost;
    for (; round.told < round.keys.length && dueOf(round, interval) <= until; round.told++) {
      const request = this.#primaries.get(round.keys[round.told] as string);
      // Undefined: deleted meanwhile.
      if (request) host.enqueue(request, { cause: { type: 'every', kind, at: host.clock.now() } });
    }
  }
}

const dueOf = (round: Round, interval: number): number => round.began + (round.told * interval) / round.keys.length;
