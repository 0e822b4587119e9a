import { brand, isBranded } from './brand.js';

/** One of several faults that travel in one error. */
export interface ErrorDetail {
  readonly code: string;
  /** `Class.property`, an object key, a path: where the fault is. */
  readonly where?: string;
  readonly message: string;
  readonly fix?: string;
}

export interface KubewrightErrorOptions {
  readonly cause?: unknown;
  /** What to type or change. */
  readonly fix?: string;
  readonly details?: readonly ErrorDetail[];
  /** The caller may try again after this many ms; back-off waits at least that long (C14). */
  readonly retryAfterMs?: number;
}

/** The error of this SDK. `code` is stable (`KW_<AREA>_<FAULT>`); made by factories of each package's error table. */
export class KubewrightError extends Error {
  override readonly name: string = 'KubewrightError';
  readonly code: string;
  readonly fix: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options: KubewrightErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fix = options.fix;
    this.details = options.details ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** True for errors of this SDK, of any copy of this package; with `code`, of that code. */
export function isKubewrightError(error: unknown, code?: string): error is KubewrightError {
  return isBranded(error, 'error') && (code === undefined || (error as KubewrightError).code === code);
}
brand(KubewrightError.prototype, 'error');

/** Thrown by a reconcile that must not be retried: only an event, `enqueue` or the fail-safe runs the key again (C9). */
export class TerminalError extends Error {
  override readonly name: string = 'TerminalError';

  constructor(cause: unknown) {
    super(`terminal error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

brand(TerminalError.prototype, 'terminal');

/** Recognised when wrapped: anywhere in the `cause` chain, in an AggregateError only if all its errors are terminal. */
export function isTerminalError(error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 32; depth++) {
    if (isBranded(at, 'terminal')) return true;
    if (at instanceof AggregateError && at.errors.length > 0 && at.errors.every(isTerminalError)) return true;
    at = (at as { cause?: unknown }).cause;
  }
  return false;
}
