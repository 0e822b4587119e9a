import type { Socket } from 'node:net';
import type { Exchange } from './exchange.js';

/** What becomes of a request. */
export type Harm = (exchange: Exchange) => void | Promise<void>;

/** One way in which the road between operator and server goes wrong. */
export interface Fault {
  readonly name: string;
  /** Which requests it may strike. Faults of connections strike none. */
  readonly strikes: (exchange: Exchange) => boolean;
  /** What becomes of a request it strikes. */
  readonly harm?: Harm;
  /** What becomes of a new connection. */
  readonly connection?: (socket: Socket) => void;
  /** How many times it strikes when it is tried alone. Default 3. */
  readonly times?: number;
  /** The server has no streaming lists, so that the first load is pages. Default false. */
  readonly pages?: boolean;
}

/** Decides for each request and connection whether something happens to it. */
export interface FaultPlan {
  onRequest(exchange: Exchange): Harm | undefined;
  onConnection(): Fault['connection'];
}

/** One fault, so many times, and nothing after that. */
export class FaultAlone implements FaultPlan {
  readonly wanted: number;
  #strikes = 0;
  readonly #fault: Fault;

  constructor(fault: Fault) {
    this.#fault = fault;
    this.wanted = fault.times ?? 3;
  }

  /** How often it struck so far. */
  get strikes(): number {
    return this.#strikes;
  }

  onRequest(exchange: Exchange): Harm | undefined {
    const { harm, strikes, pages } = this.#fault;
    if (harm && this.#strikes < this.wanted && strikes(exchange)) {
      this.#strikes++;
      return harm;
    }
    return pages && exchange.query.has('sendInitialEvents') ? refuseStreamingList : undefined;
  }

  onConnection(): Fault['connection'] {
    const { connection } = this.#fault;
    if (!connection || this.#strikes >= this.wanted) return undefined;
    this.#strikes++;
    return connection;
  }
}

/** Any of the faults, at random, until it is told to end. */
export class FaultMix implements FaultPlan {
  readonly counts: Map<string, number> = new Map<string, number>();
  readonly #faults: readonly Fault[];
  readonly #random: () => number;
  #ended = false;

  constructor(faults: readonly Fault[], random: () => number) {
    this.#faults = faults;
    this.#random = random;
  }

  /** No fault from now on; those under way run out. */
  end(): void {
    this.#ended = true;
  }

  onRequest(exchange: Exchange): Harm | undefined {
    return this.#pick((fault) => fault.harm !== undefined && fault.strikes(exchange))?.harm;
  }

  onConnection(): Fault['connection'] {
    return this.#pick((fault) => fault.connection !== undefined)?.connection;
  }

  /** A quarter of all goes wrong. */
  #pick(fits: (fault: Fault) => boolean): Fault | undefined {
    if (this.#ended || this.#random() >= 0.25) return undefined;
    const fitting = this.#faults.filter(fits);
    const fault = fitting[Math.floor(this.#random() * fitting.length)];
    if (fault) this.counts.set(fault.name, (this.counts.get(fault.name) ?? 0) + 1);
    return fault;
  }
}

/** A Status as API servers write it. */
export const statusText = (code: number, reason: string, message: string, more: object = {}): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code, ...more });

const refuseStreamingList = (exchange: Exchange): void =>
  exchange.answer(422, statusText(422, 'Invalid', 'sendInitialEvents is forbidden for watch unless the feature is on'));
