import { type Clock, isTerminalError, type Logger, type Request, Result } from '@kubewright/api';
import { errorFields } from '../error-fields.js';
import type { LogThrottle } from '../log-throttle.js';
import { errorText } from '../inspector/error-text.js';
import type { Feed } from '../inspector/feed.js';
import type { RunHistory } from '../inspector/run-history.js';
import type { WorkQueue } from '../workqueue/work-queue.js';
import { isPanic, isQuiet, retryAfterOf } from './classify.js';
import type { ControllerCounters } from './counters.js';
import { CONTROLLER_DEFAULTS } from './defaults.js';
import { notAResult, threwNoError } from './errors.js';
import type { Failsafe } from './failsafe.js';
import type { Run } from './run.js';

/** Options of {@link Outcomes}. */
export interface OutcomesOptions {
  readonly controller: string;
  readonly kind: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly throttle: LogThrottle;
  readonly queue: WorkQueue;
  readonly failsafe: Failsafe;
  readonly counters: ControllerCounters;
  readonly history: RunHistory;
  readonly feed: Feed;
  readonly maxRetries: number;
  /** Whether the primary object of a request is there; undefined when that is not known. */
  readonly holds: (request: Request) => boolean | undefined;
}

/** What is kept of a key that did not go well. */
interface Failure {
  /** Monotonic ms when its back-off is over. */
  until: number;
  /** Ms that this back-off took in all. */
  backoff: number;
  /** Quiet errors in a row. */
  quiet: number;
}

/** What a run's end means for its key: the table C7, and the rules C8 to C17 around it. */
export class Outcomes {
  readonly #o: OutcomesOptions;
  readonly #failures = new Map<string, Failure>();

  constructor(options: OutcomesOptions) {
    this.#o = options;
  }

  /** Keys of which more is kept than a fail-safe time. */
  get kept(): number {
    return this.#failures.size;
  }

  /** The key starts afresh: no count, no back-off. */
  forget(key: string): void {
    this.#o.queue.forget(key);
    this.#failures.delete(key);
  }

  returned(run: Run, value: unknown): void {
    if (run.timedOut) return this.threw(run, run.hard.reason);
    if (value === undefined || (Result.is(value) && value.type === 'done')) return this.#done(run);
    if (!Result.is(value)) return this.threw(run, notAResult(this.#o.controller, value));
    if (value.type === 'requeueAfter') return this.#requeueAfter(run, value);
    this.#o.counters.requeue += 1;
    this.#close(run, { result: 'requeue', ...this.#backOff(run, { atLeast: 0, maxRetries: Infinity }) });
  }

  threw(run: Run, thrown: unknown): void {
    const { counters, queue } = this.#o;
    const { key } = run.item;
    if (run.soft.reason !== undefined && !run.timedOut) {
      this.forget(key);
      queue.done(key);
      this.#o.logger.debug({ key, reason: run.soft.reason.message }, 'reconcile aborted');
      return;
    }
    if (isTerminalError(thrown)) {
      counters.error += 1;
      counters.terminal += 1;
      this.forget(key);
      this.#report(run, thrown, 'reconcile failed for good; the next event or fail-safe run tries again');
      this.#close(run, { result: 'error', floor: 0, error: thrown });
      return;
    }
    const quiet = this.#countQuiet(key, thrown);
    const next = this.#backOff(run, { atLeast: retryAfterOf(thrown), maxRetries: this.#o.maxRetries });
    if (quiet) {
      counters.requeue += 1;
      counters.conflicts += 1;
    } else {
      counters.error += 1;
      if (isPanic(thrown)) counters.panics += 1;
      this.#report(
        run,
        thrown,
        next.nextTry === undefined ? 'reconcile failed; no retry is left' : 'reconcile failed',
        next.nextTry,
      );
    }
    this.#close(run, { result: quiet ? 'requeue' : 'error', error: thrown, ...next });
  }

  #done(run: Run): void {
    const { item } = run;
    this.#o.counters.success += 1;
    this.forget(item.key);
    this.#close(run, { result: 'success', floor: 0 });
  }

