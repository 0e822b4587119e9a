import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';
import { type Access, readAccess } from './kubeconfig.js';

/** A Kubernetes object as the server sends it, as far as tests read it. */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    ownerReferences?: { uid: string; kind: string; name: string }[];
  };
  // oxlint-disable-next-line no-explicit-any -- a test states by its assertions what it expects to find here
  [field: string]: any;
}

/** One event of a watch. */
export interface ApiEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: ApiObject;
}

/** An answer. `body` is the parsed JSON, or the text where it is none. */
export interface ApiAnswer {
  readonly status: number;
  // oxlint-disable-next-line no-explicit-any -- see ApiObject
  readonly body: any;
}

/** What a request carries besides method and path. */
export interface ApiRequest {
  readonly body?: unknown;
  /** The body as text, sent as it is, in place of `body`. */
  readonly text?: string;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Default `application/json`. */
  readonly accept?: string;
}

const CONTENT = 'application/json';

/** A plain HTTP client of one API server: an independent judge that shares no code with the product's client. */
export class Api {
  readonly #access: Access;
  readonly #http: typeof http | typeof https;
  readonly #agent: http.Agent;

  constructor(access: Access) {
    this.#access = access;
    this.#http = access.server.startsWith('https:') ? https : http;
    const { ca, cert, key } = access;
    this.#agent = new this.#http.Agent({ keepAlive: true, ...(ca && { ca }), ...(cert && { cert, key }) });
  }

  /** A client for the current context of a kubeconfig file. */
  static async of(kubeconfigPath: string): Promise<Api> {
    return new Api(await readAccess(kubeconfigPath));
  }

  /** Sends one request; any answer of the server resolves. */
  async send(method: string, path: string, request: ApiRequest = {}): Promise<ApiAnswer> {
    const response = await this.#open(method, path, request);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const isJson = response.headers['content-type']?.startsWith('application/json') === true;
    return { status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text };
  }

  /** Sends one request that must succeed. */
  async ok<T = ApiObject>(method: string, path: string, request: ApiRequest = {}): Promise<T> {
    const { status, body } = await this.send(method, path, request);
    if (status >= 300) throw new Error(`${method} ${path}: HTTP ${status} ${body?.message ?? JSON.stringify(body)}`);
    return body as T;
  }

  /** Watches a collection from `resourceVersion` on; ends when `signal` aborts. Rejects when the stream ends before. */
  async watch(
    path: string,
    options: { resourceVersion: string; signal: AbortSignal; onEvent: (event: ApiEvent) => void },
  ): Promise<void> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${options.resourceVersion}`;
    const response = await this.#open('GET', `${path}?${query}`, {}, options.signal);
    if (response.statusCode !== 200) throw new Error(`watch of ${path}: HTTP ${response.statusCode}`);
    try {
      for await (const line of createInterface({ input: response })) options.onEvent(JSON.parse(line) as ApiEvent);
    } catch (error) {
      if (!options.signal.aborted) throw error;
    }
    if (!options.signal.aborted) throw new Error(`watch of ${path} ended`);
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  #open(method: string, path: string, request: ApiRequest, signal?: AbortSignal): Promise<http.IncomingMessage> {
    const headers: Record<string, string> = { accept: request.accept ?? CONTENT, 'user-agent': 'kubewright-test' };
    const body = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    if (body !== undefined) {
      headers['content-type'] = request.contentType ?? CONTENT;
      // Without a length Node sends the body of a DELETE with no framing at all.
      headers['content-length'] = String(Buffer.byteLength(body));
    }
    if (this.#access.token) headers['authorization'] = `Bearer ${this.#access.token}`;
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent, ...(signal && { signal }) };
      const call = this.#http.request(`${this.#access.server}${path}`, options, resolve);
      call.once('error', reject);
      call.end(body);
    });
  }
}
