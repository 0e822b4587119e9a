import type { Logger } from '@kubewright/api';
import type { Transport, TransportRequest, TransportResponse, TransportStream } from '../transport/contract.js';

type StreamRequest = Omit<TransportRequest, 'retry'>;

/** A body that a test feeds by hand. */
export class FakeStream implements TransportStream {
  readonly headers: Record<string, string> = {};
  cancelled = false;
  private readonly queue: Uint8Array[] = [];
  private over: { readonly error?: unknown } | undefined;
  private wake: () => void = () => {};

  constructor(
    readonly status: number,
    signal: AbortSignal | undefined,
  ) {
    signal?.addEventListener('abort', () => this.finish({ error: signal.reason }), { once: true });
  }

  /** Sends events, each on its line. */
  send(...events: readonly object[]): void {
    for (const event of events) this.bytes(`${JSON.stringify(event)}\n`);
  }

  bytes(data: string | Uint8Array): void {
    this.queue.push(typeof data === 'string' ? Buffer.from(data) : data);
    this.wake();
  }

  end(): void {
    this.finish({});
  }

  break(message = 'socket hang up'): void {
    this.finish({ error: new Error(message) });
  }

  cancel(): void {
    this.cancelled = true;
    this.finish({ error: new Error('cancelled') });
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.read() };
  }

  private finish(over: { readonly error?: unknown }): void {
    this.over ??= over;
    this.wake();
  }

  private async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunk = this.queue.shift();
      if (chunk) yield chunk;
      else if (this.over?.error !== undefined) throw this.over.error as Error;
      else if (this.over) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

/** What a script answers to one request. */
export type Answer =
  { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> } | Error;

/** A request as a test looks at it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly at: number;
}

interface ScriptedOptions {
  readonly now: () => number;
  /** Answers what is no watch. Default: an empty list. */
  readonly answer?: (request: Seen) => Answer | Promise<Answer>;
  /** Answers a watch: undefined opens a stream. */
  readonly refuse?: (request: Seen) => Answer | undefined;
}

/** A transport without a network: records what is asked, answers by script. */
export class ScriptedTransport implements Transport {
  readonly seen: Seen[] = [];
  readonly streams: FakeStream[] = [];

  constructor(private readonly options: ScriptedOptions) {}

  /** The newest watch. */
  get latest(): FakeStream {
    return this.streams.at(-1) as FakeStream;
  }

  get watches(): Seen[] {
    return this.seen.filter(({ query }) => query['watch'] === '1');
  }

  get lists(): Seen[] {
    return this.seen.filter(({ method, query }) => method === 'GET' && query['watch'] === undefined);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const seen = this.note(request);
    const answer = await (this.options.answer?.(seen) ?? emptyList());
    request.signal?.throwIfAborted();
    if (answer instanceof Error) throw answer;
    return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: textOf(answer.body) };
  }

  stream(request: StreamRequest): Promise<TransportStream> {
    const seen = this.note(request);
    const refused = this.options.refuse?.(seen);
    if (refused instanceof Error) return Promise.reject(refused);
    const stream = new FakeStream(refused?.status ?? 200, request.signal);
    if (refused) {
      stream.bytes(textOf(refused.body));
      stream.end();
    } else this.streams.push(stream);
    return Promise.resolve(stream);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private note(request: StreamRequest): Seen {
    const [path = '', query] = request.path.split('?');
    const seen = {
      method: request.method,
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      body: request.body === undefined ? undefined : (JSON.parse(request.body) as unknown),
      contentType: request.contentType,
      accept: request.accept,
      at: this.options.now(),
    };
    this.seen.push(seen);
    return seen;
  }
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body ?? {}));

export function emptyList(): Answer {
  return { body: podList('1') };
}

/** A PodList. */
export function podList(resourceVersion: string, ...items: readonly object[]): object {
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion }, items };
}

/** A Status of kind Failure. */
export function failure(code: number, reason: string, extra: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `${reason} it is`, ...extra };
}

/** The end marker of a streamed list. */
export function marker(resourceVersion: string): object {
  return {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } } },
  };
}

/** A logger that keeps its lines. */
export class KeptLogger implements Logger {
  readonly lines: { readonly level: string; readonly text: string; readonly fields: object }[] = [];

  trace(fields: object | string, message?: string): void {
    this.keep('trace', fields, message);
  }

  debug(fields: object | string, message?: string): void {
    this.keep('debug', fields, message);
  }

  info(fields: object | string, message?: string): void {
    this.keep('info', fields, message);
  }

  warn(fields: object | string, message?: string): void {
    this.keep('warn', fields, message);
  }

  error(fields: object | string, message?: string): void {
    this.keep('error', fields, message);
  }

  child(_fields: object): Logger {
    return this;
  }

  /** Texts of one level. */
  of(level: string): string[] {
    return this.lines.filter((line) => line.level === level).map(({ text }) => text);
  }

  private keep(level: string, fields: object | string, message = ''): void {
    if (typeof fields === 'string') this.lines.push({ level, text: fields, fields: {} });
    else this.lines.push({ level, text: message, fields });
  }
}
