import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Credential, CredentialSource } from '../auth/credentials.js';
import { FixedCredential } from '../auth/credentials.js';
import { RequestHeaders } from './request-headers.js';
import { HttpHarness, json, until } from './http-harness.test.js';

async function rejection(call: Promise<unknown>): Promise<Error & { code?: string; retryAfterMs?: number }> {
  return call.then(
    () => {
      throw new Error('expected the call to fail');
    },
    (error: unknown) => error as Error,
  );
}

describe('transport over sockets', () => {
  it('T1 sends 500 requests one after another over one connection', async () => {
    await using http = await HttpHarness.start((_request, response) => json(response, 200, {}));
    for (let call = 0; call < 500; call++) await http.send();
    expect(http.connections).to.equal(1);
  });

  it('T1 opens no more connections than requests at once', async () => {
    await using http = await HttpHarness.start((_request, response) => setImmediate(() => json(response, 200, {})));
    await Promise.all(Array.from({ length: 20 }, () => http.send()));
    expect(http.connections).to.be.at.most(20);
  });

  it('T1 leaves no socket behind after 100 broken watches', async () => {
    await using http = await HttpHarness.start((_request, response) => {
      response.writeHead(200);
      response.write('{"type":"BOOKMARK"}\n');
    });
    for (let watch = 0; watch < 100; watch++) {
      const stream = await http.transport.stream({ method: 'GET', path: '/w', what: 'watch Pod' });
      for await (const chunk of stream.chunks) {
        expect(Buffer.from(chunk).toString()).to.contain('BOOKMARK');
        break;
      }
    }
    await until(() => http.sockets.size === 0, 'all sockets closed');
  });

  it('T3 runs at most maxInFlight at once, in order; who aborts leaves the line; urgent calls pass it', async () => {
    const open: (() => void)[] = [];
    await using http = await HttpHarness.start(
      (_request, response) => open.push(() => json(response, 200, {})),
      {},
      { maxInFlight: 2 },
    );
    const calls = ['/1', '/2', '/3', '/4'].map((path) => http.send({ path }));
    const controller = new AbortController();
    const left = rejection(http.send({ path: '/left', signal: controller.signal }));
    await until(() => open.length === 2, 'two requests run');
    controller.abort(new Error('never mind'));
    expect((await left).message).to.equal('never mind');
    const urgent = http.send({ path: '/urgent', urgent: true });
    await until(() => open.length === 3, 'the urgent call runs');
    for (let answered = 0; answered < 5; answered++) {
      await until(() => open.length > 0, 'a request runs');
      open.shift()?.();
    }
    await Promise.all([...calls, urgent]);
    expect(http.requests.map(({ url }) => url).filter((url) => url !== '/urgent')).to.deep.equal([
      '/1',
      '/2',
      '/3',
      '/4',
    ]);
  });

  it('T9 renews the credentials on 401 and repeats once, at once if the token changed', async () => {
    let token = 'old';
    const credentials: CredentialSource = {
      current: () => ({ authorization: `Bearer ${token}` }),
      renew: () => {
        token = 'new';
        return Promise.resolve({ authorization: 'Bearer new' });
      },
    };
    // Over http no token is sent (T11), so the server here goes by the order of the requests.
    await using http = await HttpHarness.start(
      (_request, response) => json(response, token === 'new' ? 200 : 401, {}),
      { credentials },
    );
    expect((await http.sendThroughWaits()).status).to.equal(200);
    expect(http.requests).to.have.length(2);
    expect(http.clock.monotonic()).to.equal(0);
  });

  it('T9 waits 500 ms before the repeat when the token did not change; the second 401 is the answer', async () => {
    await using http = await HttpHarness.start((_request, response) => json(response, 401, {}));
    expect((await http.sendThroughWaits()).status).to.equal(401);
    expect(http.requests).to.have.length(2);
    expect(http.clock.monotonic()).to.equal(500);
  });

  it('T11 never sends credentials over http, and says so once', async () => {
    const credentials = new FixedCredential({ authorization: 'Bearer canary' });
    await using http = await HttpHarness.start((_request, response) => json(response, 200, {}), { credentials });
    await http.send();
    await http.send();
    expect(http.requests.every(({ headers }) => headers.authorization === undefined)).to.equal(true);
    expect(http.logger.of('warn')).to.have.length(1);
  });

  it('T13 keeps the path prefix of the server and does not follow redirects', async () => {
    await using http = await HttpHarness.start((_request, response) =>
      json(response, 302, {}, { location: '/elsewhere' }),
    );
    await http.transport.close(0);
    http.connect({ server: `${http.url('http')}/k8s/clusters/c-1/` });
    const { status } = await http.send({ path: '/api/v1/pods?limit=1' });
    expect(status).to.equal(302);
    expect(http.requests.map(({ url }) => url)).to.deep.equal(['/k8s/clusters/c-1/api/v1/pods?limit=1']);
  });

  it('T14 says who asks, and asks for no gzip on loopback', async () => {
    await using http = await HttpHarness.start(
      (_request, response) => json(response, 200, {}),
      {},
      { userAgent: 'my-operator/1.2' },
    );
    await http.send();
    const { headers } = http.requests[0] as { headers: Record<string, string> };
    expect(headers['user-agent']).to.match(/^my-operator\/1\.2 \(\w+\/\w+\) kubewright\/\d+\.\d+\.\d+$/);
    expect(headers['accept']).to.equal('application/json');
    expect(headers).to.not.have.property('accept-encoding');
  });

  it('T14 reads an answer that came compressed, and asks for that on get and list of other hosts only', async () => {
    await using http = await HttpHarness.start((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":"ü"}'));
    });
    expect((await http.send()).body).to.equal('{"a":"ü"}');
    const cluster = {
      server: 'https://api',
      tls: {},
      credentials: new FixedCredential({}),
      namespace: 'x',
      source: 'x',
    };
    const headers = new RequestHeaders(cluster, new URL(cluster.server), { logger: http.logger });
    const asks = (method: 'GET' | 'POST', stream: boolean): boolean =>
      headers.of({ method, path: '/x', what: 'x' }, {}, stream).includes('gzip');
    expect([asks('GET', false), asks('GET', true), asks('POST', false)]).to.deep.equal([true, false, false]);
  });

  it('T14 logs a server warning once an hour', async () => {
    const warning = '299 - "v1beta1 Widget is deprecated, say \\"v1\\"", 299 - "second"';
    await using http = await HttpHarness.start((_request, response) => json(response, 200, {}, { warning }));
    await http.send();
    await http.send();
    const texts = ['the API server warns: v1beta1 Widget is deprecated, say "v1"', 'the API server warns: second'];
    expect(http.logger.of('warn')).to.deep.equal(texts);
    await http.clock.advance('1h');
    await http.send();
    expect(http.logger.of('warn')).to.deep.equal([...texts, ...texts]);
  });

  it('T15 rejects with the reason of the signal in the same turn and frees the socket', async () => {
    await using http = await HttpHarness.start(() => {});
    const controller = new AbortController();
    const call = rejection(http.send({ signal: controller.signal }));
    await until(() => http.requests.length === 1, 'the request arrived');
    controller.abort(new Error('enough'));
    expect((await call).message).to.equal('enough');
    await until(() => http.sockets.size === 0, 'the socket is closed');
  });

  it('T15 ends a call at its own time limit', async () => {
    await using http = await HttpHarness.start(() => {});
    const call = rejection(http.send({ timeoutMs: 2_000 }));
    await until(() => http.requests.length === 1, 'the request arrived');
    await http.clock.advance('2s');
    expect((await call).code).to.equal('KW_TRANSPORT_TIMEOUT');
    expect(http.clock.timers).to.equal(0);
  });

  it('T16 T17 tries a safe request four times, after 100, 400 and 1600 ms at most', async () => {
    await using http = await HttpHarness.start((_request, response) => json(response, 503, {}));
    expect((await http.sendThroughWaits()).status).to.equal(503);
    expect(http.requests).to.have.length(4);
    expect(http.clock.monotonic()).to.equal(75 + 300 + 1200);
  });

  for (const [status, retry, times] of [
    [503, 'unsafe', 1],
    [429, 'unsafe', 4],
    [429, 'never', 1],
    [500, 'safe', 1],
    [404, 'safe', 1],
  ] as const)
    it(`T16 sends a request that is ${retry} ${times} times when the answer is ${status}`, async () => {
      await using http = await HttpHarness.start((_request, response) => json(response, status, {}));
      await http.sendThroughWaits({ retry });
      expect(http.requests).to.have.length(times);
    });

  it('T16 does not wait for a blocked eviction', async () => {
    const body = { kind: 'Status', details: { causes: [{ reason: 'DisruptionBudget' }] } };
    await using http = await HttpHarness.start((_request, response) => json(response, 429, body));
    await http.sendThroughWaits({ method: 'POST', retry: 'unsafe' });
    expect(http.requests).to.have.length(1);
  });

  it('T17 takes Retry-After for a floor, and does not wait for more than 30 s or past the limit of the call', async () => {
    let after = '2';
    await using http = await HttpHarness.start((_request, response) =>
      json(response, 429, {}, { 'retry-after': after }),
    );
    await http.sendThroughWaits();
    expect(http.clock.monotonic()).to.equal(3 * 2_000 * 1.125);
    http.requests.length = 0;
    await http.sendThroughWaits({ timeoutMs: 1_000 });
    after = '31';
    await http.sendThroughWaits();
    expect(http.requests).to.have.length(2);
  });

  it('T16 tries every verb again when nothing listens, and says what was asked and where', async () => {
    const credentials = new FixedCredential({});
    await using http = await HttpHarness.start((_request, response) => json(response, 200, {}), { credentials });
    const { transport } = http;
    await transport.close(0);
    http.connect({ server: 'http://127.0.0.1:1' });
    const error = await rejection(
      http.sendThroughWaits({ method: 'POST', retry: 'unsafe', what: 'create Pod default/x' }),
    );
    expect(error.code).to.equal('KW_TRANSPORT_FAILED');
    expect(error.message)
      .to.contain('create Pod default/x')
      .and.to.contain('127.0.0.1:1')
      .and.to.contain('ECONNREFUSED');
    expect(http.clock.monotonic()).to.equal(75 + 300 + 1200);
  });

  it('T18 says that a write may have happened when its connection broke after it was sent', async () => {
    await using http = await HttpHarness.start((request) => request.socket.destroy());
    const error = await rejection(
      http.sendThroughWaits({ method: 'POST', retry: 'unsafe', what: 'create Pod default/web-1', body: '{}' }),
    );
    expect(error.code).to.equal('KW_TRANSPORT_UNKNOWN_OUTCOME');
    expect(error.message).to.match(/^create Pod default\/web-1 may or may not have happened: /);
    expect(http.requests).to.have.length(1);
    expect((await rejection(http.sendThroughWaits())).code).to.equal('KW_TRANSPORT_FAILED');
    expect(http.requests).to.have.length(5);
  });

  it('T24 keeps tokens, bodies and URLs with a user out of every error and log line', async () => {
    await using http = await HttpHarness.start((request) => request.socket.destroy());
    await http.transport.close(0);
    http.connect({
      server: http.url('http').replace('//', '//canary-user:canary-password@'),
      credentials: new FixedCredential({ authorization: 'Bearer canary-token' }),
      impersonate: [['Impersonate-User', 'canary-someone']],
    });
    const error = await rejection(http.sendThroughWaits({ method: 'PUT', body: '{"data":"canary-body"}', path: '/x' }));
    const told = [
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      error.stack,
      inspect(http.logger.lines, { depth: 9 }),
    ];
    expect(told.join('\n')).to.not.contain('canary');
  });

  it('T25 refuses new calls on close, waits for running ones, then ends them and all sockets', async () => {
    let answer: () => void = () => {};
    await using http = await HttpHarness.start((_request, response) => {
      answer = () => json(response, 200, {});
    });
    const first = http.send();
    await until(() => http.requests.length === 1, 'the request arrived');
    const closed = http.transport.close();
    expect((await rejection(http.send())).code).to.equal('KW_TRANSPORT_CLOSED');
    answer();
    expect((await first).status).to.equal(200);
    await closed;
    expect(http.clock.timers).to.equal(0);
    await until(() => http.sockets.size === 0, 'all sockets closed');
  });

  it('T25 ends what still runs when the time is over', async () => {
    await using http = await HttpHarness.start(() => {});
    const call = rejection(http.send());
    await until(() => http.requests.length === 1, 'the request arrived');
    const closed = http.transport.close(5_000);
    await http.clock.advance('5s');
    await closed;
    expect((await call).code).to.equal('KW_TRANSPORT_CLOSED');
  });

  it('streams a body as it comes, ends cleanly where the server ended it, and throws where it broke', async () => {
    let response: { write(text: string): void; end(): void; destroy(): void } | undefined;
    await using http = await HttpHarness.start((_request, answer) => {
      answer.writeHead(200).write('one\n');
      response = answer;
    });
    for (const how of ['end', 'destroy'] as const) {
      const stream = await http.transport.stream({ method: 'GET', path: '/w', what: 'watch Pod' });
      const chunks: string[] = [];
      const read = (async () => {
        for await (const chunk of stream.chunks) {
          chunks.push(Buffer.from(chunk).toString());
          response?.[how]();
        }
      })();
      if (how === 'end') await read;
      else expect((await rejection(read)).code).to.equal('KW_TRANSPORT_FAILED');
      expect(chunks).to.deep.equal(['one\n']);
    }
  });

  it('stops reading from the socket while nobody reads the stream', async () => {
    let sent = 0;
    await using http = await HttpHarness.start((_request, response) => {
      response.writeHead(200);
      const block = Buffer.alloc(1024 * 1024, 'x');
      const more = (): void => {
        while (sent < 200 && response.write(block)) sent++;
        if (sent < 200) response.once('drain', () => (sent++, more()));
      };
      more();
    });
    const stream = await http.transport.stream({ method: 'GET', path: '/w', what: 'watch Pod' });
    const first = await stream.chunks[Symbol.asyncIterator]().next();
    expect(first.done).to.equal(false);
    for (let turn = 0; turn < 200; turn++) await http.clock.yield();
    expect(sent).to.be.below(100);
    stream.cancel();
  });

  it('takes a credential that is fetched first', async () => {
    const credentials = {
      current: (): Promise<Credential> => Promise.resolve({}),
      renew: (): Promise<Credential> => Promise.resolve({}),
    };
    await using http = await HttpHarness.start((_request, response) => json(response, 200, {}), { credentials });
    expect((await http.send()).status).to.equal(200);
  });
});
