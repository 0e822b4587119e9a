import type { EnqueueOptions } from './handler.js';
import type { Logger } from './logger.js';
import type { Request } from './request.js';
import type { Result } from './result.js';

/** Why a run happens; to explain, not to decide on (C18). */
export interface Cause {
  readonly type:
    'create' | 'update' | 'delete' | 'generic' | 'retry' | 'requeueAfter' | 'failsafe' | 'every' | 'enqueue';
  readonly kind?: string;
  /** `namespace/name` of the object whose event it was. */
  readonly key?: string;
  readonly resourceVersion?: string;
  /** Wall clock, ms. */
  readonly at: number;
}

/** What a run gets beside its request (C22). */
export interface Context {
  readonly logger: Logger;
  /** Aborts on stop, lost lease, removed namespace and reconcile time-out; client calls have their own, later one (C21). */
  readonly signal: AbortSignal;
  /** 0 on the first try of a key, then the number of failed tries before this one. */
  readonly attempt: number;
  /** True when no retry follows a failure of this run (`maxRetries`). */
  readonly lastAttempt: boolean;
  readonly causes: readonly Cause[];
  /** Causes left out of `causes`. */
  readonly causesDropped: number;
  /** A new UUID for each run. */
  readonly reconcileId: string;
  enqueue(request: Request, options?: EnqueueOptions): void;
}

/**
 * Brings the world in line with the object a request names. Called for absent objects too. `undefined` means
 * `Result.done()`; a thrown error is retried with back-off unless it is a TerminalError.
 */
export interface Reconciler {
  reconcile(request: Request, context: Context): Promise<Result | undefined | void> | Result | undefined | void;
}
