import type { EventCounters } from '../source/contract.js';

/** What a controller counts; plain numbers that metrics and the inspector read. */
export interface ControllerCounters extends EventCounters {
  success: number;
  error: number;
  requeue: number;
  requeueAfter: number;
  /** Of the errors, those that were terminal (C7). */
  terminal: number;
  /** Of the requeues, those of quiet errors (C10). */
  conflicts: number;
  /** Of the errors, those that point at the program (C4). */
  panics: number;
  timeouts: number;
  /** Rate limiters that threw (Q20). */
  limiterErrors: number;
}

export const newCounters = (): ControllerCounters => ({
  success: 0,
  error: 0,
  requeue: 0,
  requeueAfter: 0,
  terminal: 0,
  conflicts: 0,
  panics: 0,
  timeouts: 0,
  limiterErrors: 0,
  filtered: 0,
  predicateErrors: 0,
  handlerErrors: 0,
  badRequests: 0,
});
