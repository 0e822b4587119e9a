import type { Request } from '@kubewright/api';
import type { CauseRecord } from './cause-record.js';

/** All that the queue knows of one key. At most one exists per key, none for a quiet key (Q8, Q21). */
export class Entry {
  readonly key: string;
  readonly request: Request;
  /** `delayed` without `wanted` is a rest: nothing is to be done, but nothing may be before its floor. */
  place: 'new' | 'delayed' | 'ready' | 'processing' = 'new';

  // What the next hand-out will be.
  wanted = false;
  priority = 0;
  causes: CauseRecord[] | undefined = undefined;
  causesDropped = 0;
  /** Monotonic ms; Infinity when no explicit time was asked for. */
  dueAt: number = Infinity;
  /** Ms from `done` on, while processing; Infinity when nothing was asked for. */
  dueAfterDone: number = Infinity;
  /** First and latest time of the adds that are being merged (Q17); Infinity when none are. */
  mergingSince: number = Infinity;
  mergedAt: number = Infinity;
  /** Monotonic ms before which nothing is handed out. */
  floorAt = 0;
  /** Floors and delays are void until the next hand-out (C17). */
  urgent = false;
  handedOutAt = 0;

  // Place in a ready lane.
  lane = 0;
  laneSince = 0;
  previous: Entry | undefined = undefined;
  next: Entry | undefined = undefined;

  // Place in the delay line.
  due = 0;
  sequence = 0;
  slot = -1;

  constructor(key: string, request: Request) {
    this.key = key;
    this.request = request;
  }
}
