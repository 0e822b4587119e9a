import { EventEmitter } from 'node:events';
import type { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { RunContexts } from '../run-context.js';
import { managerRig } from '../testing/manager-rig.test.js';
import { anObject } from '../testing/rig.test.js';
import type { SignalSource } from './process-signals.js';

const code = (error: unknown): unknown => (error as KubewrightError).code;

describe('Manager: graceful time', () => {
  const never = (): Promise<void> => new Promise(() => {});

  it('M8 names who did not end in time, and aborts the calls of runs', async () => {
    const test = managerRig();
    const signals: AbortSignal[] = [];
    const runContext = new RunContexts();
    const config = { runContext, options: { maxConcurrentReconciles: 2 } };
    const { informer } = test.addController(
      'podset',
      () => {
        signals.push(runContext.current()?.signal as AbortSignal);
        return never();
      },
      { config },
    );
    informer.sync();
    test.manager.add({ name: 'mail-sender', start: never });
    const ended = test.start();
    await test.manager.elected;
    informer.create(anObject('a'));
    informer.create(anObject('b'));
    await test.clock.settle();
    void test.manager.stop();
    await test.clock.advance('29s');
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false, false]);
    expect(test.story, 'caches outlive runs').to.deep.equal(['cache starts']);
    await test.clock.advance('1s');
    const error = (await ended) as KubewrightError;
    expect(error.code).to.equal('KW_MANAGER_TIMEOUT');
    expect(error.message).to.equal(
      '2 did not end within 30s: controller podset (default/a, default/b), runnable mail-sender',
    );
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true, true]);
    expect(test.story.slice(1)).to.deep.equal(['cache stops', 'transport closes']);
  });

  it('M8 waits for nobody with 0, and for ever with Infinity', async () => {
    const hasty = managerRig({ gracefulTimeout: 0 });
    hasty.manager.add({ name: 'slow', start: never });
    const hastyEnd = hasty.start();
    await hasty.manager.elected;
    void hasty.manager.stop();
    await hasty.clock.advance(1);
    expect(await hastyEnd).to.equal('well');

    const patient = managerRig({ gracefulTimeout: Infinity });
    const mail = Promise.withResolvers<void>();
    patient.manager.add({ name: 'slow', start: () => mail.promise });
    const patientEnd = patient.start();
    await patient.manager.elected;
    void patient.manager.stop();
    await patient.clock.advance('1000h');
    expect(patient.story).to.deep.equal(['cache starts']);
    mail.resolve();
    expect(await patientEnd).to.equal('well');
  });

  it('M8 gives the rest of the order 5 s more when the graceful time was not enough', async () => {
    const test = managerRig({ transports: [{ close: never }] });
    test.manager.add({ name: 'slow', start: never });
    const ended = test.start();
    await test.manager.elected;
    void test.manager.stop();
    await test.clock.advance('35s');
    expect(code(await ended)).to.equal('KW_MANAGER_TIMEOUT');
    expect(test.manager.errors.map((error) => (error as Error).message)).to.deep.equal([
      '1 did not end within 30s: runnable slow',
      'transports did not stop within 5s',
    ]);
  });

  it('M10 stops on the first signal, at once on the second, and leaves a third to the process', async () => {
    const signals = new EventEmitter();
    const test = managerRig({ signals: signals as SignalSource });
    test.manager.add({ name: 'slow', start: never });
    expect(signals.listenerCount('SIGTERM'), 'before the start').to.equal(0);
    const ended = test.start();
    await test.manager.elected;
    signals.emit('SIGTERM', 'SIGTERM');
    await test.clock.advance('1s');
    expect(test.story).to.deep.equal(['cache starts']);
    signals.emit('SIGINT', 'SIGINT');
    expect(signals.listenerCount('SIGTERM') + signals.listenerCount('SIGINT')).to.equal(0);
    const error = (await ended) as KubewrightError;
    expect(error.code).to.equal('KW_MANAGER_FORCED');
    expect(error.message).to.equal('a second SIGINT ended the graceful time');
    expect(test.story.at(-1)).to.equal('transport closes');
  });

  it('M1 M10 leaves no handler of the process behind, and sets none unless asked to', async () => {
    const count = (): number => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');
    const before = count();
    for (const [signals, more] of [
      [true, 2],
      [false, 0],
    ] as const) {
      const test = managerRig({ signals });
      const ended = test.start();
      await test.manager.elected;
      expect(count() - before).to.equal(more);
      await test.manager.stop();
      await ended;
      expect(count()).to.equal(before);
    }
  });
});
