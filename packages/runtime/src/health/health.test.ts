import { expect } from 'chai';
import { describe, it } from 'mocha';
import { VirtualClock } from '../testing/virtual-clock.js';
import { HEALTH_DEFAULTS } from './defaults.js';
import { HealthEndpoint } from './endpoint.js';
import type { HealthCheck } from './health-check.js';
import { HealthServer } from './health-server.js';

const well: HealthCheck = { name: 'well', check() {} };
const noted: HealthCheck = { name: 'noted', check: () => Promise.resolve('two streams reconnect') };
const sick: HealthCheck = {
  name: 'sick',
  check() {
    throw new Error('secret detail');
  },
};
const endpoint = (checks: HealthCheck[], clock: VirtualClock = new VirtualClock()): HealthEndpoint =>
  new HealthEndpoint('readyz', checks, clock);
const query = (text: string): URLSearchParams => new URLSearchParams(text);

describe('HealthEndpoint', () => {
  it('X37 answers ok without a line end when all is well', async () => {
    expect(await endpoint([well, noted]).answer(query(''))).to.deep.equal({ status: 200, body: 'ok' });
  });

  it('X37 tells each check when asked to, with its note', async () => {
    expect(await endpoint([well, noted]).answer(query('verbose'))).to.deep.equal({
      status: 200,
      body: '[+]well ok\n[+]noted ok (two streams reconnect)\nreadyz check passed\n',
    });
  });

  it('X37 tells each check when one failed, and keeps the reason to itself', async () => {
    expect(await endpoint([well, sick]).answer(query(''))).to.deep.equal({
      status: 500,
      body: '[+]well ok\n[-]sick failed: reason withheld\nreadyz check failed\n',
    });
  });

  it('X38 leaves out what is excluded, and warns of what it does not know', async () => {
    expect(await endpoint([well, sick]).answer(query('exclude=sick'))).to.deep.equal({ status: 200, body: 'ok' });
    expect((await endpoint([well, sick]).answer(query('verbose&exclude=sick&exclude=nope'))).body).to.equal(
      '[+]well ok\n[+]sick excluded: ok\nwarn: no check named "nope" to exclude\nreadyz check passed\n',
    );
  });

  it('X38 answers for one check, with its reason', async () => {
    expect(await endpoint([well, sick]).answerOne('well')).to.deep.equal({ status: 200, body: 'ok' });
    expect(await endpoint([well, sick]).answerOne('sick')).to.deep.equal({
      status: 500,
      body: 'internal server error: secret detail',
    });
    expect(await endpoint([well]).answerOne('nope')).to.equal(undefined);
  });

  it('X38 has ping when it has nothing else, and takes 2 s of silence as a failure', async () => {
    expect((await endpoint([]).answer(query('verbose'))).body).to.equal('[+]ping ok\nreadyz check passed\n');
    const clock = new VirtualClock();
    const silent: HealthCheck = { name: 'silent', check: () => new Promise(() => {}) };
    const answer = endpoint([silent], clock).answerOne('silent');
    await clock.advance('2s');
    expect((await answer)?.body).to.equal('internal server error: no answer within 2 s');
    expect(clock.timers).to.equal(0);
  });
});

describe('HealthServer', () => {
  it('X37 serves GET and HEAD as plain text that nobody stores', async () => {
    const server = new HealthServer({ clock: new VirtualClock(), port: 0, host: '127.0.0.1' });
    server.addReady(sick);
    await server.start();
    expect(() => server.addLive(well))
      .to.throw()
      .with.property('code', 'KW_HEALTH_STARTED');
    const ask = (path: string, method: string = 'GET'): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    const live = await ask('/livez');
    expect([live.status, await live.text()]).to.deep.equal([200, 'ok']);
    expect(live.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(live.headers.get('cache-control')).to.equal('no-store');
    expect(live.headers.get('x-content-type-options')).to.equal('nosniff');
    const head = await ask('/readyz', 'HEAD');
    expect([head.status, await head.text()]).to.deep.equal([500, '']);
    const statuses = ['/readyz/sick', '/readyz/nope', '/', '/metrics', '/healthz/ping/x'].map((path) => ask(path));
    expect((await Promise.all(statuses)).map(({ status }) => status)).to.deep.equal([500, 404, 404, 404, 404]);
    expect((await ask('/healthz', 'POST')).status).to.equal(405);
    await server.stop();
    expect(await ask('/livez').catch(() => 'refused')).to.equal('refused');
  });
});

describe('defaults of the health server', () => {
  it('X38 are these', () => {
    expect(HEALTH_DEFAULTS).to.deep.equal({ checkTimeout: 2_000 });
  });
});
