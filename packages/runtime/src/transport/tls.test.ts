import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FixedCredential } from '../auth/credentials.js';
import { HttpHarness, json, until } from './http-harness.test.js';
import { HttpTransport } from './http-transport.js';
import type { TlsMaterial } from './tls.js';
import { clientCert, clientKey, otherServerCert, serverCert, serverKey, testCa } from './tls-material.test.js';

/** A server that asks for a client certificate and tells who came. */
async function start(tls: TlsMaterial, cert = serverCert): Promise<HttpHarness> {
  const harness = new HttpHarness();
  const server = createServer({ cert, key: serverKey, ca: testCa, requestCert: true, rejectUnauthorized: false });
  await harness.listen((request, response) => {
    const socket = request.socket as TLSSocket;
    json(response, 200, {
      user: socket.getPeerCertificate().subject?.CN ?? null,
      authorization: request.headers.authorization ?? null,
    });
  }, server);
  harness.connect({
    server: harness.url('https'),
    tls,
    credentials: new FixedCredential({ authorization: 'Bearer t' }),
  });
  return harness;
}

const who = async (http: HttpHarness): Promise<unknown> => JSON.parse((await http.send()).body);

describe('transport over TLS', () => {
  it('T1 T11 uses the CA, the client certificate and the token', async () => {
    await using http = await start({ ca: testCa, cert: clientCert, key: clientKey });
    expect(await who(http)).to.deep.equal({ user: 'client', authorization: 'Bearer t' });
    await http.send();
    expect(http.connections).to.equal(1);
  });

  it('T16 does not try again when the certificate of the server is refused, and says what to set', async () => {
    await using http = await start({});
    const error = await http.send().catch((thrown: unknown) => thrown as Error & { code: string });
    expect(error).to.have.property('code', 'KW_TRANSPORT_TLS');
    expect((error as Error).message).to.contain('certificate-authority');
    expect(http.connections).to.equal(1);
  });

  it('T11 honours tls-server-name and insecure-skip-tls-verify, the latter with a warning', async () => {
    await using named = await start({ ca: testCa, serverName: 'other.test' }, otherServerCert);
    expect(await who(named)).to.have.property('user', null);
    expect(named.logger.of('warn')).to.deep.equal([]);
    await using unchecked = await start({ rejectUnauthorized: false });
    expect(await who(unchecked)).to.have.property('user', null);
    expect(unchecked.logger.of('warn')).to.have.length(1);
  });

  it('T10 goes on with new material: requests on new connections, watches end within 30 s and resume there', async () => {
    const harness = new HttpHarness();
    await using http = harness;
    const server = createServer({
      cert: serverCert,
      key: serverKey,
      ca: testCa,
      requestCert: true,
      rejectUnauthorized: false,
    });
    await http.listen((request, response) => {
      const user = String((request.socket as TLSSocket).getPeerCertificate().subject?.CN);
      if (request.url === '/watch') response.writeHead(200).write(`${user}\n`);
      else json(response, 200, { user });
    }, server);
    let tls: TlsMaterial = { ca: testCa, cert: clientCert, key: clientKey };
    http.connect({ server: http.url('https') });
    http.transport = new HttpTransport({
      cluster: {
        server: http.url('https'),
        get tls() {
          return tls;
        },
        credentials: new FixedCredential({}),
        namespace: 'default',
        source: 'test',
      },
      clock: http.clock,
      random: () => 0.5,
      logger: http.logger,
    });
    const watch = (): ReturnType<typeof http.transport.stream> =>
      http.transport.stream({ method: 'GET', path: '/watch', what: 'watch Pod' });
    const old = await watch();
    let text = '';
    let over = false;
    const read = (async () => {
      for await (const chunk of old.chunks) text += Buffer.from(chunk).toString();
      over = true;
    })();
    await until(() => text !== '', 'the first line of the watch');
    tls = { ca: testCa, cert: serverCert, key: serverKey };
    const { user } = (await who(http)) as { user: string };
    expect(user).to.not.equal('client');
    await http.clock.advance('14s');
    expect(over).to.equal(false);
    await http.clock.advance('1s');
    await read;
    expect(text).to.equal('client\n');
    const next = await watch();
    for await (const chunk of next.chunks) {
      expect(Buffer.from(chunk).toString()).to.equal(`${user}\n`);
      break;
    }
    await until(() => http.clock.timers === 0, 'no timer is left when the old connections are gone');
  });

  it('T12 goes through a proxy with the same certificates, and ends with it', async () => {
    await using http = await start({});
    const asked: (string | undefined)[] = [];
    const proxy = createPlainServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      const [host = '', port] = (url ?? '').split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(socket).pipe(target);
      });
      socket.on('error', () => target.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    await http.transport.close(0);
    http.connect({
      server: http.url('https'),
      tls: { ca: testCa, cert: clientCert, key: clientKey },
      proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      credentials: new FixedCredential({ authorization: 'Bearer t' }),
    });
    expect(await who(http)).to.deep.equal({ user: 'client', authorization: 'Bearer t' });
    await http.transport.close(0);
    expect(asked).to.deep.equal([new URL(http.url('https')).host]);
    await new Promise((resolve) => proxy.close(resolve));
  });
});
