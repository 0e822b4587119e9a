import { expect } from 'chai';
import { describe, it } from 'mocha';
import { PRIORITY_LIMIT, QUEUE_DEFAULTS } from './defaults.js';

describe('defaults of the work queue', () => {
  it('Q11 Q13 Q14 Q16 Q17 Q20 C18 are these', () => {
    expect(QUEUE_DEFAULTS).to.deep.equal({
      backoffBase: 5,
      backoffMax: 1_000_000,
      bucketPerSecond: 10,
      bucketBurst: 100,
      jitter: 0.2,
      promoteAfter: 30_000,
      coalesceMaxWindows: 5,
      brokenLimiterDelay: 1_000,
      causesKept: 10,
      longestTimer: 2 ** 31 - 1,
    });
    expect(PRIORITY_LIMIT).to.equal(1_000);
  });
});
