import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { failure, forbidden } from '../core/errors.js';
import type { Clock, ObjectService } from '../core/types.js';
import { checkTimeout } from './request-timeout.js';
import { impersonate } from '../auth/impersonate.js';
import type { Authenticator, Authorizer, Credentials } from '../auth/ports.js';
import { Discovery } from './discovery.js';
import { Exchange } from './exchange.js';
import type { HttpHooks } from './hooks.js';
import { sendHealth, sendVersion } from './misc.js';
import type { HealthCheck } from './misc.js';
import type { OpenApi } from './openapi.js';
import { Rest } from './rest.js';
import { pageNotFound, Router } from './router.js';
import type { SpecialRoutes } from './router.js';
import { Served } from './served.js';
import { WatchEncoder } from './watch-stream.js';

export interface HttpServerOptions {
  readonly objects: ObjectService;
  readonly clock: Clock;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** PEM; undefined = plain HTTP (DE-2). */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string } | undefined;
  /** Subresources and kinds with a meaning of their own. */
  readonly special: SpecialRoutes;
  /** Conditions of `/readyz`; none = ready at once. */
  readonly checks?: readonly HealthCheck[];
  /** Answers `/.well-known/openid-configuration` and `/openid/v1/jwks`. */
  readonly openid?: (path: string, url: string) => unknown;
  readonly hooks?: HttpHooks;
  readonly limits?: HttpLimits;
}

/** How long a client may take, in ms. */
export interface HttpLimits {
  /** For the TLS handshake, and then for the head of a request; default 32,000, as on a real server. */
  readonly headMs?: number;
  /** For a whole request; default 60,000. How long the answer takes does not count. */
  readonly requestMs?: number;
}

/** Largest head of a request, in bytes, as on a real server. */
const HEAD_LIMIT = 1024 * 1024;

/** What is told to a client whose request cannot be read, by code of the error. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Requests still running when the server closes get this long, in ms, before their connections are cut. */
const CLOSE_GRACE = 1000;

