import { type ObjectEvent, requestKey, type TimerHandle } from '@kubewright/api';
import { errorFields } from '../error-fields.js';
import type { SourceHost } from './contract.js';
import { SOURCE_DEFAULTS } from './defaults.js';
import { requestOf } from './event-object.js';

/** What is kept of an object while its handler runs asynchronously or is to be called again. */
interface Calls {
  readonly waiting: ObjectEvent[];
  running: boolean;
  failures: number;
  retry: TimerHandle | undefined;
}

/**
 * Calls a handler so that events of one object reach it in order, and a call that failed is repeated until it, or a
 * newer event of the object, succeeds (E10). A handler that answers at once and does not throw costs no memory.
 */
export class HandlerCalls {
  readonly #handle: (event: ObjectEvent) => void | Promise<void>;
  readonly #host: SourceHost;
  readonly #label: string;
  readonly #open = new Map<string, Calls>();
  #stopped = false;

  constructor(handle: (event: ObjectEvent) => void | Promise<void>, host: SourceHost, label: string) {
    this.#handle = handle;
    this.#host = host;
    this.#label = label;
  }

  deliver(event: ObjectEvent): void {
    if (this.#open.size > 0) {
      const calls = this.#open.get(requestKey(requestOf(event)));
      if (calls !== undefined) {
        calls.waiting.push(event);
        if (!calls.running) this.#next(calls, requestKey(requestOf(event)));
        return;
      }
    }
    const outcome = this.#call(event);
    if (outcome === true) return;
    const key = requestKey(requestOf(event));
    const calls: Calls = { waiting: [], running: false, failures: 0, retry: undefined };
    this.#open.set(key, calls);
    if (outcome === false) this.#failed(calls, key, event);
    else this.#await(calls, key, { event, outcome });
  }

  stop(): void {
    this.#stopped = true;
    for (const { retry } of this.#open.values()) if (retry !== undefined) this.#host.clock.clearTimeout(retry);
    this.#open.clear();
  }

  /** True: handled. False: failed. A promise tells later, and never rejects. */
  #call(event: ObjectEvent): boolean | Promise<boolean> {
    try {
      const answer: unknown = this.#handle(event);
      if (typeof answer !== 'object' || answer === null || !('then' in answer)) return true;
      return this.#limited(Promise.resolve(answer));
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  #limited(answer: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#host.clock.setTimeout(() => {
        this.#report(new Error(`no answer within ${SOURCE_DEFAULTS.handlerTimeout / 1000} s`));
        resolve(false);
      }, SOURCE_DEFAULTS.handlerTimeout);
      answer.then(
        () => {
          this.#host.clock.clearTimeout(timer);
          resolve(true);
        },
        (error: unknown) => {
          this.#host.clock.clearTimeout(timer);
          this.#report(error);
          resolve(false);
        },
      );
    });
  }

  #next(calls: Calls, key: string): void {
    if (calls.retry !== undefined) this.#host.clock.clearTimeout(calls.retry);
    calls.retry = undefined;
    for (let event = calls.waiting.shift(); event !== undefined; event = calls.waiting.shift()) {
      const outcome = this.#call(event);
      if (outcome === true) {
        calls.failures = 0;
      } else if (outcome === false) {
        // A newer event takes the place of the one that failed.
        if (calls.waiting.length === 0) return this.#failed(calls, key, event);
      } else {
        return this.#await(calls, key, { event, outcome });
      }
    }
    this.#open.delete(key);
  }

  #await(calls: Calls, key: string, call: { event: ObjectEvent; outcome: Promise<boolean> }): void {
    calls.running = true;
    void call.outcome.then((handled) => {
      calls.running = false;
      if (this.#stopped) return;
      if (handled) calls.failures = 0;
      if (handled || calls.waiting.length > 0) this.#next(calls, key);
      else this.#failed(calls, key, call.event);
    });
  }

  #failed(calls: Calls, key: string, event: ObjectEvent): void {
    const { handlerRetryBase, handlerRetryMax } = SOURCE_DEFAULTS;
    const wait = Math.min(handlerRetryBase * 2 ** calls.failures, handlerRetryMax);
    calls.failures += 1;
    calls.retry = this.#host.clock.setTimeout(() => {
      calls.waiting.unshift(event);
      this.#next(calls, key);
    }, wait);
  }

  #report(error: unknown): void {
    if (this.#stopped) return;
    this.#host.counters.handlerErrors += 1;
    const left = this.#host.throttle.admit(`${this.#label} handler ${String(error)}`);
    if (left !== undefined)
      this.#host.logger.error(
        { err: errorFields(error), source: this.#label, repeated: left },
        'an event handler failed; it is called again',
      );
  }
}
