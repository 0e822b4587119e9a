import type { CauseRecord } from '../workqueue/contract.js';
import type { ErrorText, RunRecord } from './contract.js';
import { INSPECTOR_DEFAULTS } from './defaults.js';

const RESULTS = ['success', 'requeue', 'requeue_after', 'error'] as const;
const NUMBERS = 4;

/** The last runs of one key, as numbers in a ring: reconciles are many, and somebody who looks at them is rare. */
export class KeyHistory {
  /** Of the last run. */
  causes: readonly CauseRecord[] = [];
  lastError: (ErrorText & { readonly at: number }) | undefined = undefined;
  /** Ran since the history was last asked to make room. */
  isFresh = true;
  readonly #numbers: number[] = [];
  #errors: (ErrorText | undefined)[] | undefined;
  #next = 0;

  add(run: { result: string; at: number; ms: number; attempt: number }, error: ErrorText | undefined): void {
    const slot = this.#next;
    const first = slot * NUMBERS;
    this.#numbers[first] = run.at;
    this.#numbers[first + 1] = run.ms;
    this.#numbers[first + 2] = RESULTS.indexOf(run.result as (typeof RESULTS)[number]);
    this.#numbers[first + 3] = run.attempt;
    if (error !== undefined) {
      this.#errors ??= [];
      this.lastError = { ...error, at: run.at };
    }
    if (this.#errors) this.#errors[slot] = error;
    this.#next = (slot + 1) % INSPECTOR_DEFAULTS.runs;
  }

  /** Oldest first. */
  runs(): RunRecord[] {
    const kept = this.#numbers.length / NUMBERS;
    const oldest = kept < INSPECTOR_DEFAULTS.runs ? 0 : this.#next;
    return Array.from({ length: kept }, (_, index) => this.#record((oldest + index) % kept));
  }

  #record(slot: number): RunRecord {
    const [at = 0, ms = 0, result = 0, attempt = 0] = this.#numbers.slice(slot * NUMBERS, (slot + 1) * NUMBERS);
    const error = this.#errors?.[slot];
    return { at, ms, result: RESULTS[result] ?? 'error', attempt, ...(error && { error }) };
  }
}
