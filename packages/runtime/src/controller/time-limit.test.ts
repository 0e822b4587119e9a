import { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { gate, keyed, rig } from '../testing/rig.test.js';

const web = keyed('web');

describe('Controller: time limit and stop', () => {
  it('C20 aborts both signals at the time limit, and retries once the run has settled', async () => {
    const attempts: number[] = [];
    const reasons: unknown[] = [];
    const { opened, open } = gate();
    await using test = rig(async (_request, ctx) => {
      attempts.push(ctx.attempt);
      if (attempts.length > 1) return;
      const hard = test.runContexts.current()?.signal;
      ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason, hard?.reason));
      await opened;
    });
    test.controller.enqueue(web);
    await test.clock.advance('10m');
    expect(reasons.map((reason) => (reason as KubewrightError).code)).to.deep.equal([
      'KW_RECONCILE_TIMEOUT',
      'KW_RECONCILE_TIMEOUT',
    ]);
    test.controller.enqueue(web);
    await test.clock.advance('10s');
    expect(attempts, 'not twice at once').to.deep.equal([0]);
    open();
    await test.settle();
    await test.clock.advance('1s');
    expect(attempts).to.deep.equal([0, 1]);
    expect(test.controller.counters).to.include({ timeouts: 1, error: 1, success: 1 });
  });

  it('C20 lends the slot of a stuck run to other keys, and takes it back', async () => {
    const { opened, open } = gate();
    const seen: string[] = [];
    let together = 0;
    let most = 0;
    await using test = rig(async ({ name }) => {
      seen.push(name);
      if (name === 'stuck') return opened;
      most = Math.max(most, ++together);
      await test.clock.yield();
      together -= 1;
    });
    test.controller.enqueue({ name: 'stuck' });
    test.controller.enqueue({ name: 'next' });
    await test.clock.advance('10m');
    await test.clock.advance('29s');
    expect(seen).to.deep.equal(['stuck']);
    await test.clock.advance('1s');
    expect(seen).to.deep.equal(['stuck', 'next']);
    await test.clock.advance('2m');
    expect(test.logger.at('error').filter(({ message }) => message.includes('stuck'))).to.have.length(3);
    open();
    await test.settle();
    for (const name of ['a', 'b', 'c']) test.controller.enqueue({ name });
    await test.clock.advance('1s');
    expect(seen).to.include.members(['a', 'b', 'c']);
    expect(most, 'one slot again').to.equal(1);
  });

  it('C20 lends at most as many slots as it has', async () => {
    const { opened, open } = gate();
    const seen: string[] = [];
    await using test = rig(({ name }) => {
      seen.push(name);
      return opened;
    });
    for (const name of ['a', 'b', 'c', 'd']) test.controller.enqueue({ name });
    await test.clock.advance('2h');
    expect(seen).to.deep.equal(['a', 'b']);
    open();
    await test.settle();
  });

  it('C20 sets no limit with 0', async () => {
    const { opened, open } = gate();
    await using test = rig(() => opened, { options: { reconcileTimeout: 0 } });
    test.controller.enqueue(web);
    await test.clock.advance('100h');
    expect(test.controller.counters.timeouts).to.equal(0);
    open();
    await test.settle();
  });

  it('C21 aborts the soft signal at a stop and leaves the hard one, so that a run can finish', async () => {
    const signals: boolean[] = [];
    const { opened, open } = gate();
    const test = rig(async (_request, ctx) => {
      const hard = test.runContexts.current()?.signal;
      await opened;
      signals.push(ctx.signal.aborted, hard?.aborted ?? true);
    });
    test.controller.enqueue(web);
    test.controller.enqueue({ name: 'never run' });
    await test.settle();
    const stopped = test.controller.stop(new Error('over'));
    expect(test.controller.runningKeys()).to.deep.equal(['default/web']);
    open();
    await stopped;
    expect(signals).to.deep.equal([true, false]);
    expect(test.controller.counters).to.include({ success: 1 });
    expect(test.controller.enqueue(web), 'C22 says false once stopped').to.equal(false);
    expect(test.clock.timers, 'no timer is left').to.equal(0);
  });

  it('C7 a run that the stop aborted counts nowhere', async () => {
    const test = rig(
      (_request, ctx) =>
        new Promise((_resolve, reject) => {
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
        }),
    );
    test.controller.enqueue(web);
    await test.settle();
    await test.controller.stop(new Error('over'));
    expect(test.controller.counters).to.include({ success: 0, error: 0, requeue: 0 });
    expect(test.logger.at('error')).to.deep.equal([]);
  });

  it('M16 is alive while slots are busy, and while there is nothing to do', async () => {
    const { opened, open } = gate();
    await using test = rig(() => opened, { options: { reconcileTimeout: 0 } });
    expect(test.controller.isAlive()).to.equal(true);
    test.controller.enqueue(web);
    test.controller.enqueue({ name: 'waits' });
    await test.clock.advance('1h');
    expect(test.controller.isAlive()).to.equal(true);
    open();
    await test.settle();
  });
});
