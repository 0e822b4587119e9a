import { Result, TerminalError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { anObject, rig } from '../testing/rig.test.js';

describe('Controller: fail-safe', () => {
  const hour = 3_600_000;

  it('C16 runs a resting key again after about ten hours, at low priority', async () => {
    const causes: string[][] = [];
    const at: number[] = [];
    await using test = rig((_request, ctx) => {
      at.push(test.clock.monotonic());
      causes.push(ctx.causes.map(({ type }) => type));
    });
    test.informer.create(anObject('web'));
    await test.clock.advance('12h');
    expect(causes).to.deep.equal([['create'], ['failsafe']]);
    expect(at[1]).to.be.within(9 * hour, 11 * hour);
  });

  it('C16 also runs a key that failed for good or is out of retries', async () => {
    let runs = 0;
    await using test = rig(
      (request) => {
        runs += 1;
        throw request.name === 'a' ? new TerminalError('no') : new Error('no');
      },
      { options: { maxRetries: 0, failsafeInterval: '1h' } },
    );
    test.controller.enqueue({ name: 'a' });
    test.controller.enqueue({ name: 'b' });
    await test.clock.advance('66m');
    expect(runs).to.equal(4);
  });

  it('C16 spreads keys over a fifth of the interval', async () => {
    const at: number[] = [];
    let dice = 0;
    await using test = rig(() => void at.push(test.clock.monotonic()), {
      random: () => (dice = (dice + 0.1) % 1),
      options: { failsafeInterval: '100m' },
    });
    for (let index = 0; index < 10; index++) test.informer.create(anObject(`k${index}`));
    await test.clock.advance('115m');
    const again = at.slice(10, 20).map((time) => time / 60_000);
    expect(Math.min(...again)).to.be.within(90, 100);
    expect(Math.max(...again)).to.be.within(100, 110);
  });

  it('C16 leaves keys alone that have something pending, and all keys with 0', async () => {
    let runs = 0;
    await using test = rig(() => {
      runs += 1;
      return Result.requeueAfter('20h');
    });
    test.informer.create(anObject('web'));
    await test.clock.advance('19h');
    expect(runs).to.equal(1);

    let others = 0;
    await using off = rig(() => void others++, { options: { failsafeInterval: 0 } });
    off.informer.create(anObject('web'));
    await off.clock.advance('100h');
    expect(others).to.equal(1);
  });
});
