import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parseDuration } from './duration.js';
import { isTerminalError, TerminalError } from './error.js';
import { Result } from './result.js';

describe('Result and durations', () => {
  it('C8 requeueAfter takes 1 ms up and refuses 0, negative, NaN and Infinity, naming requeue()', () => {
    expect(Result.requeueAfter(1).delay).to.equal(1);
    expect(Result.requeueAfter('10m').delay).to.equal(600_000);
    expect(Result.requeueAfter('1h30m', { priority: 5 }).priority).to.equal(5);
    expect(() => Result.requeueAfter(0)).to.throw(RangeError, 'Result.requeue()');
    expect(() => Result.requeueAfter(-1)).to.throw(RangeError, 'Result.requeue()');
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => Result.requeueAfter(wrong)).to.throw(RangeError);
    expect(() => Result.requeueAfter(5, { jitter: 2 })).to.throw(RangeError, 'jitter 2');
    expect(() => Result.requeueAfter(5, { priority: 1001 })).to.throw(RangeError, 'priority 1001');
  });

  it('C8 durations are texts of ms, s, m, h and d', () => {
    expect(parseDuration('500ms')).to.equal(500);
    expect(parseDuration('1h30m')).to.equal(5_400_000);
    expect(parseDuration('2d')).to.equal(172_800_000);
    for (const wrong of ['', '5', '5x', '5m x', 'm5'])
      expect(() => parseDuration(wrong), wrong).to.throw(RangeError, 'is not a duration');
  });

  it('tells results from anything else', () => {
    expect(Result.is(Result.done())).to.equal(true);
    for (const other of [undefined, null, {}, { type: 'done' }, true]) expect(Result.is(other)).to.equal(false);
  });

  it('C9 a terminal error is recognised when wrapped, in an AggregateError only if all are', () => {
    const terminal = new TerminalError(new Error('x'));
    expect(terminal.message).to.equal('terminal error: x');
    expect(isTerminalError(new Error('outer', { cause: new Error('middle', { cause: terminal }) }))).to.equal(true);
    expect(isTerminalError(new AggregateError([terminal, new TerminalError('y')]))).to.equal(true);
    expect(isTerminalError(new AggregateError([terminal, new Error('y')]))).to.equal(false);
    expect(isTerminalError(new Error('plain'))).to.equal(false);
  });
});
