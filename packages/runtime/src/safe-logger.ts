import type { Logger } from '@kubewright/api';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** A logger that never throws: a broken one costs lines, not runs (C19). */
export class SafeLogger implements Logger {
  readonly #inner: Logger;

  constructor(inner: Logger) {
    this.#inner = inner;
  }

  trace(fields: object | string, message?: string): void {
    this.#log('trace', fields, message);
  }

  debug(fields: object | string, message?: string): void {
    this.#log('debug', fields, message);
  }

  info(fields: object | string, message?: string): void {
    this.#log('info', fields, message);
  }

  warn(fields: object | string, message?: string): void {
    this.#log('warn', fields, message);
  }

  error(fields: object | string, message?: string): void {
    this.#log('error', fields, message);
  }

  child(fields: Record<string, unknown>): Logger {
    try {
      return new SafeLogger(this.#inner.child(fields));
    } catch {
      return this;
    }
  }

  #log(level: Level, fields: object | string, message: string | undefined): void {
    try {
      if (typeof fields === 'string') this.#inner[level](fields);
      else this.#inner[level](fields, message);
    } catch {
      // There is nowhere left to report it.
    }
  }
}
