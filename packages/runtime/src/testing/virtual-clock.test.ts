import { type Clock, sleep, SystemClock } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { VirtualClock } from './virtual-clock.js';

interface Subject {
  readonly clock: Clock;
  /** Lets the given time pass. */
  readonly pass: (ms: number) => Promise<void>;
}

const subjects: Record<string, () => Subject> = {
  SystemClock: () => {
    const clock = new SystemClock();
    return { clock, pass: (ms) => sleep(clock, ms) };
  },
  VirtualClock: () => {
    const clock = new VirtualClock();
    return { clock, pass: (ms) => clock.advance(ms) };
  },
};

for (const [name, make] of Object.entries(subjects))
  describe(`${name}, as every clock`, () => {
    it('Q10 fires timers in the order of their due times, and equal ones in the order they were set', async () => {
      const { clock, pass } = make();
      const fired: string[] = [];
      clock.setTimeout(() => fired.push('late'), 12);
      clock.setTimeout(() => fired.push('early'), 2);
      clock.setTimeout(() => fired.push('early, set second'), 2);
      await pass(30);
      expect(fired).to.deep.equal(['early', 'early, set second', 'late']);
    });

    it('Q10 does not fire a timer that was cleared', async () => {
      const { clock, pass } = make();
      let fired = false;
      clock.clearTimeout(clock.setTimeout(() => (fired = true), 1));
      await pass(5);
      expect(fired).to.equal(false);
    });

    it('Q10 moves both times on together', async () => {
      const { clock, pass } = make();
      const [wall, monotonic] = [clock.now(), clock.monotonic()];
      await pass(5);
      expect(clock.monotonic() - monotonic).to.be.at.least(4);
      expect(clock.now() - wall).to.be.at.least(4);
    });

    it('Q10 lets the event loop run', async () => {
      const { clock } = make();
      let ran = false;
      setImmediate(() => (ran = true));
      await clock.yield();
      expect(ran).to.equal(true);
    });
  });

describe('VirtualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = new VirtualClock();
    await clock.settle();
    expect([clock.now(), clock.monotonic()]).to.deep.equal([Date.UTC(2026, 0, 1), 0]);
  });

  it('fires a timer that a timer sets, in the same advance', async () => {
    const clock = new VirtualClock();
    const at: number[] = [];
    const again = (): void => {
      at.push(clock.monotonic());
      if (at.length < 3) clock.setTimeout(again, 10);
    };
    clock.setTimeout(again, 10);
    await clock.advance('25ms');
    expect(at).to.deep.equal([10, 20]);
    expect(clock.nextTimerIn()).to.equal(5);
  });

  it('lets promises run between timers', async () => {
    const clock = new VirtualClock();
    const order: string[] = [];
    clock.setTimeout(() => void Promise.resolve().then(() => order.push('promise of the first')), 1);
    clock.setTimeout(() => order.push('second'), 2);
    await clock.advance(2);
    expect(order).to.deep.equal(['promise of the first', 'second']);
  });

  it('fires a wait above 2³¹−1 ms at once, as Node does', () => {
    const clock = new VirtualClock();
    let fired = false;
    clock.setTimeout(() => (fired = true), 2 ** 31);
    clock.advanceSync(1);
    expect(fired).to.equal(true);
  });

  it('moves the wall clock alone when told so', () => {
    const clock = new VirtualClock(1_000);
    clock.jumpWall(-500);
    expect([clock.now(), clock.monotonic()]).to.deep.equal([500, 0]);
  });
});
