import type { Cause, KubernetesObject } from '@kubewright/api';
import { QUEUE_DEFAULTS } from './defaults.js';

/** A {@link Cause} as the queue carries it; its texts are made only when somebody asks. */
export interface CauseRecord {
  readonly type: Cause['type'];
  readonly kind?: string | undefined;
  readonly object?: KubernetesObject | undefined;
  /** Wall clock, ms. */
  readonly at: number;
}

/** Adds to `causes`, keeping the first and the newest; true if one fell out (C18). */
export function pushCause(causes: CauseRecord[], cause: CauseRecord): boolean {
  const full = causes.length >= QUEUE_DEFAULTS.causesKept;
  if (full) causes.splice(1, 1);
  causes.push(cause);
  return full;
}
