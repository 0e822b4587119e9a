import { failure, internal } from '../core/errors.js';
import type { Clock, StatusDetails } from '../core/types.js';
import { fits } from './match.js';
import type { RequestFacts, RequestMatch } from './match.js';

/** The answer of a fault: a Status, a late real answer, no answer ever, or a broken connection. */
export type FaultReply =
  | { readonly code: number; readonly reason?: string; readonly message?: string; readonly retryAfterSeconds?: number }
  | { readonly delayMs: number }
  | { readonly hang: true }
  | { readonly reset: true };

/** A fault to inject (TC-1). */
export interface Fault {
  readonly match: RequestMatch;
  /** Matching requests to let pass first; default 0. */
  readonly skip?: number;
  /** Matching requests to hit; default 1. */
  readonly times?: number;
  /** `after`: the request runs for real and only its answer is replaced; default `before`. */
  readonly phase?: 'before' | 'after';
  readonly reply: FaultReply;
}

/** A fault that is set, with what is left of it. */
export interface ActiveFault extends Fault {
  readonly id: string;
  readonly skipLeft: number;
  readonly timesLeft: number;
}

/** The connection of a request shall hang or break; the HTTP server and a fake client each do it their way. */
export class ConnectionFault extends Error {
  override readonly name: string = 'ConnectionFault';
  readonly kind: 'hang' | 'reset';

  constructor(kind: 'hang' | 'reset') {
    super(
      kind === 'hang'
        ? 'the request is left without an answer (injected fault)'
        : 'the connection is reset (injected fault)',
    );
    this.kind = kind;
  }
}

/** Reasons of Statuses that are injected by their code alone. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Faults that are set, and the decision for each request. */
export class Faults {
  readonly #active: { fault: Fault; id: string; skipLeft: number; timesLeft: number }[] = [];
  readonly #clock: Clock;
  readonly #injected = new WeakSet<object>();
  #nextId = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets a fault; answers its id. */
  inject(fault: Fault): string {
    const id = String(this.#nextId++);
    this.#active.push({ fault, id, skipLeft: fault.skip ?? 0, timesLeft: fault.times ?? 1 });
    return id;
  }

  list(): ActiveFault[] {
    return this.#active.map(({ fault, id, skipLeft, timesLeft }) => ({ ...fault, id, skipLeft, timesLeft }));
  }

  /** Takes one fault back, or all. */
  clear(id?: string): void {
    const kept = id === undefined ? [] : this.#active.filter((active) => active.id !== id);
    this.#active.splice(0, this.#active.length, ...kept);
  }

  /** Whether an error was made here and not by the server. */
  injected(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#injected.has(error);
  }

  /** Runs a request under the faults that are set. */
  async apply<T>(facts: RequestFacts, request: () => Promise<T>): Promise<T> {
    const fault = this.#active.length ? this.#take(facts) : undefined;
    if (!fault) return request();
    const { reply } = fault;
    if ('delayMs' in reply) {
      if (fault.phase === 'after') {
        const result = await request();
        await this.#wait(reply.delayMs);
        return result;
      }
      await this.#wait(reply.delayMs);
      return request();
    }
    if (fault.phase === 'after') await request();
    throw this.#error(reply);
  }

  #take(facts: RequestFacts): Fault | undefined {
    for (const active of this.#active) {
      if (!fits(active.fault.match, facts)) continue;
      if (active.skipLeft > 0) {
        active.skipLeft--;
        continue;
      }
      active.timesLeft--;
      if (active.timesLeft <= 0) this.#active.splice(this.#active.indexOf(active), 1);
      return active.fault;
    }
    return undefined;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve));
  }

  #error(reply: Exclude<FaultReply, { delayMs: number }>): Error {
    const error = 'code' in reply ? statusOf(reply) : new ConnectionFault('hang' in reply ? 'hang' : 'reset');
    this.#injected.add(error);
    return error;
  }
}

function statusOf(reply: Extract<FaultReply, { code: number }>): Error {
  const { code, reason = REASONS[code] ?? '', message = 'injected fault', retryAfterSeconds } = reply;
  if (code === 500 && reason === 'InternalError') return internal(message);
  const details: StatusDetails | undefined = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
  return failure(code, reason, message, details);
}
