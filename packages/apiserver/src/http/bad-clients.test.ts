import { connect as connectPlain } from 'node:net';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { startTestServer } from './harness.test.js';
import type { TestServer } from './harness.test.js';

describe('Clients that misbehave', function () {
  this.timeout(20_000);
  let t: TestServer;
  before(async () => {
    t = await startTestServer('open', { headMs: 300, requestMs: 600 });
  });
  after(() => t.close());

  /** What the server says to these bytes until it ends the connection. */
  async function told(text: string): Promise<string> {
    const socket = connect({ port: t.port, ca: t.authority.cert, host: '127.0.0.1' });
    socket.write(text);
    return ended(socket);
  }

  async function ended(socket: Socket): Promise<string> {
    let answer = '';
    socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
    socket.on('error', () => undefined);
    await new Promise((closed) => socket.once('close', closed));
    return answer;
  }

  it('TR-7 a head that does not end is not waited for', async () => {
    expect(await told('GET /version HTTP/1.1\r\nHost: x\r\n')).to.match(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('TR-7 a body that does not end is not waited for', async () => {
    const head = 'POST /api/v1/namespaces/t/configmaps HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n';
    expect(await told(`${head}Content-Type: application/json\r\n\r\n{`)).to.match(
      /^HTTP\/1\.1 408 Request Timeout\r\n/,
    );
    expect((await t.get('/api/v1/namespaces/t/configmaps')).json.items).to.deep.equal([]);
  });

  it('TR-7 a connection that never shakes hands is ended', async () => {
    await ended(connectPlain(t.port, '127.0.0.1'));
  });

  it('TR-7 what is no request is told so', async () => {
    expect(await told('rubbish\r\n\r\n')).to.match(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n400 Bad Request$/);
  });

  it('TR-7 a head of half a mebibyte is read, a larger one than a real server takes is refused', async () => {
    const padding = (size: number): string =>
      `GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ${'x'.repeat(size)}\r\n\r\n`;
    expect(await told(padding(512 * 1024))).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await told(padding(2 * 1024 * 1024))).to.satisfy(
      (answer: string) => answer === '' || answer.startsWith('HTTP/1.1 431 '),
    );
  });

  it('DI-11 a check whose name holds a line separator is not found, and is answered', async () => {
    expect((await t.get('/healthz/a%E2%80%A8b')).code).to.equal(404);
  });

  it('TR-7 a watch outlives all of these limits', async () => {
    const watch = await t.watch('/api/v1/namespaces/t/configmaps?watch=1');
    // As long as the limits: a request that does not end has run into them.
    await told('GET /version HTTP/1.1\r\n');
    const head = 'POST /api/v1/namespaces/t/configmaps HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';
    await told(head);
    await t.create('ConfigMap', { name: 'late', namespace: 't' });
    expect((await watch.next()).object.metadata.name).to.equal('late');
    watch.close();
  });
});
