import { ApiError, type KindInfo, type StatusDetails } from '@kubewright/api';
import type { TransportResponse } from './contract.js';
import { retryAfterMs } from './failure.js';

/** What a call was about, for messages and for the fields of an ApiError. */
export interface CallSubject {
  /** `get`, `list`, `create`, `watch`, … */
  readonly verb: string;
  readonly kind: string;
  /** `namespace/name`, `name`, or what was listed. */
  readonly key?: string | undefined;
  /** Server messages may quote secret values: they end before `Invalid value:` (T24). */
  readonly redact?: boolean | undefined;
}

/** `create Pod default/web-1`. */
export function subjectText({ verb, kind, key }: CallSubject): string {
  return key === undefined ? `${verb} ${kind}` : `${verb} ${kind} ${key}`;
}

/** A Kubernetes Status of kind Failure. */
export interface FailureStatus {
  readonly kind?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

const BY_REASON: Readonly<Record<string, string>> = {
  BadRequest: 'BAD_REQUEST',
  Unauthorized: 'UNAUTHORIZED',
  Forbidden: 'FORBIDDEN',
  NotFound: 'NOT_FOUND',
  AlreadyExists: 'ALREADY_EXISTS',
  Conflict: 'CONFLICT',
  Expired: 'EXPIRED',
  Gone: 'EXPIRED',
  RequestEntityTooLarge: 'TOO_LARGE',
  UnsupportedMediaType: 'MEDIA_TYPE',
  Invalid: 'INVALID',
  TooManyRequests: 'TOO_MANY_REQUESTS',
  InternalError: 'INTERNAL',
  ServiceUnavailable: 'UNAVAILABLE',
  Timeout: 'TIMEOUT',
  ServerTimeout: 'TIMEOUT',
};

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  410: 'EXPIRED',
  413: 'TOO_LARGE',
  415: 'MEDIA_TYPE',
  422: 'INVALID',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'TIMEOUT',
};

/** The body as a Status, if it is one. */
export function statusOf(body: string): FailureStatus | undefined {
  try {
    const parsed = JSON.parse(body) as FailureStatus | null;
    return parsed?.kind === 'Status' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The error of an answer that is no success (L25). `now` is wall ms, for a Retry-After date. */
export function apiError(response: TransportResponse, subject: CallSubject, now: number): ApiError {
  const status = statusOf(response.body);
  const asked = retryAfterMs(response, now);
  const audit = response.headers['audit-id'];
  const common = {
    ...(asked !== undefined && { retryAfterMs: asked }),
    ...(typeof audit === 'string' && { auditId: audit }),
  };
  if (status) return apiErrorOfStatus({ code: response.status, ...status }, subject, common);
  const type = String(response.headers['content-type'] ?? 'no content type').split(';', 1)[0];
  const text = `HTTP ${response.status} without a Status (${type}, ${Buffer.byteLength(response.body)} bytes)`;
  return make(`KW_API_${BY_STATUS[response.status] ?? 'OTHER'}`, text, { status: response.status, ...common }, subject);
}

/** The error of a Status, as a watch delivers it too. */
export function apiErrorOfStatus(
  status: FailureStatus,
  subject: CallSubject,
  extra: { readonly retryAfterMs?: number; readonly auditId?: string } = {},
): ApiError {
  const { code = 500, reason, message = '', details } = status;
  const isBlocked = code === 429 && details?.causes?.some((cause) => cause.reason === 'DisruptionBudget');
  const name = isBlocked
    ? 'EVICTION_BLOCKED'
    : (reason !== undefined && BY_REASON[reason]) || BY_STATUS[code] || 'OTHER';
  const applied = name === 'CONFLICT' && details?.causes?.some((cause) => cause.reason === 'FieldManagerConflict');
  const cut = subject.redact ? message.split('Invalid value:', 1)[0] : message;
  const text = `${code}${reason === undefined || reason === '' ? '' : ` ${reason}`}: ${cut}`;
  const seconds = details?.retryAfterSeconds;
  return make(
    `KW_API_${applied ? 'APPLY_CONFLICT' : name}`,
    text,
    {
      status: code,
      ...(seconds !== undefined && seconds > 0 && { retryAfterMs: seconds * 1000 }),
      ...extra,
      ...(reason !== undefined && { reason }),
      ...(details !== undefined && { statusDetails: subject.redact ? withoutValues(details) : details }),
    },
    subject,
  );
}

interface Parts {
  readonly status: number;
  readonly reason?: string;
  readonly statusDetails?: StatusDetails;
  readonly retryAfterMs?: number;
  readonly auditId?: string;
  readonly fromCache?: boolean;
}

function make(code: string, text: string, parts: Parts, subject: CallSubject): ApiError {
  const { verb, kind, key } = subject;
  return new ApiError(code, `${subjectText(subject)}: ${text}`, {
    ...parts,
    verb,
    kind,
    ...(key !== undefined && { key }),
  });
}

/** NotFound as the cache knows it. */
export function notFoundInCache(subject: CallSubject, kind: KindInfo): ApiError {
  const text = `404 NotFound: ${kind.plural} "${subject.key?.split('/').at(-1)}" not found in the cache`;
  return make('KW_API_NOT_FOUND', text, { status: 404, reason: 'NotFound', fromCache: true }, subject);
}

function withoutValues(details: StatusDetails): StatusDetails {
  if (!details.causes) return details;
  const causes = details.causes.map((cause) =>
    cause.message === undefined ? cause : { ...cause, message: cause.message.split('Invalid value:', 1)[0] ?? '' },
  );
  return { ...details, causes };
}
