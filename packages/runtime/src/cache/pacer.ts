import type { Clock } from '@kubewright/api';
import { cacheDefaults } from './defaults.js';

/** Tells when synchronous work has gone on long enough and lets the event loop run (R23). */
export class Pacer {
  private since: number;
  private restedAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly slice: number = cacheDefaults.slice,
  ) {
    this.since = clock.monotonic();
  }

  due(): boolean {
    return this.clock.monotonic() - this.since >= this.slice;
  }

  /** Work ends for now. */
  rest(): void {
    this.restedAt = this.clock.monotonic();
  }

  /** Work begins again; time that went by meanwhile was not ours. */
  resume(): void {
    const now = this.clock.monotonic();
    if (now - this.restedAt >= 1) this.since = now;
  }

  async pause(): Promise<void> {
    await this.clock.yield();
    this.since = this.clock.monotonic();
  }
}
