/** What the runtime and your controllers log to; pino's loggers fit. Injected by type. */
export abstract class Logger {
  abstract trace(fields: object, message?: string): void;
  abstract trace(message: string): void;
  abstract debug(fields: object, message?: string): void;
  abstract debug(message: string): void;
  abstract info(fields: object, message?: string): void;
  abstract info(message: string): void;
  abstract warn(fields: object, message?: string): void;
  abstract warn(message: string): void;
  abstract error(fields: object, message?: string): void;
  abstract error(message: string): void;
  /** A logger that adds `fields` to every line. */
  abstract child(fields: Record<string, unknown>): Logger;
}
