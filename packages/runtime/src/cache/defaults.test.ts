import { expect } from 'chai';
import { describe, it } from 'mocha';
import { cacheDefaults } from './defaults.js';

describe('defaults of the cache', () => {
  it('are what the documentation says', () => {
    expect(cacheDefaults).to.deep.equal({
      pageSize: 500,
      watchSecondsMin: 300,
      watchSecondsMax: 600,
      inactivity: 100000,
      initialSilence: 30000,
      healthyWatch: 10000,
      openInterval: 1000,
      backoffBase: 800,
      backoffMax: 30000,
      backoffReset: 120000,
      expiredInterval: 10000,
      missingInterval: 10000,
      brokenStreams: 3,
      badLines: 3,
      errorEvents: 3,
      malformedRemembered: 1000,
      errorBodyBytes: 65536,
      lineBytes: 33554432,
      overlayLate: 60_000,
      slabBytes: 262_144,
      parsedKept: 1_000,
      slice: 8,
      logInterval: 60000,
      syncTimeout: 120000,
      barrier: 60000,
    });
  });
});
