import { type Clock, isApiError, isExpired, isForbidden, isKubewrightError, isNotFound } from '@kubewright/api';
import { cacheDefaults as defaults } from './defaults.js';
import { BadLine } from './watch-connection.js';

/** What a reflector does: read the list, or watch from where it is. */
export type Activity = 'load' | 'watch';

/** An ERROR event of a watch, as opposed to an answer that is an error. */
export class ErrorEvent extends Error {
  constructor(readonly error: Error) {
    super(error.message);
  }
}

/** What follows a failure. */
export interface Verdict {
  readonly next: Activity;
  /** Undefined: at once, and nothing to report. */
  readonly soft?: { readonly error: Error; readonly wait: number; readonly state: 'backoff' | 'forbidden' | 'missing' };
  /** The kind is gone, and its objects with it (R33). */
  readonly gone: boolean;
}

interface Failure {
  readonly thrown: unknown;
  readonly activity: Activity;
  /** Where the watch was. */
  readonly version: string;
  readonly synced: boolean;
}

/** Decides what follows a failure of a stream (R10, R15–R17, R33). Nothing it answers ends the loop. */
export class Recovery {
  private failures = 0;
  private badLines = 0;
  private badLinesAt = '';
  private errorEvents = 0;
  private tooLarge = false;
  private lastExpired = -Infinity;
  private missingSince: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** An event came. */
  delivered(): void {
    this.errorEvents = 0;
  }

  /** The stream works; true if it did not before. */
  healthy(): boolean {
    this.tooLarge = false;
    this.missingSince = undefined;
    if (this.failures === 0) return false;
    this.failures = 0;
    return true;
  }

  after({ thrown, activity, version, synced }: Failure): Verdict {
    if (thrown instanceof BadLine) return { next: this.afterBadLine(version) ? 'load' : activity, gone: false };
    const error = toError(thrown);
    if (isExpired(error)) {
      const again = this.clock.monotonic() - this.lastExpired < defaults.expiredInterval;
      this.lastExpired = this.clock.monotonic();
      return again ? this.soft(error, 'load') : { next: 'load', gone: false };
    }
    if (isNotFound(error)) {
      const gone = this.isGone(synced);
      const { soft } = this.soft(error, 'load');
      const wait = Math.max(defaults.missingInterval, retryAfterOf(error));
      return { next: 'load', gone, ...(soft && { soft: { ...soft, wait, state: 'missing' } }) };
    }
    let next = activity;
    if (thrown instanceof ErrorEvent && activity === 'watch' && ++this.errorEvents >= defaults.errorEvents) {
      this.errorEvents = 0;
      next = 'load';
    }
    if (isTooLarge(error)) {
      if (this.tooLarge) next = 'load';
      this.tooLarge = true;
    }
    return this.soft(error, next);
  }

  private soft(error: Error, next: Activity): Verdict {
    const full = Math.min(defaults.backoffMax, defaults.backoffBase * 2 ** Math.min(this.failures, 10));
    this.failures++;
    const wait = Math.max(full / 2 + (this.random() * full) / 2, retryAfterOf(error));
    return { next, gone: false, soft: { error, wait, state: isForbidden(error) ? 'forbidden' : 'backoff' } };
  }

  /** Not served, twice 10 s apart, by a stream that was synced. */
  private isGone(synced: boolean): boolean {
    const now = this.clock.monotonic();
    this.missingSince ??= now;
    if (!synced || now - this.missingSince < defaults.missingInterval) return false;
    this.missingSince = undefined;
    return true;
  }

  /** True after several at one place. */
  private afterBadLine(version: string): boolean {
    if (this.badLinesAt !== version) this.badLines = 0;
    this.badLinesAt = version;
    if (++this.badLines < defaults.badLines) return false;
    this.badLines = 0;
    return true;
  }
}

function toError(thrown: unknown): Error {
  if (thrown instanceof ErrorEvent) return thrown.error;
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const retryAfterOf = (error: Error): number => (isKubewrightError(error) ? (error.retryAfterMs ?? 0) : 0);

const isTooLarge = (error: Error): boolean =>
  isApiError(error) && (error.statusDetails?.causes ?? []).some((cause) => cause.reason === 'ResourceVersionTooLarge');