/** The HTTP face of an ObjectService: listener, filter chain (TR-7), routes. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #router: Router;
  readonly #discovery: Discovery;
  readonly #served: Served;
  #openapi: OpenApi | undefined;
  readonly #open = new Set<Exchange>();
  /** Connections, those among them that have not shaken hands: the server itself does not know these. */
  readonly #sockets = new Set<Duplex>();
  #closing = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const served = new Served(options.objects.registry);
    this.#served = served;
    const rest = new Rest(options.objects, options.clock, new WatchEncoder(options.clock));
    this.#router = new Router(served, rest, options.special);
    this.#discovery = new Discovery(served, () => this.#address);
    const listener: RequestListener = (request, response) => void this.#serve(request, response);
    const { headMs = 32_000, requestMs = 60_000 } = options.limits ?? {};
    const limits = {
      // Kept-alive connections stay open for longer than the idle time-outs of common clients.
      keepAliveTimeout: 120_000,
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(headMs, 5000),
      maxHeaderSize: HEAD_LIMIT,
    };
    // An import of node:http would load all that it exports lazily, a whole HTTP client among it, and cost start time.
    this.#server = options.tls
      ? https.createServer(
          {
            ...limits,
            ...options.tls,
            handshakeTimeout: headMs,
            requestCert: true,
            rejectUnauthorized: false,
            minVersion: 'TLSv1.2',
          },
          listener,
        )
      : process.getBuiltinModule('node:http').createServer(limits, listener);
    this.#server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('clientError', (error, socket) => this.#refuse(error, socket));
  }

  /** Resolves when connections are accepted; rejects when the port cannot be had (OP-1). */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve(this.#server.address() as AddressInfo);
      });
    });
  }

  get #address(): string {
    const at = this.#server.address() as AddressInfo | null;
    return at ? `${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}` : '';
  }

  /** Ends watches cleanly, lets running requests finish, closes all connections. */
  async close(): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const exchange of this.#open) exchange.endStream?.();
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, CLOSE_GRACE);
    await closed;
    clearTimeout(cut);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const x = new Exchange(request, response);
    const { hooks, clock } = this.#options;
    const started = clock.now();
    this.#open.add(x);
    if (this.#closing) response.setHeader('Connection', 'close');
    response.once('close', () => {
      this.#open.delete(x);
      hooks?.done?.(x, started);
      // The connection of an ended watch is idle only now.
      if (this.#closing) setImmediate(() => this.#server.closeIdleConnections());
    });
    request.on('error', () => response.destroy());
    try {
      await this.#filter(x);
    } catch (error) {
      await x.fail(error).catch(() => response.destroy());
    }
  }

  /** Answers what is no request, in plain text as a real server does, and ends the connection. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const { code = '' } = error;
    const answer = REFUSALS[code] ?? (code.startsWith('HPE_') ? '400 Bad Request' : undefined);
    const begun = [...this.#open].some((x) => x.request.socket === socket && x.response.headersSent);
    // Without a handshake or a peer there is nobody to tell.
    if (answer === undefined || begun || !socket.writable) {
      socket.destroy();
      return;
    }
    const head = `HTTP/1.1 ${answer}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
    socket.end(head + answer, () => socket.destroy());
  }

  /** TR-7 */
  async #filter(x: Exchange): Promise<void> {
    const { authenticator, authorizer, hooks } = this.#options;
    checkTimeout(x.query.get('timeout'));
    const caller = await authenticator.authenticate(credentials(x.request));
    x.principal = caller;
    const attributes = { ...x.info, name: x.info.authName };
    x.principal = await impersonate({ caller, headers: x.request.headers, attributes, authorizer });
    const { allowed } = await authorizer.authorize(x.principal, attributes);
    if (!allowed) throw denied(x);
    if (hooks?.control && x.info.path.startsWith('/_embedded/')) return hooks.control(x);
    const route = (): Promise<void> => this.#route(x);
    return hooks?.intercept ? hooks.intercept(x, route) : route();
  }

  async #route(x: Exchange): Promise<void> {
    const { path } = x.info;
    if (x.info.resourceRequest) return this.#router.handle(x);
    const page = await this.#page(x, path);
    if (page === undefined) return pageNotFound(x);
    if (x.method !== 'GET' && x.method !== 'HEAD') {
      throw failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
    }
    return page();
  }

  /** The page at a path that names no resource. */
  async #page(x: Exchange, path: string): Promise<(() => Promise<void>) | undefined> {
    if (path === '/version') return () => sendVersion(x);
    if (path === '/') return () => this.#index(x);
    if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) {
      return async () => void (await sendHealth(x, this.#options.checks ?? []));
    }
    if (path === '/api' || path === '/apis' || path.startsWith('/api/') || path.startsWith('/apis/')) {
      return async () => void ((await this.#discovery.handle(x)) || (await pageNotFound(x)));
    }
    if (path === '/openapi/v2') return async () => (await this.#documents()).sendV2(x);
    if (path.startsWith('/openapi/v3')) return async () => (await this.#documents()).handle(x);
    if (path === '/.well-known/openid-configuration' || path === '/openid/v1/jwks') {
      const url = `${this.#options.tls ? 'https' : 'http'}://${this.#address}`;
      const document = this.#options.openid?.(path, url);
      return document === undefined ? undefined : () => x.json(200, document);
    }
    return undefined;
  }

  async #index(x: Exchange): Promise<void> {
    return x.json(200, { paths: (await this.#documents()).paths() });
  }

  /** Loaded when first asked for: the start does not need it. */
  async #documents(): Promise<OpenApi> {
    const { OpenApi } = await import('./openapi.js');
    return (this.#openapi ??= new OpenApi(this.#served));
  }
}

function denied(x: Exchange): Error {
  const { info, principal } = x;
  const user = JSON.stringify(principal.name);
  if (!info.resourceRequest) {
    return failure(
      403,
      'Forbidden',
      `forbidden: User ${user} cannot ${info.verb} path ${JSON.stringify(info.path)}`,
      {},
    );
  }
  const what = info.subresource === undefined ? info.resource : `${info.resource}/${info.subresource}`;
  const where = info.namespace ? `in the namespace "${info.namespace}"` : 'at the cluster scope';
  const resource = { group: info.group, plural: info.resource, kind: '' };
  const why = `User ${user} cannot ${info.verb} resource "${what}" in API group "${info.group}" ${where}`;
  return forbidden(resource, info.authName ?? '', why);
}

/** A connection's certificate does not change. */
const certificates = new WeakMap<object, Credentials['certificate']>();

function credentials(request: IncomingMessage): Credentials {
  const socket = request.socket as TLSSocket;
  const { authorization } = request.headers;
  if (!socket.encrypted) return { authorization, certificate: undefined };
  if (!certificates.has(socket)) certificates.set(socket, readCertificate(socket));
  return { authorization, certificate: certificates.get(socket) };
}

function readCertificate(socket: TLSSocket): Credentials['certificate'] {
  const { subject } = socket.getPeerCertificate();
  if (!subject) return undefined;
  if (!socket.authorized) return 'invalid';
  const groups = (subject.O ?? []) as string | string[];
  return { name: String(subject.CN ?? ''), groups: Array.isArray(groups) ? groups : [groups] };
}
