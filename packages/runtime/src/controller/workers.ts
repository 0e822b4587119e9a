import type { Clock } from '@kubewright/api';
import type { WorkItem } from '../workqueue/contract.js';
import type { WorkQueue } from '../workqueue/work-queue.js';
import { CONTROLLER_DEFAULTS } from './defaults.js';
import type { Run } from './run.js';

/** Options of {@link Workers}. */
export interface WorkersOptions {
  readonly clock: Clock;
  readonly queue: WorkQueue;
  /** Keys that run at once. */
  readonly slots: number;
  /** Runs a key; never rejects. */
  readonly reconcile: (item: WorkItem) => Promise<Run>;
}

/** The loops that take keys from the queue: one a slot, and one more for each slot that a stuck run holds (C3, C20). */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #loops = new Set<Promise<void>>();
  #lent = 0;
  #runsThisTurn = 0;
  #turnBegan = 0;
  #lastStep = 0;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lastStep = this.#options.clock.monotonic();
    for (let slot = 0; slot < this.#options.slots; slot++) this.#startLoop();
  }

  /** Gives the slot of a stuck run to other keys; the run's own loop ends with it. */
  lend(run: Run): void {
    const { queue, slots } = this.#options;
    if (run.lent || this.#lent >= slots || queue.stopped) return;
    run.lent = true;
    this.#lent += 1;
    this.#startLoop();
  }

  /** Resolves when all loops have ended; the queue has to be stopped for that. */
  async ended(): Promise<void> {
    await Promise.all(this.#loops);
  }

  /** False when keys wait and slots are free, and yet nothing was handed out for ten minutes (M16). */
  isAlive(running: number): boolean {
    const { clock, queue, slots } = this.#options;
    const waiting = this.#loops.size > 0 && queue.ready > 0 && !queue.paused && running < slots + this.#lent;
    return !waiting || clock.monotonic() - this.#lastStep < CONTROLLER_DEFAULTS.hangAfter;
  }

  #startLoop(): void {
    const loop = this.#work().finally(() => this.#loops.delete(loop));
    this.#loops.add(loop);
  }

  async #work(): Promise<void> {
    const { queue, reconcile } = this.#options;
    for (;;) {
      const item = queue.tryGet() ?? (await queue.get());
      if (item === undefined) return;
      this.#lastStep = item.handedOutAt;
      const run = await reconcile(item);
      if (run.lent) {
        // Another loop has this one's slot.
        this.#lent -= 1;
        return;
      }
      this.#runsThisTurn += 1;
      if (this.#isTurnOver(item.handedOutAt)) await this.#yield();
    }
  }

  /** Runs that wait for nothing would keep timers and sockets waiting for ever. */
  #isTurnOver(now: number): boolean {
    const { runsPerTurn, turnLength } = CONTROLLER_DEFAULTS;
    return this.#runsThisTurn >= runsPerTurn || now - this.#turnBegan >= turnLength;
  }

  async #yield(): Promise<void> {
    await this.#options.clock.yield();
    this.#runsThisTurn = 0;
    this.#turnBegan = this.#options.clock.monotonic();
  }
}
