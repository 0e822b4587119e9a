import { expect } from 'chai';
import { describe, it } from 'mocha';
import { toRe2 } from './re2.js';

describe('CRD-12 patterns for RE2', () => {
  const same: [RegExp, string][] = [
    [/^[a-z]+$/, '^[a-z]+$'],
    [/a\/b/, 'a/b'],
    [/x/gi, '(?i)x'],
    [/[^]/, '[\\s\\S]'],
    [/\u00e9/, '\\x{00E9}'],
    [/\u{1F600}/u, '\\x{1F600}'],
    [/\p{Script=Greek}/u, '\\p{Greek}'],
    [/(?<year>\d{4})/, '(?P<year>\\d{4})'],
    [/[(?=]/, '[(?=]'],
  ];
  for (const [from, to] of same)
    it(`${String(from)} → ${to}`, () => {
      expect(toRe2(from)).to.deep.equal({ pattern: to });
    });
  const refused: [RegExp, RegExp][] = [
    [/a(?=b)/, /column 2 is a look-ahead/],
    [/(?<!a)b/, /column 1 is a look-behind/],
    [/(a)\1/, /column 4 is a back-reference/],
    [/a{1,2000}/, /column 2 \(\{1,2000\}\)/],
    [/a/y, /flag "y"/],
  ];
  for (const [from, text] of refused)
    it(`refuses ${String(from)}`, () => {
      expect(toRe2(from)).to.have.property('problem').that.matches(text);
    });
});
