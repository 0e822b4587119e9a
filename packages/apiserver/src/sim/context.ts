import type { Clock, KubeObject, Random, Semantics } from '../core/types.js';
import { Mirror } from './mirror.js';
import type { DelayRange, SimLoop } from './loop.js';

/** Delays of pretend work. */
export interface SimDelays {
  /** From creation to a node, in ms; default 0–50. */
  schedule: DelayRange;
  /** From a node to Running, in ms; default 0–50. */
  start: DelayRange;
  /** How long the Pods of Jobs run, in ms; default 200–400. */
  job: DelayRange;
  /** Longest time a Pod spends Terminating, in ms, whatever its grace period; default 1,000. */
  podGraceMs: number;
}

/** What pretend controllers share: one mirror per kind, the delays, clock and chance. */
export class SimContext {
  readonly semantics: Semantics;
  readonly clock: Clock;
  readonly random: Random;
  readonly delays: SimDelays;
  readonly #mirrors = new Map<string, Mirror<KubeObject>>();
  readonly #closing: (() => void)[] = [];

  constructor(semantics: Semantics, options: { clock: Clock; random: Random; delays: SimDelays }) {
    this.semantics = semantics;
    this.clock = options.clock;
    this.random = options.random;
    this.delays = options.delays;
  }

  /** Stored objects of a storage (`pods`, `replicasets.apps`). */
  mirror<T extends KubeObject>(storage: string): Mirror<T> {
    let mirror = this.#mirrors.get(storage);
    if (!mirror) {
      mirror = new Mirror(this.semantics, storage);
      this.#mirrors.set(storage, mirror);
    }
    return mirror as unknown as Mirror<T>;
  }

  rebuild(): void {
    for (const mirror of this.#mirrors.values()) mirror.rebuild();
  }

  /** Is called when the controllers end. */
  onClose(run: () => void): void {
    this.#closing.push(run);
  }

  close(): void {
    for (const run of this.#closing.splice(0)) run();
    for (const mirror of this.#mirrors.values()) mirror.close();
  }
}

/** Starts one pretend controller; its loop does the work. */
export type StartController = (context: SimContext) => SimLoop;
