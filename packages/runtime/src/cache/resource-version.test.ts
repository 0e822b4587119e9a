import { expect } from 'chai';
import { describe, it } from 'mocha';
import { compareVersions, isOrderedVersion } from './resource-version.js';

describe('resourceVersion', () => {
  it('L42 is ordered as decimal text, beyond what a JS number can tell apart', () => {
    const rising = ['', '0', '9', '10', '9007199254740992', '9007199254740993', '18446744073709551615'];
    expect([...rising].reverse().sort(compareVersions)).to.deep.equal(rising);
    expect(compareVersions('42', '42')).to.equal(0);
  });

  it('L42 is not ordered when it is no decimal', () => {
    expect(['0', '7', '123456789012345678901'].map(isOrderedVersion)).to.deep.equal([true, true, true]);
    expect(['', '007', '-1', '1.5', 'abc', '12a'].map(isOrderedVersion)).to.deep.equal(Array(6).fill(false));
  });
});
