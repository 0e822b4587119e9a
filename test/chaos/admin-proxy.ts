import http from 'node:http';
import https from 'node:https';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { stringify } from 'yaml';
import { type Access, readAccess } from '../support/kubeconfig.js';
import { temporaryFolder } from '../support/leftovers.js';
import { Exchange } from './exchange.js';
import type { FaultPlan } from './fault.js';

/**
 * A plain HTTP proxy in front of an API server that adds the administrator's credentials. Since it reads the requests it
 * can harm watches alone, or everything; the operator behind it is an ordinary client.
 */
export class AdminProxy implements AsyncDisposable {
  /** A kubeconfig that leads through the proxy. */
  readonly kubeconfigPath: string;
  readonly #server: http.Server;
  readonly #watches = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  /** What goes wrong; nothing by itself. */
  plan: FaultPlan | undefined;
  #watchesSeen = 0;
  #watchesCut = 0;

  private constructor(server: http.Server, kubeconfigPath: string) {
    this.#server = server;
    this.kubeconfigPath = kubeconfigPath;
  }

  /** Starts a proxy on a free loopback port before the server that `kubeconfigPath` names. */
  static async before(kubeconfigPath: string): Promise<AdminProxy> {
    const access = await readAccess(kubeconfigPath);
    const server = http.createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const file = path.join(await temporaryFolder('proxy'), 'kubeconfig');
    await writeFile(
      file,
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'proxy', cluster: { server: `http://127.0.0.1:${port}` } }],
        users: [{ name: 'nobody', user: {} }],
        contexts: [{ name: 'proxy', context: { cluster: 'proxy', user: 'nobody' } }],
        'current-context': 'proxy',
      }),
    );
    const proxy = new AdminProxy(server, file);
    proxy.#serve(access);
    return proxy;
  }

  /** Open watches at this moment. */
  get openWatches(): number {
    return this.#watches.size;
  }

  /** Connections of clients at this moment. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Watches that were opened so far. */
  get watchesSeen(): number {
    return this.#watchesSeen;
  }

  /** Watches that were cut so far. */
  get watchesCut(): number {
    return this.#watchesCut;
  }

  /** Resets the connection of each open watch, in the middle of whatever it was sending. Answers how many. */
  cutWatches(): number {
    const sockets = [...this.#watches];
    this.#watches.clear();
    for (const socket of sockets) socket.resetAndDestroy();
    this.#watchesCut += sockets.length;
    return sockets.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #serve(access: Access): void {
    const { ca, cert, key } = access;
    const agent = new https.Agent({ keepAlive: true, ...(ca && { ca }), ...(cert && { cert, key }) });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      this.plan?.onConnection()?.(socket);
    });
    this.#server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      const exchange = new Exchange(request, response, { access, agent });
      if (exchange.verb === 'watch') this.#follow(response);
      const harm = this.plan?.onRequest(exchange) ?? ((healthy: Exchange) => healthy.pass());
      // The server behind is gone: the client sees its connection break, as it would without a proxy.
      const run = async (): Promise<void> => harm(exchange);
      run().catch(() => response.destroy());
    });
    this.#server.once('close', () => agent.destroy());
  }

  #follow(response: http.ServerResponse): void {
    const { socket } = response;
    if (!socket) return;
    this.#watchesSeen++;
    this.#watches.add(socket);
    response.once('close', () => this.#watches.delete(socket));
  }
}
