import type { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { HandCache, managerRig } from '../testing/manager-rig.test.js';
import { anObject } from '../testing/rig.test.js';

const code = (error: unknown): unknown => (error as KubewrightError).code;

describe('Manager: start and stop', () => {
  it('M4 M7 M20 starts and stops in order', async () => {
    const test = managerRig();
    const { informer } = test.addController('podset', () => void test.story.push('reconcile'));
    const runnable = (name: string, needLeaderElection: boolean) => ({
      name,
      needLeaderElection,
      start: (signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          test.story.push(`${name} starts`);
          signal.addEventListener('abort', () => {
            test.story.push(`${name} stops`);
            resolve();
          });
        }),
    });
    test.manager.add(runnable('leader runnable', true));
    test.manager.add(runnable('replica runnable', false));
    const ended = test.start();
    await test.clock.settle();
    informer.create(anObject('web'), true);
    await test.clock.settle();
    expect(test.story, 'nothing runs before the caches').to.deep.equal(['cache starts']);
    informer.sync();
    await test.manager.elected;
    await test.clock.settle();
    await test.manager.stop();
    informer.create(anObject('late'));
    expect(await ended).to.equal('well');
    expect(test.story).to.deep.equal([
      'cache starts',
      'replica runnable starts',
      'leader runnable starts',
      'reconcile',
      'replica runnable stops',
      'leader runnable stops',
      'cache stops',
      'transport closes',
    ]);
    expect(test.clock.timers, 'no timer is left').to.equal(0);
  });

  it('M9 a clean stop logs two info lines', async () => {
    const test = managerRig();
    const { informer } = test.addController('podset', () => {});
    informer.sync();
    const ended = test.start();
    await test.manager.elected;
    await test.manager.stop();
    await ended;
    expect(test.logger.at('info').map(({ message }) => message)).to.deep.equal(['stopping', 'stopped']);
    expect(test.logger.at('warn').concat(test.logger.at('error'))).to.deep.equal([]);
  });

  it('M6 starts once, also after a stop; stop is harmless before the start and twice', async () => {
    const test = managerRig();
    await test.manager.stop();
    const ended = test.start();
    await test.manager.elected;
    expect(code(await test.manager.start().catch((error: unknown) => error))).to.equal('KW_MANAGER_STARTED');
    await Promise.all([test.manager.stop(), test.manager.stop()]);
    expect(await ended).to.equal('well');
    expect(code(await test.manager.start().catch((error: unknown) => error))).to.equal('KW_MANAGER_STARTED');
    expect(test.story).to.deep.equal(['cache starts', 'cache stops', 'transport closes']);
  });

  it('M6 can be stopped while it waits for the caches', async () => {
    const test = managerRig();
    let runs = 0;
    test.addController('podset', () => void runs++);
    const ended = test.start();
    await test.clock.settle();
    await test.manager.stop();
    expect(await ended).to.equal('well');
    expect([runs, test.clock.timers]).to.deep.equal([0, 0]);
  });

  it('M19 starts and stops the caches of other clusters with its own', async () => {
    const test = managerRig();
    test.manager.addCluster('west', new HandCache(test.story, 'cache of west'));
    const ended = test.start();
    await test.manager.elected;
    expect(() => test.manager.addCluster('east', new HandCache(test.story))).to.throw();
    await test.manager.stop();
    await ended;
    expect(test.story).to.deep.equal([
      'cache starts',
      'cache of west starts',
      'cache stops',
      'cache of west stops',
      'transport closes',
    ]);
  });

  it('M6 goes on stopping when a part of it cannot', async () => {
    const broken = new Error('cannot dispose');
    const test = managerRig();
    const { informer } = test.addController('podset', () => {});
    informer.sync().addHandler = () => ({
      synced: Promise.resolve(),
      isSynced: () => true,
      dispose() {
        throw broken;
      },
    });
    const ended = test.start();
    await test.manager.elected;
    await test.manager.stop();
    expect(await ended).to.equal(broken);
    expect(test.story.slice(-2)).to.deep.equal(['cache stops', 'transport closes']);
  });

  it('C1 refuses a second controller of the same name', () => {
    const test = managerRig();
    test.addController('podset', () => {});
    expect(() => test.addController('podset', () => {})).to.throw('two controllers are named podset');
  });

  it('C4 an error of the program stops it when recoverPanic is false', async () => {
    const test = managerRig();
    const panic = (): never => {
      throw new TypeError('x is not a function');
    };
    const { informer } = test.addController('podset', panic, { config: { options: { recoverPanic: false } } });
    informer.sync();
    const ended = test.start();
    await test.manager.elected;
    informer.create(anObject('web'));
    expect(await ended).to.be.instanceOf(TypeError);
  });
});

describe('Manager: runnables', () => {
  it('M5 one that ends is done, one that rejects stops the manager with its error', async () => {
    const test = managerRig();
    test.manager.add({ name: 'short', start: () => {} });
    const mail = Promise.withResolvers<void>();
    test.manager.add({ name: 'mail-sender', start: () => mail.promise });
    const ended = test.start();
    await test.manager.elected;
    await test.clock.settle();
    expect(test.manager.stopping).to.equal(false);
    const down = new Error('mail server is gone');
    mail.reject(down);
    expect(await ended).to.equal(down);
    expect(test.story.at(-1)).to.equal('transport closes');
  });

  it('M5 one that is added late starts at once, or in its turn, or not at all', async () => {
    const test = managerRig();
    const { informer } = test.addController('podset', () => {});
    const started: string[] = [];
    const ended = test.start();
    await test.clock.settle();
    test.manager.add({ name: 'in turn', start: () => void started.push('in turn') });
    expect(started).to.deep.equal([]);
    informer.sync();
    await test.manager.elected;
    test.manager.add({ name: 'at once', start: () => void started.push('at once') });
    expect(started).to.deep.equal(['in turn', 'at once']);
    const stopped = test.manager.stop();
    expect(() => test.manager.add({ name: 'too late', start: () => {} }))
      .to.throw()
      .with.property('code', 'KW_MANAGER_STOPPING');
    await stopped;
    await ended;
  });

  it('M9 one that only heeds its signal did nothing wrong', async () => {
    const test = managerRig();
    test.manager.add({
      name: 'polite',
      start: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    });
    const ended = test.start();
    await test.manager.elected;
    await test.manager.stop();
    expect(await ended).to.equal('well');
  });

  it('adds controllers late as well', async () => {
    const test = managerRig();
    const ended = test.start();
    await test.manager.elected;
    let runs = 0;
    const { informer } = test.addController('late', () => void runs++);
    informer.create(anObject('web'), true);
    await test.clock.settle();
    expect(runs).to.equal(0);
    informer.sync();
    await test.clock.settle();
    expect(runs).to.equal(1);
    await test.manager.stop();
    await ended;
  });
});