  #requeueAfter(run: Run, result: Result): void {
    const { counters, queue, random, clock } = this.#o;
    const { item } = run;
    try {
      queue.add(item.request, {
        after: result.delay * (1 - result.jitter * random()),
        priority: result.priority ?? item.priority,
        cause: { type: 'requeueAfter', kind: this.#o.kind, at: clock.now() },
      });
    } catch (error) {
      // A delay or priority that the queue refuses.
      this.threw(run, error);
      return;
    }
    counters.requeueAfter += 1;
    this.forget(item.key);
    this.#close(run, { result: 'requeue_after', floor: 0 });
  }

  /**
   * The key's next try. A run that an event brought forward (C13) costs nothing: count and due time stay, unless the
   * time has passed meanwhile.
   */
  #backOff(run: Run, limits: { atLeast: number; maxRetries: number }): { floor: number; nextTry?: number } {
    const { queue, clock } = this.#o;
    const { key, request, priority } = run.item;
    const now = clock.monotonic();
    const cause = { type: 'retry', kind: this.#o.kind, at: clock.now() } as const;
    const known = this.#failures.get(key);
    if (known !== undefined && run.item.handedOutAt < known.until && now < known.until) {
      const after = Math.max(known.until - now, limits.atLeast);
      known.until = now + after;
      queue.add(request, { after, priority, cause });
      return { floor: Math.min(known.backoff, CONTROLLER_DEFAULTS.earlyRunFloor), nextTry: after };
    }
    if (queue.retries(key) >= limits.maxRetries) return { floor: CONTROLLER_DEFAULTS.earlyRunFloor };
    const after = queue.add(request, { rateLimited: true, after: limits.atLeast, priority, cause });
    if (after === undefined) return { floor: 0 };
    this.#failures.set(key, { until: now + after, backoff: after, quiet: known?.quiet ?? 0 });
    return { floor: Math.min(after, CONTROLLER_DEFAULTS.earlyRunFloor), nextTry: after };
  }

  /** Whether the error is quiet, and the key had not too many of them in a row. */
  #countQuiet(key: string, thrown: unknown): boolean {
    const known = this.#failures.get(key) ?? { until: 0, backoff: 0, quiet: 0 };
    known.quiet = isQuiet(thrown) ? known.quiet + 1 : 0;
    this.#failures.set(key, known);
    return known.quiet > 0 && known.quiet <= CONTROLLER_DEFAULTS.quietErrors;
  }

  #close(run: Run, end: { result: string; floor: number; nextTry?: number; error?: unknown }): void {
    const { queue, failsafe, clock, logger, history, feed } = this.#o;
    const { key, request, handedOutAt } = run.item;
    const now = clock.monotonic();
    const at = clock.now();
    const ms = now - handedOutAt;
    queue.done(key, end);
    if (queue.stopped || (end.result === 'success' && this.#o.holds(request) === false)) {
      failsafe.forget(key);
      history.forget(key);
    } else {
      failsafe.ended(key, request, now);
      history.ended(run, end, at, ms);
    }
    if (feed.active) {
      const error = end.error === undefined ? {} : { error: errorText(end.error) };
      feed.emit({ type: 'run-ended', controller: this.#o.controller, key, result: end.result, at, ms, ...error });
    }
    logger.debug(
      { key, result: end.result, attempt: run.attempt, ms: now - handedOutAt, nextTry: end.nextTry },
      'reconciled',
    );
  }

  #report(run: Run, thrown: unknown, text: string, nextTry?: number): void {
    const error = thrown instanceof Error ? thrown : threwNoError(thrown);
    const { throttle } = this.#o;
    const left = throttle.admit(`${run.item.key} ${error.message}`);
    const others = left === undefined ? undefined : throttle.admit(error.message, CONTROLLER_DEFAULTS.sameFailureLines);
    if (left === undefined || others === undefined) return;
    run.logger.error(
      {
        err: errorFields(error),
        ...(nextTry !== undefined && { nextTryMs: Math.ceil(nextTry) }),
        ...(left > 0 && { repeated: left }),
        ...(others > 0 && { otherKeys: others }),
        ...(writesToCached(error) && { hint: 'the object is from the cache: use mutable(object)' }),
      },
      text,
    );
  }
}

/** Cached objects are frozen (L23); the engine's own text is all that says so. */
const writesToCached = (error: Error): boolean =>
  error instanceof TypeError && /read only property|not extensible|Cannot delete property/.test(error.message);
