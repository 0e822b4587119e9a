import { expect } from 'chai';
import { describe, it } from 'mocha';
import { pod } from '../cache/cache-harness.test.js';
import { parseFieldSelector } from './field-selector.js';
import { parseLabelSelector } from './label-selector.js';

describe('selectors', () => {
  const labels = { size: '10', app: 'web', tier: 'front', 'x.io/y': '' };
  const cases: [selector: string, matches: boolean][] = [
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app=api', false],
    ['app!=api', true],
    ['app!=web', false],
    ['none!=x', true],
    ['app in (web, api)', true],
    ['app in (api)', false],
    ['app notin (api),tier', true],
    ['none notin (a)', true],
    ['tier notin (front)', false],
    ['!none', true],
    ['!app', false],
    ['x.io/y', true],
    ['x.io/y=', true],
    ['constructor', false],
    ['in in (in)', false],
    ['size>9', true],
    ['size > 10', false],
    ['size < 11,app', true],
    ['app > 3', false],
    ['none<3', false],
    [' app = web , tier in (front) ', true],
  ];
  for (const [selector, matches] of cases)
    it(`L6 label selector "${selector}" ${matches ? 'matches' : 'does not match'}`, () => {
      expect(parseLabelSelector(selector).matches(labels)).to.equal(matches);
    });

  it('L6 matches objects without labels where the key may be missing', () => {
    expect(parseLabelSelector('!a,b!=c,d notin (e)').matches(undefined)).to.equal(true);
    expect(parseLabelSelector({ a: 'b' }).matches(undefined)).to.equal(false);
    expect(parseLabelSelector({ a: 'b', c: 'd' }).text).to.equal('a=b,c=d');
  });

  for (const [selector, column] of [
    ['app=web,', 9],
    ['app=we b', 8],
    ['app in web', 8],
    ['-a', 1],
    ['a=b=c', 4],
    ['app > x', 7],
  ] as const)
    it(`L6 refuses "${selector}" with column ${column}`, () => {
      expect(() => parseLabelSelector(selector))
        .to.throw(`column ${column}`)
        .with.property('code', 'KW_CLIENT_SELECTOR');
    });

  it('L6 evaluates field selectors; a missing field is empty', () => {
    const object = pod('a', '1', { spec: { nodeName: 'n,1' }, status: {} });
    const matches = (text: string): boolean => parseFieldSelector(text).matches(object);
    expect(matches('metadata.name=a,metadata.namespace!=x')).to.equal(true);
    expect(matches('spec.nodeName=n\\,1')).to.equal(true);
    expect(parseFieldSelector({ 'spec.nodeName': 'n,1' }).matches(object)).to.equal(true);
    expect(matches('status.phase=')).to.equal(true);
    expect(matches('status.phase!=Running')).to.equal(true);
    expect(matches('metadata.name==b')).to.equal(false);
    expect(() => matches('metadata.name'))
      .to.throw()
      .with.property('code', 'KW_CLIENT_SELECTOR');
  });
});
