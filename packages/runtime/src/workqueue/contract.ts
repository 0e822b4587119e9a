import type { Request } from '@kubewright/api';
import type { CauseRecord } from './cause-record.js';

export type { CauseRecord } from './cause-record.js';

/** How a key is added. */
export interface AddOptions {
  /** −1000…1000; higher goes first. Default 0. */
  readonly priority?: number | undefined;
  /** Ms until it is due; 0 and less is now. Default 0. With `rateLimited` the longer of both counts. */
  readonly after?: number | undefined;
  /** Waits as long as the rate limiter says and counts as a try. Default false. */
  readonly rateLimited?: boolean;
  /** Now, whatever delay or floor the key has (C17). Default false. */
  readonly urgent?: boolean;
  /** Why, to explain the run. */
  readonly cause?: CauseRecord | undefined;
}

/** A key that is handed out, until `done`. */
export interface WorkItem {
  readonly key: string;
  readonly request: Request;
  /** As asked for; ageing does not change it (Q16). */
  readonly priority: number;
  /** The first and the newest causes merged into this hand-out. */
  readonly causes: readonly CauseRecord[];
  /** Causes left out of `causes`. */
  readonly causesDropped: number;
  /** Monotonic ms of the hand-out. */
  readonly handedOutAt: number;
}

/** Merging of adds that follow each other closely (Q17). */
export interface CoalesceOptions {
  /** Ms without a new add before the key is handed out. */
  readonly window: number;
  /** Ms after the first add when it is handed out in any case. Default: five windows. */
  readonly maxDelay?: number;
}

/** What a queue holds, as plain JSON; times in ms from now. */
export interface QueueSnapshot {
  /** Ready and held keys (Q7). */
  readonly depth: number;
  /** In the order of hand-out. */
  readonly ready: readonly { readonly key: string; readonly priority: number }[];
  readonly delayed: readonly { readonly key: string; readonly priority: number; readonly dueIn: number }[];
  readonly processing: readonly { readonly key: string; readonly for: number }[];
  /** Keys in processing that were added meanwhile. */
  readonly held: readonly string[];
  /** Calls of `done` for keys that nobody held (Q20). */
  readonly strayDone: number;
}
