import type { Dispatcher } from 'undici';
import type { ResponseHeaders } from './contract.js';
import { transportDefaults as defaults } from './defaults.js';

/** One request as undici takes it. */
export interface ExchangeRequest extends Dispatcher.DispatchOptions {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

/** A broken exchange; `sent` tells whether the request was handed to a connection. Never leaves the transport. */
export class ExchangeFailure extends Error {
  constructor(
    readonly error: unknown,
    readonly sent: boolean,
  ) {
    super('exchange failed');
  }
}

/** An answer with its body in pieces. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/** What both kinds of exchange do: start, abort in the same turn, tell whether the request left. */
abstract class Exchange {
  protected controller: Dispatcher.DispatchController | undefined;
  private over = false;
  private readonly signal: AbortSignal | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal;
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Aborted while it waited for a connection: undici keeps such a request in its queue until now.
    if (this.over) controller.abort(new Error('aborted'));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.finish()) this.fail(new ExchangeFailure(error, this.controller !== undefined));
  }

  /** Ends the exchange from our side; the connection is freed. */
  abort(reason: unknown): void {
    if (!this.finish()) return;
    this.fail(reason);
    this.controller?.abort(new Error('aborted'));
  }

  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  /** False when it was over before. */
  protected finish(): boolean {
    if (this.over) return false;
    this.over = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    return true;
  }

  protected abstract fail(reason: unknown): void;

  private readonly onAbort = (): void => {
    this.abort(this.signal?.reason);
  };
}

class WholeExchange extends Exchange implements Dispatcher.DispatchHandler {
  private status = 0;
  private headers: ResponseHeaders = {};
  private readonly chunks: Buffer[] = [];

  constructor(
    signal: AbortSignal | undefined,
    private readonly resolve: (response: ExchangeResponse) => void,
    protected readonly fail: (reason: unknown) => void,
  ) {
    super(signal);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.finish()) return;
    const { status, headers, chunks } = this;
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    // undici frees the connection in an immediate that it sets after this call. Going on before it would make a caller
    // that sends its next request at once open a second connection.
    process.nextTick(() => setImmediate(this.resolve, { status, headers, body }));
  }
}

/** Sends a request and reads its whole answer. Rejects with an ExchangeFailure, or with the signal's reason. */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  signal: AbortSignal | undefined,
): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new WholeExchange(signal, resolve, reject));
  });
}

/** An answer whose body is read while it comes. */
export interface ExchangeStream {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly chunks: AsyncIterable<Uint8Array>;
  abort(reason: unknown): void;
  /** Ends it as if the server had; what came is still read. */
  end(): void;
}

class StreamExchange extends Exchange implements Dispatcher.DispatchHandler, ExchangeStream {
  status = 0;
  headers: ResponseHeaders = {};
  private queue: Buffer[] = [];
  private waitingBytes = 0;
  private ended = false;
  private failure: { reason: unknown } | undefined;
  private wake: (() => void) | undefined;
  private started = false;

  constructor(
    signal: AbortSignal | undefined,
    private readonly onHeaders: (stream: ExchangeStream) => void,
    private readonly onFailure: (reason: unknown) => void,
  ) {
    super(signal);
  }

  readonly chunks: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => this.read() };

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.started = true;
    this.onHeaders(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.queue.push(chunk);
    this.waitingBytes += chunk.byteLength;
    if (this.waitingBytes > defaults.unreadBytes) this.pause();
    this.notify();
  }

  onResponseEnd(): void {
    if (!this.finish()) return;
    this.ended = true;
    this.notify();
  }

  end(): void {
    if (!this.finish()) return;
    this.ended = true;
    this.notify();
    this.controller?.abort(new Error('ended'));
  }

  protected fail(reason: unknown): void {
    this.failure = { reason };
    if (!this.started) this.onFailure(reason);
    this.notify();
  }

  private notify(): void {
    const wake = this.wake;
    this.wake = undefined;
    wake?.();
  }

  private async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        if (this.failure) throw this.failure.reason;
        if (this.queue.length > 0) {
          const chunks = this.queue;
          this.queue = [];
          this.waitingBytes = 0;
          this.resume();
          yield* chunks;
        } else if (this.ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        }
      }
    } finally {
      this.abort(new Error('the reader left'));
    }
  }
}

/** Sends a request and answers when its headers are there. */
export function exchangeStream(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  signal: AbortSignal | undefined,
): Promise<ExchangeStream> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new StreamExchange(signal, resolve, reject));
  });
}
