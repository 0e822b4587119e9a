import type { RetryPolicy, TransportResponse } from './contract.js';
import type { ExchangeFailure } from './exchange.js';

/** What a failed attempt tells (T16). */
export type FailureClass = 'not-sent' | 'wait' | 'unclear' | 'answered';

const CERTIFICATE = /CERT|UNABLE_TO_(VERIFY|GET)|HOSTNAME_MISMATCH|INVALID_CA/;

/** The server's certificate was refused by us; trying again will not help. */
export function isCertificateRefused(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && CERTIFICATE.test(code);
}

/** TLS did not come about; the material of one side may be out of date. */
export function isHandshakeFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && (CERTIFICATE.test(code) || /^(EPROTO|ERR_SSL|ERR_TLS)/.test(code));
}

export function classifyFailure(failure: ExchangeFailure): FailureClass {
  if (failure.sent) return 'unclear';
  return isCertificateRefused(failure.error) ? 'answered' : 'not-sent';
}

export function classifyResponse(response: TransportResponse): FailureClass {
  switch (response.status) {
    case 429:
      return isBlockedEviction(response) ? 'answered' : 'wait';
    case 502:
    case 503:
    case 504:
      return 'unclear';
    case 500:
      return response.headers['retry-after'] === undefined ? 'answered' : 'unclear';
    default:
      return 'answered';
  }
}

export function mayRetry(failure: FailureClass, policy: RetryPolicy): boolean {
  if (policy === 'never' || failure === 'answered') return false;
  return failure !== 'unclear' || policy === 'safe';
}

/** A disruption budget refuses an eviction with 429, with a cause and without Retry-After; waiting here would not help (L14). */
function isBlockedEviction(response: TransportResponse): boolean {
  return response.headers['retry-after'] === undefined && response.body.includes('"DisruptionBudget"');
}

/** How long the server asks to wait, in ms: header in seconds or as a date, or `details.retryAfterSeconds`. */
export function retryAfterMs(response: Pick<TransportResponse, 'headers' | 'body'>, now: number): number | undefined {
  const header = response.headers['retry-after'];
  const text = Array.isArray(header) ? header[0] : header;
  if (text !== undefined) {
    if (/^\d+$/.test(text)) return Number(text) * 1000;
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return Math.max(0, at - now);
  }
  const seconds = /"retryAfterSeconds":\s*(\d+)/.exec(response.body)?.[1];
  return seconds === undefined || seconds === '0' ? undefined : Number(seconds) * 1000;
}
