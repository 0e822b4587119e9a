import { expect } from 'chai';
import { describe, it } from 'mocha';
import { transportDefaults } from './defaults.js';

describe('defaults of the transport', () => {
  it('are what the documentation says', () => {
    expect(transportDefaults).to.deep.equal({
      maxInFlight: 100,
      connectTimeout: 10000,
      headersTimeout: 70000,
      watchHeadersTimeout: 30000,
      bodyTimeout: 60000,
      keepAliveTimeout: 30000,
      keepAliveMargin: 2000,
      tcpKeepAlive: 30000,
      attempts: 4,
      waits: [100, 400, 1600],
      maxRetryAfter: 30000,
      retryAfterJitter: 0.25,
      unauthorizedWait: 500,
      warningInterval: 3600000,
      warningsRemembered: 1000,
      rotateWatches: 30000,
      rotateGrace: 120000,
      closeGrace: 5000,
      unreadBytes: 1048576,
    });
  });
});
