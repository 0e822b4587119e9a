import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Clock, type Logger, sleep } from '@kubewright/api';
import type { Dispatcher } from 'undici';
import type { ClusterConfig, Credential } from '../auth/credentials.js';
import { CallSignal } from './call-signal.js';
import type { Transport, TransportRequest, TransportResponse, TransportStream } from './contract.js';
import { transportDefaults as defaults } from './defaults.js';
import { transportErrors } from './errors.js';
import { exchange, ExchangeFailure, exchangeStream, type ExchangeRequest, type ExchangeStream } from './exchange.js';
import {
  classifyFailure,
  classifyResponse,
  isCertificateRefused,
  isHandshakeFailure,
  mayRetry,
  retryAfterMs,
} from './failure.js';
import { Line } from './line.js';
import { Rotation } from './rotation.js';
import { RequestHeaders } from './request-headers.js';
import { ServerWarnings } from './server-warnings.js';
import { Dispatchers, type TlsMaterial } from './tls.js';

const unzip = promisify(gunzip);

export interface HttpTransportOptions {
  readonly cluster: ClusterConfig;
  readonly clock: Clock;
  /** 0 ≤ random() < 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** `<operator>/<version>`; the rest of the header is added (T14). Default `kubewright`. */
  readonly userAgent?: string;
  /** Requests at once, watches not counted. Default 100 (T3). */
  readonly maxInFlight?: number;
  /** Negotiate HTTP/2. Default false (T2). */
  readonly http2?: boolean;
}

/** The transport of one cluster over undici (section 1 of the runtime contract). */
export class HttpTransport implements Transport {
  private readonly cluster: ClusterConfig;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly logger: Logger;
  private readonly url: URL;
  private readonly prefix: string;
  private readonly headers: RequestHeaders;
  private readonly dispatchers: Dispatchers;
  private readonly rotation: Rotation;
  private readonly line: Line;
  private readonly warnings: ServerWarnings;
  private closing: Promise<void> | undefined;
  private readonly ended = new AbortController();
  private running = 0;
  private onIdle: (() => void) | undefined;
  /** The material in use, and what it was made of; kept so that it hashes once. */
  private tls: {
    readonly base: TlsMaterial;
    readonly certificate: Credential['certificate'];
    readonly material: TlsMaterial;
  };

