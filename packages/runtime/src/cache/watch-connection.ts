import type { Clock, TimerHandle } from '@kubewright/api';
import { apiError, type CallSubject } from '../transport/api-errors.js';
import type { Transport, TransportStream } from '../transport/contract.js';
import { cacheDefaults as defaults } from './defaults.js';
import { LineSplitter } from './line-splitter.js';

/** One event of a watch, as the server wrote it. */
export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

/** A line that is no JSON (R10). */
export class BadLine extends Error {
  constructor(characters: number) {
    super(`line of ${characters} characters that is no watch event`);
  }
}

/** No byte came in time; the connection is taken for dead (R13). */
export class Silence extends Error {
  constructor(ms: number) {
    super(`nothing came for ${ms} ms`);
  }
}

interface OpenOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly path: string;
  readonly accept: string | undefined;
  readonly subject: CallSubject;
  readonly what: string;
  readonly signal: AbortSignal;
}

/** An open watch: its lines, parsed, under a limit on silence. */
export class WatchConnection {
  private readonly splitter = new LineSplitter();
  private limit: number = defaults.inactivity;
  private lastByte: number;
  private timer: TimerHandle | undefined;
  private reading = false;
  private silence: Silence | undefined;

  private constructor(
    private readonly stream: TransportStream,
    private readonly clock: Clock,
  ) {
    this.lastByte = clock.monotonic();
  }

  /** Resolves when the server has answered 200; any other answer is thrown as ApiError (R9). */
  static async open({ transport, clock, path, accept, subject, what, signal }: OpenOptions): Promise<WatchConnection> {
    const stream = await transport.stream({
      method: 'GET',
      path,
      signal,
      what,
      ...(accept !== undefined && { accept }),
    });
    if (stream.status === 200) return new WatchConnection(stream, clock);
    const body = await readSome(stream);
    throw apiError({ status: stream.status, headers: stream.headers, body }, subject, clock.now());
  }

  /** Changes the limit on silence, counted from the last byte on. */
  limitSilence(ms: number): void {
    this.limit = ms;
    this.arm();
  }

  /** Calls back for each batch of lines. Resolves at a clean end; throws BadLine, Silence, or what broke the body. */
  async read(onLines: (events: (WatchEvent | BadLine)[]) => Promise<void>): Promise<void> {
    this.reading = true;
    this.arm();
    try {
      for await (const chunk of this.stream.chunks) {
        this.lastByte = this.clock.monotonic();
        const lines = this.splitter.push(chunk);
        if (lines.length > 0) await onLines(lines.map(parse));
      }
    } catch (error) {
      throw this.silence ?? error;
    } finally {
      this.close();
    }
    if (this.silence) throw this.silence;
  }

  close(): void {
    if (this.timer) this.clock.clearTimeout(this.timer);
    this.timer = undefined;
    this.reading = false;
    this.stream.cancel();
  }

  /** One timer for the whole connection: it looks when the last byte came and waits for the rest. */
  private arm(): void {
    if (!this.reading) return;
    if (this.timer) this.clock.clearTimeout(this.timer);
    const rest = this.lastByte + this.limit - this.clock.monotonic();
    if (rest > 0) {
      this.timer = this.clock.setTimeout(() => this.arm(), rest);
      return;
    }
    // Cancelling ends the read; racing it against a promise would keep every chunk for as long as the watch lives.
    this.silence = new Silence(this.limit);
    this.stream.cancel();
  }
}

function parse(line: string): WatchEvent | BadLine {
  try {
    const event = JSON.parse(line) as WatchEvent | null;
    return typeof event?.type === 'string' ? event : new BadLine(line.length);
  } catch {
    return new BadLine(line.length);
  }
}

async function readSome(stream: TransportStream): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream.chunks) {
      parts.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= defaults.errorBodyBytes) break;
    }
  } catch {
    // The status is known; what came of the body is all there is.
  } finally {
    stream.cancel();
  }
  return Buffer.concat(parts).toString('utf8', 0, defaults.errorBodyBytes);
}
