import { fits } from './match.js';
import type { RequestMatch } from './match.js';

/** One answered request (TC-10). */
export interface RequestRecord {
  readonly auditId: string;
  /** RFC 3339 with ms, by the clock of the server. */
  readonly time: string;
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  readonly query: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly code: number;
  readonly reason: string;
  readonly durationMs: number;
  /** Store revision when the answer had been sent. */
  readonly revision: string;
  /** The answer was an injected fault. */
  readonly injected: boolean;
  /** The body that was sent, as text, when bodies are captured; never that of a Secret. */
  readonly body?: string;
}

/** A match that may also name the answer. */
export interface RequestFilter extends RequestMatch {
  code?: number;
  reason?: string;
}

/** Requests kept. */
const CAPACITY = 10_000;

/** The last requests, oldest first. */
export class RequestLog {
  /** Whether bodies are kept from now on; default false. They may hold what should not lie around. */
  captureBodies = false;
  #records: RequestRecord[] = [];
  readonly #waiting = new Set<(record: RequestRecord) => void>();

  add(record: RequestRecord): void {
    this.#records.push(record);
    // Cut in halves, so that a full ring does not move on each request.
    if (this.#records.length >= CAPACITY * 2) this.#records = this.#records.slice(-CAPACITY);
    for (const tell of this.#waiting) tell(record);
  }

  list(filter: RequestFilter = {}): RequestRecord[] {
    return this.#records.slice(-CAPACITY).filter((record) => matches(filter, record));
  }

  clear(): void {
    this.#records = [];
  }

  /** The first request that fits, from those kept or still to come; rejects after `ms` of real time. */
  waitFor(filter: RequestFilter, ms: number): Promise<RequestRecord> {
    const kept = this.list(filter)[0];
    if (kept) return Promise.resolve(kept);
    return new Promise((resolve, reject) => {
      const tell = (record: RequestRecord): void => {
        if (!matches(filter, record)) return;
        clearTimeout(timer);
        this.#waiting.delete(tell);
        resolve(record);
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(tell);
        reject(new Error(`no request like ${JSON.stringify(filter)} was answered in ${ms} ms`));
      }, ms);
      this.#waiting.add(tell);
    });
  }
}

function matches({ code, reason, ...match }: RequestFilter, record: RequestRecord): boolean {
  if (code !== undefined && record.code !== code) return false;
  if (reason !== undefined && record.reason !== reason) return false;
  return fits(match, record);
}
