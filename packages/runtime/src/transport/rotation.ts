import type { Clock, TimerHandle } from '@kubewright/api';
import type { Dispatcher } from 'undici';
import { transportDefaults as defaults } from './defaults.js';
import type { ExchangeStream } from './exchange.js';
import type { Dispatchers } from './tls.js';

/**
 * Moves what runs to new TLS material (T10): requests finish where they are, watches end one after another and resume on
 * the new connections, and what is left is cut off after two minutes.
 */
export class Rotation {
  private readonly watches = new Map<ExchangeStream, Dispatcher>();
  private readonly timers = new Set<TimerHandle>();

  constructor(
    private readonly dispatchers: Dispatchers,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** A watch that runs on these connections; call {@link closed} when it is over. */
  opened(watch: ExchangeStream, dispatcher: Dispatcher): void {
    this.watches.set(watch, dispatcher);
  }

  closed(watch: ExchangeStream): void {
    this.watches.delete(watch);
  }

  /** These connections are not to be used any more. */
  retire(old: Dispatcher): void {
    for (const [watch, dispatcher] of this.watches)
      if (dispatcher === old) this.after(this.random() * defaults.rotateWatches, () => watch.end());
    const cut = this.after(defaults.rotateGrace, () => void old.destroy().catch(() => {}));
    void this.dispatchers.retire(old).then(() => this.clear(cut));
  }

  stop(): void {
    for (const timer of this.timers) this.clear(timer);
  }

  private after(ms: number, action: () => void): TimerHandle {
    const timer = this.clock.setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, ms);
    this.timers.add(timer);
    return timer;
  }

  private clear(timer: TimerHandle): void {
    this.timers.delete(timer);
    this.clock.clearTimeout(timer);
  }
}
