import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { KubeObject, ResourceVersion, WatchEvent } from '../core/types.js';
import { ControllableClock } from '../core/clock.js';
import type { Exchange } from './exchange.js';
import { startTestServer } from './harness.test.js';
import type { TestServer } from './harness.test.js';
import { WatchEncoder, WatchStream } from './watch-stream.js';

const M = '/api/v1/namespaces/t/configmaps';
const TABLE = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

describe('Watch stream', function () {
  // Twenty TLS handshakes take a while on a busy machine.
  this.timeout(10_000);
  let t: TestServer;
  before(async () => {
    t = await startTestServer();
  });
  after(() => t.close());

  const now = async (): Promise<string> => (await t.get(M)).json.metadata.resourceVersion;

  it('WA-1 sends the head at once and a line per event', async () => {
    const watch = await t.watch(`${M}?watch=1&resourceVersion=${await now()}`);
    expect(watch.code).to.equal(200);
    await t.create('ConfigMap', { name: 'a', namespace: 't' }, { data: { k: '1' } });
    await t.request('DELETE', `${M}/a`);
    const added = await watch.next();
    expect(added.type).to.equal('ADDED');
    expect(added.object).to.deep.include({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: '1' } });
    expect((await watch.next()).type).to.equal('DELETED');
    watch.close();
  });

  it('TR-2 takes the old watch prefix', async () => {
    const version = await now();
    const watch = await t.watch(`/api/v1/watch/namespaces/t/configmaps/prefix?resourceVersion=${version}`);
    await t.create('ConfigMap', { name: 'other', namespace: 't' });
    await t.create('ConfigMap', { name: 'prefix', namespace: 't' });
    expect((await watch.next()).object.metadata.name).to.equal('prefix');
    watch.close();
  });

  it('WA-7 a Table watch says its columns once', async () => {
    const watch = await t.watch(`${M}?watch=1&resourceVersion=${await now()}`, TABLE);
    for (const name of ['t1', 't2']) await t.create('ConfigMap', { name, namespace: 't' });
    const [first, second] = [await watch.next(), await watch.next()];
    expect(first.object.columnDefinitions.map((c: { name: string }) => c.name)).to.deep.equal(['Name', 'Data', 'Age']);
    expect(first.object.rows[0].cells[0]).to.equal('t1');
    expect(second.object.columnDefinitions).to.equal(null);
    expect(second.object.rows[0].cells[0]).to.equal('t2');
    watch.close();
  });

  it('QP-6 ends cleanly when its time is over', async () => {
    const watch = await t.watch(`${M}?watch=1&timeoutSeconds=5&resourceVersion=${await now()}`);
    t.clock.freeze();
    t.clock.advance(6000);
    await watch.ended;
    t.clock.resume();
  });

  it('WA-3 answers a bad watch option before the stream begins', async () => {
    const { code, json } = await t.get(`${M}?watch=1&sendInitialEvents=true`);
    expect([code, json.reason]).to.deep.equal([422, 'Invalid']);
  });

  it('WA-8 encodes an event once for all its watchers', () => {
    const encoder = new WatchEncoder(new ControllableClock());
    const version = { name: 'v1', columns: [] } as unknown as ResourceVersion;
    let reads = 0;
    const object = { metadata: { name: 'a' }, toJSON: () => (reads++, { kind: 'X' }) } as unknown as KubeObject;
    const event: WatchEvent = { type: 'ADDED', object };
    const form = { as: undefined, metaVersion: 'v1', include: 'Metadata', version } as const;
    const all = Array.from({ length: 100 }, () => encoder.encode(event, form, false));
    expect(new Set(all).size).to.equal(1);
    expect(reads).to.equal(1);
    expect(encoder.encode({ type: 'MODIFIED', object }, form, false).toString()).to.equal(
      '2a\r\n{"type":"MODIFIED","object":{"kind":"X"}}\n\r\n',
    );
  });

  it('WA-1 a client of HTTP/1.0 gets the bare lines', async () => {
    const path = `${M}?watch=1&timeoutSeconds=60&resourceVersion=${await now()}`;
    const socket = connect({ port: t.port, ca: t.authority.cert, host: '127.0.0.1', ALPNProtocols: ['http/1.1'] });
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    while (!text.includes('\r\n\r\n')) await once(socket, 'data');
    await t.create('ConfigMap', { name: 'old', namespace: 't' });
    while (!text.endsWith('}\n')) await once(socket, 'data');
    socket.destroy();
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    expect(JSON.parse(body)).to.have.nested.property('object.metadata.name', 'old');
  });

  it('WA-1 replays more than the client has read yet, in order, with what came meanwhile at the end', async () => {
    await t.create('Namespace', { name: 'big' });
    const data = { a: 'x'.repeat(200_000) };
    for (let i = 0; i < 100; i++)
      await t.create('ConfigMap', { name: `b${String(i).padStart(3, '0')}`, namespace: 'big' }, { data });
    const watch = await t.watch('/api/v1/namespaces/big/configmaps?watch=1');
    await t.create('ConfigMap', { name: 'last', namespace: 'big' });
    for (let i = 0; i < 100; i++)
      expect((await watch.next()).object.metadata.name).to.equal(`b${String(i).padStart(3, '0')}`);
    expect((await watch.next()).object.metadata.name).to.equal('last');
    watch.close();
  });

  it('WA-6 closes the connection of a client that does not read; what it is replayed counts for nothing', async () => {
    const response = Object.assign(new Writable({ write: () => undefined }), { flushHeaders: () => undefined });
    const exchange = { response, head: () => undefined, endStream: undefined } as unknown as Exchange;
    const version = { name: 'v1', columns: [] } as unknown as ResourceVersion;
    const form = { as: undefined, metaVersion: 'v1', include: 'Metadata', version } as const;
    const stream = new WatchStream(exchange, new WatchEncoder(new ControllableClock()), form);
    const mebibyte = 'x'.repeat(1024 * 1024);
    const send = (): void =>
      stream.event({ type: 'ADDED', object: { metadata: {}, data: mebibyte } as unknown as KubeObject });
    let closed = 0;
    for (let i = 0; i < 20; i++) send();
    stream.start({ close: () => closed++ });
    for (let i = 0; i < 14; i++) send();
    expect(response.destroyed).to.equal(false);
    for (let i = 0; i < 3; i++) send();
    expect(response.destroyed).to.equal(true);
    await once(response, 'close');
    expect(closed).to.equal(1);
  });

  it('WA-1 a client that goes away ends its watch', async () => {
    const path = '/api/v1/namespaces/t/secrets';
    const open = () => t.semantics.core.hub.watches.filter((w) => w.request.resource.plural === 'secrets').length;
    const watch = await t.watch(`${path}?watch=1`);
    expect(open()).to.equal(1);
    watch.close();
    const deadline = Date.now() + 1500;
    while (open() > 0 && Date.now() < deadline) await setImmediate();
    expect(open()).to.equal(0);
  });

  it('PF-8 closing the server ends open watches cleanly', async () => {
    const own = await startTestServer();
    const watches = await Promise.all(Array.from({ length: 20 }, () => own.watch(`${M}?watch=1`)));
    await own.close();
    await Promise.all(watches.map((w) => w.ended));
  });
});
