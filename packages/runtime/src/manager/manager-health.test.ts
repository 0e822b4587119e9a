import { createServer } from 'node:net';
import type { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { managerRig } from '../testing/manager-rig.test.js';
import type { Manager } from './manager.js';

const code = (error: unknown): unknown => (error as KubewrightError).code;

describe('Manager: health', () => {
  const get = async (manager: Manager, path: string): Promise<[number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${manager.health?.port}${path}`);
    return [answer.status, await answer.text()];
  };
  const health = { port: 0, host: '127.0.0.1' };

  it('M15 is ready when all kinds were listed once and it does not stop; M16 is live all the while', async () => {
    const test = managerRig({ health });
    const { informer } = test.addController('podset', () => {});
    informer.streamState = 'listing';
    const mail = Promise.withResolvers<void>();
    test.manager.add({ name: 'slow', start: () => mail.promise });
    const ended = test.start();
    while (test.manager.health?.port === undefined) await test.clock.yield();
    expect(await get(test.manager, '/readyz')).to.deep.equal([
      500,
      '[+]ping ok\n[-]caches failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n',
    ]);
    expect(await get(test.manager, '/readyz/caches')).to.deep.equal([
      500,
      'internal server error: not synced yet: podsets',
    ]);
    expect(await get(test.manager, '/healthz')).to.deep.equal([200, 'ok']);
    informer.sync();
    await test.manager.elected;
    informer.streamState = 'backoff';
    expect(await get(test.manager, '/readyz'), 'an outage does not count').to.deep.equal([200, 'ok']);
    expect((await get(test.manager, '/readyz?verbose'))[1]).to.contain('[+]caches ok (podsets backoff)\n');
    void test.manager.stop();
    expect((await get(test.manager, '/readyz'))[1]).to.contain('[-]shutdown failed');
    expect(await get(test.manager, '/livez')).to.deep.equal([200, 'ok']);
    mail.resolve();
    expect(await ended).to.equal('well');
    expect(test.story.at(-1)).to.equal('transport closes');
  });

  it('M16 is not live when a stream made no step for ten minutes', async () => {
    const test = managerRig({ health });
    const { informer } = test.addController('podset', () => {});
    informer.sync();
    const ended = test.start();
    await test.manager.elected;
    await test.clock.advance('599s');
    expect((await get(test.manager, '/healthz'))[0]).to.equal(200);
    await test.clock.advance('1s');
    expect((await get(test.manager, '/healthz'))[0]).to.equal(500);
    expect((await get(test.manager, '/healthz/loops'))[1]).to.contain('stream of podsets');
    await test.manager.stop();
    await ended;
  });

  it('M20 a taken port rejects the start, and what was started is stopped', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const test = managerRig({ health: { port, host: '127.0.0.1' } });
    test.addController('podset', () => {});
    expect(code(await test.start())).to.equal('KW_PORT_IN_USE');
    expect(test.story, 'no request was made').to.deep.equal(['cache stops', 'transport closes']);
    await new Promise((resolve) => other.close(resolve));
  });
});
