import { type Duration, type Logger, parseDuration, type Request } from '@kubewright/api';
import type { CoalesceOptions } from '../workqueue/contract.js';
import type { RateLimiter } from '../workqueue/rate-limiter.js';
import type { WorkQueueOptions } from '../workqueue/work-queue.js';
import { CONTROLLER_DEFAULTS } from './defaults.js';

/** How a controller works (C4). Durations: ms, or text such as `10m`. */
export interface ControllerOptions {
  /** Keys that run at once. Default 1; more overlaps waiting for I/O, and fields of the reconciler are shared by runs. */
  readonly maxConcurrentReconciles?: number;
  /** Default: exponential per key, with a bucket for all (Q13). One instance serves one controller. */
  readonly rateLimiter?: RateLimiter;
  /** Share of a back-off that chance may take off. Default 0.2; 0 makes delays exact. */
  readonly jitter?: number;
  /** A waiting key moves up one priority level that often. Default 30 s; 0: never, low levels can starve. */
  readonly promoteAfter?: Duration;
  /** Merges events that follow each other closely. Default: off. */
  readonly coalesce?: CoalesceOptions;
  /** How long the start waits for its first lists. Default: the manager's, 2 min; 0: for ever. */
  readonly cacheSyncTimeout?: Duration;
  /** A run that takes longer is aborted and retried. Default 10 min; 0: never. */
  readonly reconcileTimeout?: Duration;
  /** A key that rested that long (± 10 %) runs again. Default 10 h; 0: never. */
  readonly failsafeInterval?: Duration;
  /** Retries after which a failing key rests until its next event. Default: no end. */
  readonly maxRetries?: number;
  /** False: a programming error (C4) stops the manager. Default true: it is retried like any error. */
  readonly recoverPanic?: boolean;
  /** False: runs on every replica. Default true: only where the lease is held. */
  readonly needLeaderElection?: boolean;
  /** The controller's start waits for none of its kinds; it engages when they appear (M14). Default false. */
  readonly optional?: boolean;
  /** Logger of a run; `undefined` asks for that of the controller itself. Default: the operator's with the keys of M18. */
  readonly logConstructor?: (request: Request | undefined) => Logger;
}

/** {@link ControllerOptions} with defaults filled in and durations in ms. */
export interface ResolvedControllerOptions {
  readonly maxConcurrentReconciles: number;
  /** Undefined: as the manager says. */
  readonly cacheSyncTimeout: number | undefined;
  readonly reconcileTimeout: number;
  readonly failsafeInterval: number;
  readonly maxRetries: number;
  readonly recoverPanic: boolean;
  readonly needLeaderElection: boolean;
  readonly optional: boolean;
}

export function resolveControllerOptions(options: ControllerOptions): ResolvedControllerOptions {
  const { maxConcurrentReconciles = CONTROLLER_DEFAULTS.maxConcurrentReconciles, maxRetries = Infinity } = options;
  if (!Number.isInteger(maxConcurrentReconciles) || maxConcurrentReconciles < 1)
    throw new RangeError(`maxConcurrentReconciles ${maxConcurrentReconciles} is not a whole number from 1 up`);
  if (Number.isNaN(maxRetries) || maxRetries < 0)
    throw new RangeError(`maxRetries ${maxRetries} is not a number from 0 up`);
  return {
    maxConcurrentReconciles,
    maxRetries,
    cacheSyncTimeout: options.cacheSyncTimeout === undefined ? undefined : parseDuration(options.cacheSyncTimeout),
    reconcileTimeout: parseDuration(options.reconcileTimeout ?? CONTROLLER_DEFAULTS.reconcileTimeout),
    failsafeInterval: parseDuration(options.failsafeInterval ?? CONTROLLER_DEFAULTS.failsafeInterval),
    recoverPanic: options.recoverPanic ?? true,
    needLeaderElection: options.needLeaderElection ?? true,
    optional: options.optional ?? false,
  };
}

/** The part of the options that the queue works with. */
export function queueOptionsOf(options: ControllerOptions): Omit<WorkQueueOptions, 'clock' | 'random'> {
  const { rateLimiter, jitter, promoteAfter, coalesce } = options;
  return {
    rateLimiter,
    jitter,
    coalesce,
    promoteAfter: promoteAfter === undefined ? undefined : parseDuration(promoteAfter),
  };
}
