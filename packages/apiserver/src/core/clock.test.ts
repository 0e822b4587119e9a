import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ControllableClock, timestamp } from './clock.js';

describe('ControllableClock', () => {
  it('TC-7 stands still when frozen and moves only by advance', () => {
    const clock = new ControllableClock();
    clock.freeze(1000);
    expect(clock.now()).to.equal(1000);
    clock.advance(500);
    expect(clock.now()).to.equal(1500);
    expect(clock.frozen).to.equal(true);
  });

  it('TC-7 runs timers in the order they fall due, at their own time, also those set on the way', () => {
    const clock = new ControllableClock();
    clock.freeze(0);
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now()]);
    clock.after(300, note('late'));
    clock.after(100, () => {
      note('early')();
      clock.after(50, note('nested'));
    });
    const cancelled = clock.after(200, note('cancelled'));
    cancelled.cancel();
    clock.advance(299);
    expect(ran).to.deep.equal([
      ['early', 100],
      ['nested', 150],
    ]);
    clock.advance(1);
    expect(ran.at(-1)).to.deep.equal(['late', 300]);
  });

  it('TC-7 goes on from where it stands when resumed, and then follows the system', () => {
    const clock = new ControllableClock();
    clock.freeze(Date.parse('2030-01-01T00:00:00Z'));
    clock.resume();
    expect(clock.frozen).to.equal(false);
    expect(timestamp(clock.now()).slice(0, 10)).to.equal('2030-01-01');
    clock.advance(86_400_000);
    expect(timestamp(clock.now()).slice(0, 10)).to.equal('2030-01-02');
    expect(clock.frozen).to.equal(false);
  });

  it('runs timers in real time while it is not frozen', async () => {
    const clock = new ControllableClock();
    await new Promise<void>((resolve) => {
      clock.after(1, resolve);
      // The timer does not keep the process alive; this one does until it ran.
      const alive = setInterval(() => undefined, 1);
      clock.after(1, () => clearInterval(alive));
    });
  });

  it('ME-1 writes timestamps in RFC 3339 with seconds', () => {
    expect(timestamp(Date.parse('2026-02-03T04:05:06.789Z'))).to.equal('2026-02-03T04:05:06Z');
  });
});
