import type { KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';

/** What is safe to tell of a socket or TLS error: code and text, never the object with its headers (T24). */
function plainCause(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' && message !== '' ? message : String(error);
  const plain = new Error(typeof code === 'string' && !text.includes(code) ? `${code}: ${text}` : text);
  plain.stack = `Error: ${plain.message}`;
  if (typeof code === 'string') Object.assign(plain, { code });
  return plain;
}

export const transportErrors = {
  failed: (what: string, server: string, cause: unknown): KubewrightError => {
    const plain = plainCause(cause);
    return runtimeError('KW_TRANSPORT_FAILED', `${what}: no answer from ${server}: ${plain.message}`, { cause: plain });
  },
  tls: (what: string, server: string, cause: unknown): KubewrightError => {
    const plain = plainCause(cause);
    return runtimeError('KW_TRANSPORT_TLS', `${what}: the certificate of ${server} was refused: ${plain.message}`, {
      cause: plain,
      fix: 'set certificate-authority(-data) of the cluster in the kubeconfig to the CA that signed it, or tls-server-name to a name it holds',
    });
  },
  unknownOutcome: (what: string, cause: unknown): KubewrightError => {
    const plain = plainCause(cause);
    return runtimeError('KW_TRANSPORT_UNKNOWN_OUTCOME', `${what} may or may not have happened: ${plain.message}`, {
      cause: plain,
    });
  },
  timeout: (what: string, ms: number): KubewrightError =>
    runtimeError('KW_TRANSPORT_TIMEOUT', `${what}: not answered within ${ms} ms, the time limit of the call`),
  closed: (what: string): KubewrightError =>
    runtimeError('KW_TRANSPORT_CLOSED', `${what}: the connection to the cluster is closed, the operator is stopping`),
  value: (path: string, found: string): KubewrightError =>
    runtimeError('KW_JSON_VALUE', `${path} is ${found}; JSON has no such value`, {
      fix: 'send a string, finite number, boolean, null, list or plain object, or leave the member out',
    }),
  unsafeInteger: (path: string): KubewrightError =>
    runtimeError(
      'KW_JSON_UNSAFE_INTEGER',
      `${path} is a whole number of 2^53 or more, which was rounded when it was read and would be stored wrong`,
      { fix: 'patch the object without that field' },
    ),
};
