import { brand, isBranded } from './brand.js';
import { type Duration, parseDuration } from './duration.js';

export interface RequeueAfterOptions {
  /** Queue priority of the next run, −1000…1000. Default: that of this run. */
  readonly priority?: number;
  /** Fraction of the delay by which it may be shortened at random, 0…1. Default 0. */
  readonly jitter?: number;
}

/** What a reconcile wants next. Made by the static functions only. */
export class Result {
  readonly type: 'done' | 'requeue' | 'requeueAfter';
  /** Milliseconds; set for `requeueAfter`. */
  readonly delay: number;
  readonly priority: number | undefined;
  readonly jitter: number;

  private constructor(type: Result['type'], delay = 0, options: RequeueAfterOptions = {}) {
    this.type = type;
    this.delay = delay;
    this.priority = options.priority;
    this.jitter = options.jitter ?? 0;
  }

  private static readonly doneResult: Result = new Result('done');
  private static readonly requeueResult: Result = new Result('requeue');

  /** Nothing more to do until something changes. */
  static done(): Result {
    return Result.doneResult;
  }

  /** Not finished: run again after the back-off of this key. */
  static requeue(): Result {
    return Result.requeueResult;
  }

  /** Run again at the latest after `delay` (from 1 ms on); an earlier event replaces it (C8, C12). */
  static requeueAfter(delay: Duration, options: RequeueAfterOptions = {}): Result {
    const ms = parseDuration(delay);
    if (ms < 1)
      throw new RangeError(
        `Result.requeueAfter(${String(delay)}): the delay must be at least 1 ms; use Result.requeue() to try again with back-off`,
      );
    const { jitter, priority } = options;
    if (jitter !== undefined && !(jitter >= 0 && jitter <= 1))
      throw new RangeError(`Result.requeueAfter: jitter ${jitter} is not between 0 and 1`);
    if (priority !== undefined && !(Number.isInteger(priority) && Math.abs(priority) <= 1000))
      throw new RangeError(`Result.requeueAfter: priority ${priority} is not a whole number from -1000 to 1000`);
    return new Result('requeueAfter', ms, options);
  }

  /** Recognises results of another copy of this package too. */
  static is(value: unknown): value is Result {
    return isBranded(value, 'result');
  }
}
brand(Result.prototype, 'result');
