import { Logger } from '@kubewright/api';
import { type DestinationStream, type Logger as Pino, pino, stdTimeFunctions } from 'pino';
import { safeFields } from './safe-fields.js';

/** `silent` writes nothing. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface PinoLoggerOptions {
  readonly level: LogLevel;
  /** Default: stdout. */
  readonly destination?: DestinationStream;
  /** On every line. */
  readonly base?: Readonly<Record<string, unknown>>;
}

/** One JSON line per entry, level as a word, RFC 3339 time; secrets are taken out (see {@link safeFields}). */
export function createPinoLogger({ level, destination, base = {} }: PinoLoggerOptions): Logger {
  const options = {
    // What is let through is decided here, since pino's children would keep the level they were made with.
    level: 'trace',
    base,
    timestamp: stdTimeFunctions.isoTime,
    messageKey: 'message',
    // In place of pino's own, which prints all it finds in an error: safeFields has been there already.
    serializers: { err: (err: unknown) => err },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return new PinoLogger(destination ? pino(options, destination) : pino(options), { level });
}

/** Changes what a built-in logger, and all that was made from it, lets through; false for any other logger. */
export function setLogLevel(logger: Logger, level: LogLevel): boolean {
  if (!(logger instanceof PinoLogger)) return false;
  logger.threshold.level = level;
  return true;
}

const RANK: Readonly<Record<LogLevel, number>> = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, silent: 5 };

type Level = Exclude<LogLevel, 'silent'>;

class PinoLogger extends Logger {
  readonly #pino: Pino;

  /** Shared with everything made from it. */
  readonly threshold: { level: LogLevel };

  constructor(target: Pino, threshold: { level: LogLevel }) {
    super();
    this.threshold = threshold;
    this.#pino = target;
  }

  trace(fields: object | string, message?: string): void {
    this.#write('trace', fields, message);
  }

  debug(fields: object | string, message?: string): void {
    this.#write('debug', fields, message);
  }

  info(fields: object | string, message?: string): void {
    this.#write('info', fields, message);
  }

  warn(fields: object | string, message?: string): void {
    this.#write('warn', fields, message);
  }

  error(fields: object | string, message?: string): void {
    this.#write('error', fields, message);
  }

  child(fields: Record<string, unknown>): Logger {
    return new PinoLogger(this.#pino.child(safeFields(fields, false)), this.threshold);
  }

  #write(level: Level, fields: object | string, message: string | undefined): void {
    if (RANK[level] < RANK[this.threshold.level]) return;
    if (typeof fields === 'string') this.#pino[level](fields);
    // Stacks belong to errors alone (M18).
    else this.#pino[level](safeFields(fields, level === 'error'), message);
  }
}
