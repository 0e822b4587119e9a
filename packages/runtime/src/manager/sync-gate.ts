import { type Clock, type ErrorDetail, type Logger, sleep } from '@kubewright/api';
import type { Source } from '../source/contract.js';
import { MANAGER_DEFAULTS } from './defaults.js';
import { notSynced } from './errors.js';
import { describeFault, type Diagnostics } from './source-fault.js';

/** A source that the start waits for. */
export interface AwaitedSource {
  readonly source: Source;
  /** Ms; 0: for ever. */
  readonly limit: number;
}

/** Options of {@link SyncGate}. */
export interface SyncGateOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly diagnostics: Diagnostics | undefined;
}

/** Waits for the first lists and tells what stands in their way: soon, together, and in the end as one error (M13). */
export class SyncGate {
  readonly #options: SyncGateOptions;
  #reported = '';

  constructor(options: SyncGateOptions) {
    this.#options = options;
  }

  /** Resolves when all delivered what is there; rejects with KW_CACHE_SYNC, or with the signal's reason. */
  async wait(awaited: readonly AwaitedSource[], signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    const everything = Promise.all(awaited.map(({ source }) => source.synced)).then(() => true);
    let reportAt = began + MANAGER_DEFAULTS.firstFaultReport;
    for (;;) {
      const open = awaited.filter(({ source }) => !source.isSynced());
      if (open.length === 0) return;
      const limits = open.filter(({ limit }) => limit > 0).map(({ limit }) => limit);
      const shortest = Math.min(...limits, Infinity);
      const now = clock.monotonic();
      if (now - began >= shortest) throw notSynced(shortest, await this.#faults(open));
      if (now >= reportAt) {
        await this.#report(open);
        reportAt = now + MANAGER_DEFAULTS.faultReportEvery;
      }
      await this.#either(everything, Math.min(began + shortest, reportAt) - clock.monotonic(), signal);
    }
  }

  async #either(everything: Promise<boolean>, ms: number, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const waiting = sleep(this.#options.clock, Math.max(ms, 1), AbortSignal.any([signal, ended.signal]));
    try {
      await Promise.race([everything, waiting]);
    } finally {
      waiting.catch(() => {});
      ended.abort();
    }
  }

  /** One after the other, so that questions to the server stay few at a time (M11). */
  async #faults(open: readonly AwaitedSource[]): Promise<ErrorDetail[]> {
    const faults: ErrorDetail[] = [];
    for (const { source } of open) faults.push(await describeFault(source, this.#options.diagnostics));
    return faults;
  }

  /** Again only when something else is to be told. */
  async #report(open: readonly AwaitedSource[]): Promise<void> {
    const faults = await this.#faults(open);
    const text = faults.map(({ message }) => message).join('\n');
    if (text === this.#reported) return;
    this.#reported = text;
    this.#options.logger.warn(
      { faults: faults.map(({ message }) => message) },
      'not all watched kinds could be listed yet',
    );
  }
}
