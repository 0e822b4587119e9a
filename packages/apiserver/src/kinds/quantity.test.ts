import { expect } from 'chai';
import { describe, it } from 'mocha';
import { canonicalQuantity, compareQuantities, isWhole, sumQuantities, toMilli } from './quantity.js';

describe('quantities', () => {
  const canonical: [string, string][] = [
    ['1', '1'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1000m', '1'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['1500', '1500'],
    ['512', '512'],
    ['0', '0'],
    ['0Mi', '0'],
    ['-1', '-1'],
    ['100u', '100u'],
  ];
  for (const [from, to] of canonical) {
    it(`${from} is stored as ${to}`, () => {
      expect(canonicalQuantity(from)).to.equal(to);
      expect(canonicalQuantity(to), 'canonical text stays').to.equal(to);
    });
  }

  for (const wrong of ['', 'abc', '1x', '1 Gi', '--1', 'Mi']) {
    it(`${JSON.stringify(wrong)} is no quantity`, () => expect(canonicalQuantity(wrong)).to.equal(undefined));
  }

  it('compares amounts, not texts', () => {
    expect(compareQuantities('1Gi', '1024Mi')).to.equal(0);
    expect(compareQuantities('900m', '1')).to.be.lessThan(0);
    expect(compareQuantities('1Gi', '1G')).to.be.greaterThan(0);
  });

  it('adds in the form of the first', () => {
    expect(sumQuantities(['512Mi', '512Mi'])).to.equal('1Gi');
    expect(sumQuantities(['250m', '750m'])).to.equal('1');
  });

  it('rounds resources up to thousandths', () => {
    expect(toMilli('100u')).to.equal('1m');
    expect(toMilli('1500m')).to.equal('1500m');
  });

  it('knows whole numbers', () => {
    expect([isWhole('2'), isWhole('1500m'), isWhole('1Ki')]).to.deep.equal([true, false, true]);
  });
});
