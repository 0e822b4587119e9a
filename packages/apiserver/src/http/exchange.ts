import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { failure, internal, isStatusError } from '../core/errors.js';
import type { Principal, Status } from '../core/types.js';
import { requestInfo } from './path.js';
import type { RequestInfo } from './path.js';
import { Warnings } from './warnings.js';

const compress = promisify(gzip);
const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const HUMAN = /^(curl|Wget|Mozilla\/5\.0)/;
/** Bodies above this size are compressed when the client can read it (TR-5). */
const GZIP_FROM = 128 * 1024;
/** Largest request body (TR-5). */
const BODY_LIMIT = 3 * 1024 * 1024;

const NOBODY: Principal = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly auditId: string = randomUUID();
  readonly warnings: Warnings = new Warnings();
  /** Set by the filter chain. */
  principal: Principal = NOBODY;
  /** Reason of the failure that was answered, for the request log. */
  reason = '';
  /** Called once by a watch or log handler that keeps the connection, when the server shuts down. */
  endStream: (() => void) | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    this.query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
    this.info = requestInfo(this.method, mark < 0 ? url : url.slice(0, mark), this.query);
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(',') : value;
  }

  get accept(): string | undefined {
    return this.header('accept');
  }

  get userAgent(): string {
    return this.header('user-agent') ?? '';
  }

  /** QP-16 */
  get pretty(): boolean {
    const asked = this.query.get('pretty');
    return asked === null || asked === '' ? HUMAN.test(this.userAgent) : TRUE.has(asked);
  }

  /** The whole body; throws 413 beyond the limit without reading on. */
  body(): Promise<Buffer> {
    const tooLarge = (): Error =>
      failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${BODY_LIMIT}`);
    if (Number(this.header('content-length') ?? 0) > BODY_LIMIT) return Promise.reject(tooLarge());
    const { request } = this;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= BODY_LIMIT) chunks.push(chunk);
        else if (size - chunk.length <= BODY_LIMIT) {
          // Not destroyed: the answer goes over the same connection.
          request.pause();
          reject(tooLarge());
        }
      });
      request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      request.once('error', reject);
    });
  }

  /** Headers every answer carries (TR-5), and the warnings collected so far (TR-7). */
  head(code: number, headers: Record<string, string | number | string[]>): void {
    const warnings = this.warnings.headers();
    this.response.writeHead(code, {
      'Audit-Id': this.auditId,
      'Cache-Control': 'no-cache, private',
      ...headers,
      ...(warnings.length > 0 ? { Warning: warnings } : {}),
    });
  }

  async send(code: number, body: string, headers: Record<string, string>): Promise<void> {
    const size = Buffer.byteLength(body);
    if (size > GZIP_FROM && /\bgzip\b/.test(this.header('accept-encoding') ?? '')) {
      const small = await compress(body, { level: 1 });
      const vary = headers['Vary'] ? `${headers['Vary']}, Accept-Encoding` : 'Accept-Encoding';
      const packed = { 'Content-Encoding': 'gzip', Vary: vary, 'Content-Length': small.length };
      this.head(code, { ...headers, ...packed });
      this.response.end(small);
      return;
    }
    this.head(code, { ...headers, 'Content-Length': size });
    // As text, head and body leave in one write.
    this.response.end(body);
  }

  json(code: number, value: unknown, headers: Record<string, string> = {}): Promise<void> {
    const text = this.pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
    return this.send(code, `${text}\n`, { 'Content-Type': 'application/json', ...headers });
  }

  text(code: number, text: string, headers: Record<string, string> = {}): Promise<void> {
    return this.send(code, text, {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    });
  }

  status(status: Status): Promise<void> {
    this.reason = status.reason ?? '';
    const wait = status.details?.retryAfterSeconds;
    return this.json(status.code, status, wait !== undefined && wait > 0 ? { 'Retry-After': String(wait) } : {});
  }

  /** Answers any failure as a Status; an unforeseen one is a 500 (ER-20). Too late for an answer: the connection ends. */
  async fail(error: unknown): Promise<void> {
    if (this.response.headersSent) {
      this.response.destroy();
      return;
    }
    if (!this.request.complete) this.response.setHeader('Connection', 'close');
    await this.status(isStatusError(error) ? error.status : internal(messageOf(error)).status);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
