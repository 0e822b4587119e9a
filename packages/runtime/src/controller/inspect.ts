import type { KeySnapshot } from '../inspector/contract.js';
import type { KeyHistory } from '../inspector/key-history.js';
import type { WorkQueue } from '../workqueue/work-queue.js';
import type { ResolvedControllerOptions } from './options.js';
import { causeOf } from './run.js';

/** Numbers and switches; what has no limit, or is said elsewhere, is left out. */
export function plainOptions(options: ResolvedControllerOptions): Record<string, number | boolean> {
  const plain = Object.entries(options).filter(([, value]) => value !== undefined && value !== Infinity);
  return Object.fromEntries(plain) as Record<string, number | boolean>;
}

/** What queue and history know of a key; undefined when neither does. */
export function keySnapshot(key: string, queue: WorkQueue, history: KeyHistory | undefined): KeySnapshot | undefined {
  const { ready, delayed, processing } = queue.snapshot();
  const isKey = (entry: { readonly key: string }): boolean => entry.key === key;
  const later = delayed.find(isKey);
  const place = processing.some(isKey) ? 'processing' : ready.some(isKey) ? 'ready' : later ? 'delayed' : 'resting';
  if (place === 'resting' && history === undefined) return undefined;
  const runs = history?.runs() ?? [];
  const last = runs.at(-1);
  return {
    key,
    attempts: queue.retries(key),
    place,
    ...(later && { dueIn: later.dueIn }),
    ...(later && last && { why: last.result }),
    ...(history?.lastError && { lastError: history.lastError }),
    causes: (history?.causes ?? []).map((cause) => causeOf(cause, key)),
    runs,
  };
}
