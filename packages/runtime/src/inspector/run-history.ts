import type { Run } from '../controller/run.js';
import { INSPECTOR_DEFAULTS } from './defaults.js';
import { errorText } from './error-text.js';
import { KeyHistory } from './key-history.js';

/** The last runs of the keys that ran last; those that fail are kept longer (C25). */
export class RunHistory {
  readonly #well = new Map<string, KeyHistory>();
  readonly #failing = new Map<string, KeyHistory>();

  of(key: string): KeyHistory | undefined {
    return this.#well.get(key) ?? this.#failing.get(key);
  }

  ended(run: Run, end: { readonly result: string; readonly error?: unknown }, at: number, ms: number): void {
    const { key, causes } = run.item;
    const failed = end.error !== undefined;
    const map = failed ? this.#failing : this.#well;
    let history = map.get(key);
    if (history === undefined) {
      const other = failed ? this.#well : this.#failing;
      history = other.get(key) ?? new KeyHistory();
      other.delete(key);
      map.set(key, history);
      makeRoom(map, failed ? INSPECTOR_DEFAULTS.failingKeys : INSPECTOR_DEFAULTS.keys);
    }
    history.isFresh = true;
    history.causes = causes;
    history.add({ result: end.result, at, ms, attempt: run.attempt }, failed ? errorText(end.error) : undefined);
  }

  forget(key: string): void {
    this.#well.delete(key);
    this.#failing.delete(key);
  }
}

/** The first that did not run since the last time it was looked at has to go; the others get a second chance. */
function makeRoom(map: Map<string, KeyHistory>, most: number): void {
  if (map.size <= most) return;
  for (const [key, history] of map) {
    map.delete(key);
    if (!history.isFresh) return;
    history.isFresh = false;
    map.set(key, history);
  }
}
