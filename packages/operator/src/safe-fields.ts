const SECRET_KEY = /^(?:authorization|password|passwd|secret|token|cookie|client-?key-?data|private-?key)$/i;
const REDACTED = '[redacted]';

/**
 * Log fields that may be written: errors as code, message and (with `stacks`) stack; a Secret as its name; values under
 * keys such as `token` or `password` not at all. Looks at the top level only, where loggers put objects.
 */
export function safeFields(fields: object, stacks: boolean): Record<string, unknown> {
  if (fields instanceof Error) return { err: safeError(fields, stacks) };
  const safe: Record<string, unknown> = {};
  for (const key in fields) {
    const value = (fields as Record<string, unknown>)[key];
    safe[key] = typeof value === 'string' ? (SECRET_KEY.test(key) ? REDACTED : value) : safeValue(key, value, stacks);
  }
  return safe;
}

function safeValue(key: string, value: unknown, stacks: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error || key === 'err') return safeError(value as Error, stacks);
  if (isSecret(value)) return { kind: 'Secret', namespace: value.metadata?.namespace, name: value.metadata?.name };
  return SECRET_KEY.test(key) ? REDACTED : value;
}

interface SecretShape {
  readonly kind: 'Secret';
  readonly metadata?: { readonly namespace?: string; readonly name?: string };
}

const isSecret = (value: object): value is SecretShape => 'kind' in value && value.kind === 'Secret';

/** Of errors, and of the fields the runtime has made of one. */
function safeError(error: Error, stacks: boolean): Record<string, unknown> {
  return {
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    message: error.message,
    ...(stacks && { stack: error.stack }),
  };
}
