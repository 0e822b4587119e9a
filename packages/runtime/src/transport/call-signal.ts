import type { Clock, TimerHandle } from '@kubewright/api';
import type { TransportRequest } from './contract.js';
import { transportErrors } from './errors.js';

/** The caller's signal and time limit as one signal; costs nothing when no limit is given. */
export class CallSignal {
  readonly signal: AbortSignal | undefined;
  private readonly deadline: number;
  private readonly timer: TimerHandle | undefined;
  private readonly outer: AbortSignal | undefined;
  private readonly forward: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    { signal, timeoutMs, what }: Pick<TransportRequest, 'signal' | 'timeoutMs' | 'what'>,
  ) {
    if (timeoutMs === undefined) {
      this.signal = signal;
      this.deadline = Infinity;
      return;
    }
    const controller = new AbortController();
    this.signal = controller.signal;
    this.deadline = clock.monotonic() + timeoutMs;
    this.timer = clock.setTimeout(() => controller.abort(transportErrors.timeout(what, timeoutMs)), timeoutMs);
    if (!signal) return;
    this.outer = signal;
    this.forward = () => controller.abort(signal.reason);
    if (signal.aborted) this.forward();
    else signal.addEventListener('abort', this.forward, { once: true });
  }

  throwIfAborted(): void {
    this.signal?.throwIfAborted();
  }

  /** Whether a wait of `ms` ends before the time limit. */
  allows(ms: number): boolean {
    return this.deadline === Infinity || this.clock.monotonic() + ms < this.deadline;
  }

  /** The time limit covers a stream's headers only; its signal goes on counting for the body. */
  disposeTimer(): void {
    if (this.timer) this.clock.clearTimeout(this.timer);
  }

  dispose(): void {
    this.disposeTimer();
    if (this.forward) this.outer?.removeEventListener('abort', this.forward);
  }
}
