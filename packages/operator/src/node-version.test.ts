import { expect } from 'chai';
import { describe, it } from 'mocha';
import { requireNodeVersion } from './node-version.js';

describe('the Node version', () => {
  it('CLI-15 below 22.19 is refused with the way out', () => {
    for (const old of ['20.20.2', '22.18.9', '18.0.0'])
      expect(() => requireNodeVersion(old), old)
        .to.throw(`needs Node >= 22.19, found ${old}`)
        .with.property('code', 'KW_NODE_VERSION');
  });

  it('from 22.19 on is accepted', () => {
    for (const good of ['22.19.0', '23.0.0', '24.21.0', process.versions.node])
      expect(() => requireNodeVersion(good), good).not.to.throw();
  });
});
