import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@kubewright/api';
import { HealthEndpoint } from './endpoint.js';
import { healthStarted, portInUse } from './errors.js';
import type { HealthAnswer, HealthCheck } from './health-check.js';

/** Options of {@link HealthServer}. */
export interface HealthServerOptions {
  readonly clock: Clock;
  /** 0: any free one. */
  readonly port: number;
  /** Default: all addresses of both families, since the kubelet asks from outside the Pod. */
  readonly host?: string;
}

/** `/healthz`, `/livez` and `/readyz` over plain HTTP (X37). */
export class HealthServer {
  readonly #options: HealthServerOptions;
  readonly #live: HealthCheck[] = [];
  readonly #ready: HealthCheck[] = [];
  #server: Server | undefined;

  constructor(options: HealthServerOptions) {
    this.#options = options;
  }

  /** The port it listens on; undefined before the start. */
  get port(): number | undefined {
    return (this.#server?.address() as AddressInfo | null | undefined)?.port;
  }

  /** Adds to `/healthz` and `/livez`: a failure there restarts the Pod. */
  addLive(check: HealthCheck): void {
    if (this.#server !== undefined) throw healthStarted(check.name);
    this.#live.push(check);
  }

  /** Adds to `/readyz`: a failure there takes the Pod out of its Service. */
  addReady(check: HealthCheck): void {
    if (this.#server !== undefined) throw healthStarted(check.name);
    this.#ready.push(check);
  }

  start(): Promise<void> {
    const { clock, port, host } = this.#options;
    const endpoints = [
      new HealthEndpoint('healthz', this.#live, clock),
      new HealthEndpoint('livez', this.#live, clock),
      new HealthEndpoint('readyz', this.#ready, clock),
    ];
    const server = createServer((request, response) => void respond(endpoints, request, response));
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        this.#server = undefined;
        reject(error.code === 'EADDRINUSE' ? portInUse('health server', port, error) : error);
      });
      server.listen({ port, ...(host !== undefined && { host }) }, resolve);
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}

async function respond(
  endpoints: readonly HealthEndpoint[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body } = await answerTo(endpoints, request);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answerTo(endpoints: readonly HealthEndpoint[], request: IncomingMessage): Promise<HealthAnswer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, body: 'method not allowed' };
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const [, name, check, ...rest] = path.split('/');
  const endpoint = endpoints.find((candidate) => candidate.name === name);
  const notFound = { status: 404, body: 'not found' };
  if (endpoint === undefined || rest.length > 0) return notFound;
  if (check === undefined || check === '') return endpoint.answer(new URLSearchParams(query));
  return (await endpoint.answerOne(check)) ?? notFound;
}
