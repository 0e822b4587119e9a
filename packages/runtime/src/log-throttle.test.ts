import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LogThrottle } from './log-throttle.js';
import { VirtualClock } from './testing/virtual-clock.js';

describe('LogThrottle', () => {
  it('M18 admits a text once a minute and counts what it left out', () => {
    const clock = new VirtualClock();
    const throttle = new LogThrottle(clock);
    expect([throttle.admit('a'), throttle.admit('a'), throttle.admit('b'), throttle.admit('a')]).to.deep.equal([
      0,
      undefined,
      0,
      undefined,
    ]);
    clock.advanceSync('1m');
    expect([throttle.admit('a'), throttle.admit('a'), throttle.admit('b')]).to.deep.equal([2, undefined, 0]);
  });

  it('M18 admits as many lines a minute as asked for', () => {
    const clock = new VirtualClock();
    const throttle = new LogThrottle(clock);
    const five = (): (number | undefined)[] => Array.from({ length: 5 }, () => throttle.admit('a', 3));
    expect(five()).to.deep.equal([0, 0, 0, undefined, undefined]);
    clock.advanceSync('1m');
    expect(five()).to.deep.equal([2, 0, 0, undefined, undefined]);
  });

  it('remembers a thousand texts and no more', () => {
    const throttle = new LogThrottle(new VirtualClock());
    for (let index = 0; index <= 1_000; index++) throttle.admit(`text ${index}`);
    expect(throttle.admit('text 1000')).to.equal(undefined);
    expect(throttle.admit('text 0'), 'forgotten').to.equal(0);
  });
});
