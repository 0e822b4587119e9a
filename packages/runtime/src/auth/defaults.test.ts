import { expect } from 'chai';
import { describe, it } from 'mocha';
import { authDefaults } from './defaults.js';

describe('defaults of authentication', () => {
  it('are what the documentation says', () => {
    expect(authDefaults).to.deep.equal({
      tokenFileFresh: 60000,
      tlsFilesFresh: 60000,
      tlsFilesRetry: 5000,
      tokenMargin: 10000,
      shared: 5000,
      renewBefore: 60000,
      pluginLimit: 60000,
      stderrKept: 512,
    });
  });
});
