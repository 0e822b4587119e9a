/** What a log line tells of an error (M18). Bodies, headers and causes are not part of it (T24). */
export interface ErrorFields {
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
}

export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { message: describeThrown(error) };
  const { code } = error as { code?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
  };
}

/** `threw a string: "x"`: names what was thrown that is no Error (C19). */
export function describeThrown(value: unknown): string {
  if (value === null || value === undefined) return `threw ${String(value)}`;
  if (typeof value === 'string') return `threw a string: ${JSON.stringify(value)}`;
  if (typeof value === 'object' || typeof value === 'function') return `threw an object that is no Error`;
  return `threw a ${typeof value}: ${String(value as number | boolean | bigint | symbol)}`;
}
