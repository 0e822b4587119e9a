import { isKubewrightError, KubewrightError, type KubewrightErrorOptions } from './error.js';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `details` of a Kubernetes Status. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface ApiErrorOptions extends Omit<KubewrightErrorOptions, 'details'> {
  readonly status: number;
  readonly reason?: string;
  readonly statusDetails?: StatusDetails;
  readonly auditId?: string;
  readonly verb: string;
  readonly kind: string;
  readonly key?: string;
  /** The answer came from the cache, not from the server. */
  readonly fromCache?: boolean;
}

/** An answer of the API server that is a failure (L25). It never holds the request body. */
export class ApiError extends KubewrightError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly reason: string | undefined;
  readonly statusDetails: StatusDetails | undefined;
  readonly auditId: string | undefined;
  readonly verb: string;
  readonly kind: string;
  readonly key: string | undefined;
  readonly fromCache: boolean;

  constructor(code: string, message: string, options: ApiErrorOptions) {
    super(code, message, options);
    this.status = options.status;
    this.reason = options.reason;
    this.statusDetails = options.statusDetails;
    this.auditId = options.auditId;
    this.verb = options.verb;
    this.kind = options.kind;
    this.key = options.key;
    this.fromCache = options.fromCache ?? false;
  }
}

export const isApiError = (error: unknown): error is ApiError =>
  isKubewrightError(error) && (error as KubewrightError).code.startsWith('KW_API_');

export const isNotFound = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_NOT_FOUND');
export const isAlreadyExists = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_ALREADY_EXISTS');
/** Optimistic-lock conflicts and apply conflicts alike. */
export const isConflict = (error: unknown): error is ApiError =>
  isKubewrightError(error, 'KW_API_CONFLICT') || isKubewrightError(error, 'KW_API_APPLY_CONFLICT');
export const isForbidden = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_FORBIDDEN');
export const isUnauthorized = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_UNAUTHORIZED');
export const isInvalid = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_INVALID');
export const isExpired = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_EXPIRED');
export const isThrottled = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_TOO_MANY_REQUESTS');
export const isTimeout = (error: unknown): error is ApiError => isKubewrightError(error, 'KW_API_TIMEOUT');
/** A create in a namespace that is going away. */
export const isNamespaceTerminating = (error: unknown): error is ApiError =>
  isForbidden(error) && (error.statusDetails?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');
