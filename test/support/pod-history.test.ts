import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { temporaryFolder } from './leftovers.js';
import { PodHistory } from './pod-history.js';
import { until } from './until.js';

/** Answers lists with nothing and keeps watches open for the test to write to. */
class ScriptedServer {
  readonly watches = new Map<string, ServerResponse>();
  readonly #server: Server = createServer((request, response) => {
    const isWatch = request.url?.includes('watch=true') === true;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (isWatch) {
      response.flushHeaders();
      this.watches.set(request.url?.includes('podsets') ? 'podsets' : 'pods', response);
    } else response.end('{"items":[],"metadata":{"resourceVersion":"1"}}');
  });

  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  send(resource: string, type: string, object: object): void {
    this.watches.get(resource)?.write(`${JSON.stringify({ type, object })}\n`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe('the history of Pods', function () {
  this.timeout(60_000);
  let server: ScriptedServer;
  let history: PodHistory;

  beforeEach(async () => {
    server = new ScriptedServer();
    const kubeconfig = path.join(await temporaryFolder('history'), 'kubeconfig');
    const named = {
      name: 'x',
      context: { cluster: 'x', user: 'x' },
      cluster: { server: await server.listen() },
      user: {},
    };
    const config = { 'current-context': 'x', contexts: [named], clusters: [named], users: [named] };
    await writeFile(kubeconfig, JSON.stringify(config));
    history = await PodHistory.start(kubeconfig);
    await until('both watches are open', async () => server.watches.size === 2);
  });
  afterEach(async () => {
    await history.stop().catch(() => {});
    server.close();
  });

  const podSet = (revision: number, type: string, replicas: number): void =>
    server.send('podsets', type, { metadata: { uid: 'set', resourceVersion: String(revision) }, spec: { replicas } });
  const pod = (revision: number, type: string, name: string, deletionTimestamp?: string): void =>
    server.send('pods', type, {
      metadata: { name, uid: name, resourceVersion: String(revision), creationTimestamp: '2030', deletionTimestamp },
    });
  const seen = (count: number): Promise<unknown> =>
    until(`${count} Pods were seen`, async () => history.created.length === count);

  it('shows one Pod too many at the very moment, though it is gone a moment later', async () => {
    podSet(2, 'ADDED', 2);
    for (const [revision, name] of [
      [3, 'a'],
      [4, 'b'],
      [5, 'c'],
    ] as const)
      pod(revision, 'ADDED', name);
    pod(6, 'DELETED', 'c');
    pod(7, 'ADDED', 'd');
    await seen(4);
    await until('the PodSet was seen', async () => history.excess.length === 2);
    expect(history.excess[0]).to.equal('revision 5: c is number 3, wanted 2');
    expect(history.alive.map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b', 'd']);
  });

  it('lets a terminating Pod be replaced, and more be kept than are wanted since a moment', async () => {
    podSet(2, 'ADDED', 2);
    pod(3, 'ADDED', 'a');
    pod(4, 'ADDED', 'b');
    pod(5, 'MODIFIED', 'a', '2030');
    pod(6, 'ADDED', 'c');
    podSet(7, 'MODIFIED', 1);
    await seen(3);
    await until('the PodSet was seen', async () => history.excess.length === 0);
    expect(history.alive.map(({ metadata }) => metadata.name)).to.deep.equal(['b', 'c']);
  });

  it('counts every Pod made after the PodSet is gone as one too many', async () => {
    podSet(2, 'ADDED', 2);
    podSet(3, 'DELETED', 2);
    pod(4, 'ADDED', 'a');
    await seen(1);
    expect(history.excess).to.deep.equal(['revision 4: a is number 1, wanted 0']);
  });

  it('fails its test when a watch broke, for then it proves nothing', async () => {
    server.close();
    await until('the break was noticed', async () => history.isBroken);
    const fault = await history.stop().catch(String);
    expect(fault).to.contain('watch of the test broke');
  });
});
