import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ClusterConfig, FixedCredential } from '../auth/credentials.js';
import { KeptLogger } from '../cache/scripted-transport.test.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import type { TransportRequest } from './contract.js';
import { HttpTransport, type HttpTransportOptions } from './http-transport.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on a free port, and a transport to it; back-off waits are on virtual time. */
export class HttpHarness implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly logger: KeptLogger = new KeptLogger();
  readonly requests: IncomingMessage[] = [];
  readonly sockets: Set<Socket> = new Set();
  /** Connections accepted so far. */
  connections = 0;
  transport!: HttpTransport;
  protected server!: Server;

  static async start(
    handler: Handler,
    cluster: Partial<ClusterConfig> = {},
    options: Partial<HttpTransportOptions> = {},
  ): Promise<HttpHarness> {
    const harness = new HttpHarness();
    await harness.listen(handler, createServer());
    harness.connect(cluster, options);
    return harness;
  }

  async listen(handler: Handler, server: Server): Promise<void> {
    this.server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request);
      handler(request, response);
    });
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  connect(cluster: Partial<ClusterConfig>, options: Partial<HttpTransportOptions> = {}): void {
    this.transport = new HttpTransport({
      cluster: {
        server: this.url('http'),
        tls: {},
        credentials: new FixedCredential({}),
        namespace: 'default',
        source: 'test',
        ...cluster,
      },
      clock: this.clock,
      random: () => 0.5,
      logger: this.logger,
      ...options,
    });
  }

  url(scheme: 'http' | 'https'): string {
    return `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  send(request: Partial<TransportRequest> = {}): ReturnType<HttpTransport['send']> {
    return this.transport.send({ method: 'GET', path: '/x', retry: 'safe', what: 'get Pod default/x', ...request });
  }

  /** Sends, moving virtual time on until the call is over. */
  async sendThroughWaits(request: Partial<TransportRequest> = {}): ReturnType<HttpTransport['send']> {
    let over = false;
    const call = this.send(request).finally(() => {
      over = true;
    });
    call.catch(() => {});
    while (!over) {
      await this.clock.yield();
      const next = this.clock.nextTimerIn();
      if (next !== undefined) await this.clock.advance(next);
    }
    return call;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.transport.close(0);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Waits for a condition on real sockets, at most 5 s. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not so within 5 s: ${what}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Answers JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
