import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Access } from '../support/kubeconfig.js';

/** What a request asks for, as far as faults tell requests apart. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'other';

/** Changes the bytes of an answer on their way to the client. */
export type Mangle = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Where the proxy leads. */
export interface Upstream {
  readonly access: Access;
  readonly agent: https.Agent;
}

/** One request in the hands of the proxy, and all that can be done to it. */
export class Exchange {
  readonly verb: Verb;
  /** Plural of the kind; empty for anything that is no object. */
  readonly resource: string;
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  /** As the client sent it; the first load of a streaming list says so here. */
  readonly query: URLSearchParams;
  readonly #url: URL;
  readonly #upstream: Upstream;

  constructor(request: http.IncomingMessage, response: http.ServerResponse, upstream: Upstream) {
    this.request = request;
    this.response = response;
    this.#upstream = upstream;
    this.#url = new URL(request.url ?? '/', upstream.access.server);
    this.query = this.#url.searchParams;
    const [, root, ...path] = this.#url.pathname.split('/');
    const inVersion = path.slice(root === 'api' ? 1 : 2);
    const [resource = '', name] = inVersion[0] === 'namespaces' ? inVersion.slice(2) : inVersion;
    this.resource = resource;
    this.verb = resource === '' ? 'other' : verbOf(request.method, name, this.query.has('watch'));
  }

  /** Sends the request to the server behind; resolves with its answer, rejects when there is none. */
  forward(): Promise<http.IncomingMessage> {
    const { request, response } = this;
    const { access, agent } = this.#upstream;
    const { token } = access;
    const headers = {
      ...request.headers,
      host: this.#url.host,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    return new Promise((resolve, reject) => {
      const method = request.method ?? 'GET';
      const call = https.request(this.#url, { method, headers, agent }, resolve);
      call.once('error', reject);
      response.once('close', () => call.destroy());
      request.pipe(call);
    });
  }

  /** Hands the answer through, its bytes as `mangle` leaves them. */
  async pass(mangle?: Mangle, headers: http.OutgoingHttpHeaders = {}): Promise<void> {
    const answer = await this.forward();
    const given: http.OutgoingHttpHeaders = { ...answer.headers, ...headers };
    // The length is no longer known; without it the answer goes out in chunks.
    if (mangle) delete given['content-length'];
    this.response.writeHead(answer.statusCode ?? 502, given);
    this.response.flushHeaders();
    if (mangle) await pipeline(answer, mangle, this.response);
    else await pipeline(answer, this.response);
  }

  /** Answers in the server's place. */
  answer(status: number, body: string, headers: http.OutgoingHttpHeaders = {}): void {
    this.request.resume();
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...headers,
    });
    this.response.end(body);
  }

  /** Breaks the connection as a crash would: the client reads a reset. */
  reset(): void {
    this.request.socket.resetAndDestroy();
  }

  /** Ends the connection in order, whatever was said on it so far. */
  hangUp(): void {
    this.request.socket.destroySoon();
  }
}

function verbOf(method: string | undefined, name: string | undefined, watch: boolean): Verb {
  if (method === 'GET') return watch ? 'watch' : name === undefined ? 'list' : 'get';
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'PATCH') return 'patch';
  return method === 'DELETE' ? 'delete' : 'other';
}