  constructor(options: HttpTransportOptions) {
    const { cluster, http2 } = options;
    this.cluster = cluster;
    this.clock = options.clock;
    this.random = options.random;
    this.logger = options.logger;
    this.url = new URL(cluster.server);
    this.prefix = this.url.pathname.replace(/\/+$/, '');
    this.dispatchers = new Dispatchers({ origin: this.url.origin, proxy: cluster.proxy, http2 });
    this.rotation = new Rotation(this.dispatchers, options.clock, options.random);
    this.headers = new RequestHeaders(cluster, this.url, options);
    this.line = new Line(options.maxInFlight ?? defaults.maxInFlight);
    this.warnings = new ServerWarnings(options.clock, options.logger);
    this.tls = { base: cluster.tls, certificate: undefined, material: cluster.tls };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.closing) throw transportErrors.closed(request.what);
    const call = new CallSignal(this.clock, request);
    this.running++;
    try {
      call.throwIfAborted();
      return await this.attempts(request, call);
    } finally {
      call.dispose();
      if (--this.running === 0) this.onIdle?.();
    }
  }

  async stream(request: Omit<TransportRequest, 'retry'>): Promise<TransportStream> {
    if (this.closing) throw transportErrors.closed(request.what);
    const call = new CallSignal(this.clock, request);
    try {
      call.throwIfAborted();
      const credential = await this.cluster.credentials.current();
      call.throwIfAborted();
      const options = this.options(request, credential, true);
      const dispatcher = this.dispatcher(credential);
      const answer = await exchangeStream(dispatcher, options, call.signal);
      this.rotation.opened(answer, dispatcher);
      if (answer.status === 401) await this.cluster.credentials.renew(credential);
      this.warnings.note(answer.headers, request.what);
      const chunks = this.named(answer, request.what);
      return {
        status: answer.status,
        headers: answer.headers,
        chunks,
        cancel: () => {
          this.rotation.closed(answer);
          answer.abort(new Error('cancelled'));
        },
      };
    } catch (error) {
      throw error instanceof ExchangeFailure ? this.failure(request, error, false) : error;
    } finally {
      call.disposeTimer();
    }
  }

  close(graceMs: number = defaults.closeGrace): Promise<void> {
    this.closing ??= this.shutDown(graceMs);
    return this.closing;
  }

  private async shutDown(graceMs: number): Promise<void> {
    if (this.running > 0 && graceMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = this.clock.setTimeout(resolve, graceMs);
        this.onIdle = () => {
          this.clock.clearTimeout(timer);
          resolve();
        };
      });
    }
    // Calls that wait for their next attempt end here, those that run when their connection goes.
    this.ended.abort();
    this.rotation.stop();
    await this.dispatchers.destroy();
  }

  private async attempts(request: TransportRequest, call: CallSignal): Promise<TransportResponse> {
    let unauthorized = false;
    for (let attempt = 1; ; attempt++) {
      const credential = await this.cluster.credentials.current();
      const outcome = await this.attempt(request, call, credential);
      const failed = outcome instanceof ExchangeFailure;
      if (!failed && outcome.status === 401 && !unauthorized) {
        unauthorized = true;
        const renewed = await this.cluster.credentials.renew(credential);
        if (renewed.authorization === credential.authorization)
          await this.pause(defaults.unauthorizedWait, call, request);
        attempt--;
        continue;
      }
      const failure = failed ? classifyFailure(outcome) : classifyResponse(outcome);
      const asked = failed ? undefined : retryAfterMs(outcome, this.clock.now());
      const wait = this.wait(attempt, asked);
      if (
        attempt >= defaults.attempts ||
        this.ended.signal.aborted ||
        !mayRetry(failure, request.retry) ||
        (asked !== undefined && asked > defaults.maxRetryAfter) ||
        !call.allows(wait)
      ) {
        if (failed) throw this.failure(request, outcome, request.method !== 'GET');
        return outcome;
      }
      this.logger.debug({ call: request.what, attempt, waitMs: Math.round(wait) }, 'request failed, trying again');
      await this.pause(wait, call, request);
    }
  }

  private async pause(ms: number, { signal }: CallSignal, { what }: TransportRequest): Promise<void> {
    const either = signal ? AbortSignal.any([signal, this.ended.signal]) : this.ended.signal;
    await sleep(this.clock, ms, either).catch((error: unknown) => {
      throw this.ended.signal.aborted ? transportErrors.closed(what) : error;
    });
  }

  private async attempt(
    request: TransportRequest,
    call: CallSignal,
    credential: Credential,
  ): Promise<TransportResponse | ExchangeFailure> {
    const place = request.urgent ? undefined : this.line.enter(call.signal);
    if (place) await place;
    try {
      call.throwIfAborted();
      if (this.ended.signal.aborted) throw transportErrors.closed(request.what);
      const options = this.options(request, credential, false);
      const { status, headers, body } = await exchange(this.dispatcher(credential), options, call.signal);
      this.warnings.note(headers, request.what);
      const bytes = headers['content-encoding'] === 'gzip' ? await unzip(body) : body;
      return { status, headers, body: bytes.toString('utf8') };
    } catch (error) {
      if (error instanceof ExchangeFailure) return error;
      throw error;
    } finally {
      if (!request.urgent) this.line.leave();
    }
  }

  private wait(attempt: number, asked: number | undefined): number {
    const full = defaults.waits[Math.min(attempt, defaults.waits.length) - 1] ?? 0;
    const own = full / 2 + (this.random() * full) / 2;
    if (asked === undefined) return own;
    return Math.max(own, asked * (1 + this.random() * defaults.retryAfterJitter));
  }

  private options(request: Omit<TransportRequest, 'retry'>, credential: Credential, stream: boolean): ExchangeRequest {
    return {
      origin: this.url.origin,
      path: this.prefix + request.path,
      method: request.method,
      headers: this.headers.of(request, credential, stream),
      body: request.body ?? null,
      headersTimeout: stream ? defaults.watchHeadersTimeout : defaults.headersTimeout,
      bodyTimeout: stream ? 0 : defaults.bodyTimeout,
    };
  }

  private dispatcher({ certificate }: Credential): Dispatcher {
    const base = this.cluster.tls;
    if (certificate === this.tls.certificate && base === this.tls.base) return this.dispatchers.get(this.tls.material);
    const old = this.dispatchers.get(this.tls.material);
    this.tls = { base, certificate, material: certificate ? { ...base, ...certificate } : base };
    const dispatcher = this.dispatchers.get(this.tls.material);
    if (dispatcher !== old) this.rotation.retire(old);
    return dispatcher;
  }

  /** A body that breaks is told in the transport's words, like everything else that fails. */
  private async *named(answer: ExchangeStream, what: string): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* answer.chunks;
    } catch (error) {
      throw error instanceof ExchangeFailure ? this.failure({ what }, error, false) : error;
    } finally {
      this.rotation.closed(answer);
    }
  }

  private failure(request: { readonly what: string }, { error, sent }: ExchangeFailure, write: boolean): Error {
    if (this.closing) return transportErrors.closed(request.what);
    if (write && sent) return transportErrors.unknownOutcome(request.what, error);
    if (isHandshakeFailure(error)) this.cluster.handshakeFailed?.();
    if (isCertificateRefused(error)) return transportErrors.tls(request.what, this.url.host, error);
    return transportErrors.failed(request.what, this.url.host, error);
  }
}
