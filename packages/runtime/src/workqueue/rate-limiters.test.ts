import { expect } from 'chai';
import { describe, it } from 'mocha';
import { bucket } from './bucket.js';
import { fastSlow } from './fast-slow.js';
import { itemExponential } from './item-exponential.js';
import { maxOf } from './max-of.js';
import { perKeyWindow } from './per-key-window.js';
import type { RateLimiter } from './rate-limiter.js';

const times = (count: number, limiter: RateLimiter, now: number = 0, key: string = 'a'): number[] =>
  Array.from({ length: count }, () => limiter.when(key, now));

describe('itemExponential', () => {
  it('Q11 doubles from 5 ms to 1000 s and stays there, also the 2000th time', () => {
    const limiter = itemExponential(5, '1000s');
    const delays = times(2_000, limiter);
    expect(delays.slice(0, 8)).to.deep.equal([5, 10, 20, 40, 80, 160, 320, 640]);
    expect(delays[17]).to.equal(655_360);
    expect(new Set(delays.slice(18))).to.deep.equal(new Set([1_000_000]));
  });

  it('Q11 counts each key by itself and forgets', () => {
    const limiter = itemExponential(1, 1_000);
    expect(times(5, limiter)).to.deep.equal([1, 2, 4, 8, 16]);
    expect(limiter.retries('a')).to.equal(5);
    expect(limiter.when('b', 0)).to.equal(1);
    limiter.forget('a');
    expect(limiter.retries('a')).to.equal(0);
    expect(limiter.when('a', 0)).to.equal(1);
  });
});

describe('bucket', () => {
  it('Q12 lets the burst pass and makes the rest wait in line', () => {
    const delays = times(102, bucket(10, 100));
    expect(new Set(delays.slice(0, 100))).to.deep.equal(new Set([0]));
    expect(delays.slice(100)).to.deep.equal([100, 200]);
  });

  it('Q12 fills with time, up to the burst', () => {
    const limiter = bucket(10, 2);
    times(2, limiter);
    expect(limiter.when('a', 100)).to.equal(0);
    expect(times(3, limiter, 1_000_000)).to.deep.equal([0, 0, 100]);
  });
});

describe('fastSlow', () => {
  it('Q12 is fast three times, then slow', () => {
    const limiter = fastSlow('5ms', '10s', 3);
    expect(times(5, limiter)).to.deep.equal([5, 5, 5, 10_000, 10_000]);
    expect(limiter.retries('a')).to.equal(5);
    limiter.forget('a');
    expect(limiter.when('a', 0)).to.equal(5);
  });
});

describe('maxOf', () => {
  it('Q12 takes the longer delay and the higher count', () => {
    const limiter = maxOf(itemExponential(5, 1_000), bucket(10, 2));
    expect(times(4, limiter)).to.deep.equal([5, 10, 100, 200]);
    expect(limiter.retries('a')).to.equal(4);
    limiter.forget('a');
    expect(limiter.retries('a')).to.equal(0);
  });
});

describe('perKeyWindow', () => {
  it('Q12 delays every hand-out beyond max in a window, and drops none', () => {
    const limiter = perKeyWindow(2, 1_000);
    expect(times(5, limiter)).to.deep.equal([0, 0, 1_000, 1_000, 2_000]);
    expect(limiter.when('b', 0)).to.equal(0);
  });

  it('Q12 begins anew when the window passed, and forget does not shorten it', () => {
    const limiter = perKeyWindow(1, 1_000);
    times(1, limiter);
    limiter.forget('a');
    expect(limiter.when('a', 400)).to.equal(600);
    expect(limiter.when('a', 5_000)).to.equal(0);
  });
});
