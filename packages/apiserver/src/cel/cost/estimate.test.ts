import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Schema } from '../../core/types.js';
import { compileExpression } from '../compile.js';
import { checkRules } from '../rules.js';
import { declaredBy } from './declared.js';

const self: Schema = {
  type: 'object',
  properties: {
    s: { type: 'string', maxLength: 20 },
    e: { type: 'string', enum: ['abc', 'defgh'] },
    i: { type: 'integer' },
    l: { type: 'array', maxItems: 7, items: { type: 'string', maxLength: 5 } },
    m: { type: 'object', maxProperties: 6, additionalProperties: { type: 'string', maxLength: 9 } },
    n: {
      type: 'array',
      maxItems: 4,
      items: { type: 'object', properties: { s: { type: 'string', maxLength: 3 }, i: { type: 'integer' } } },
    },
  },
};

const costOf = (rule: string): number =>
  compileExpression(rule, { self, resource: false, optionalOldSelf: false, bounds: declaredBy(self) }).maxCost;

const bounded = (rule: string, maxItems?: number): Schema => ({
  type: 'array',
  ...(maxItems !== undefined && { maxItems }),
  items: { ...self, 'x-kubernetes-validations': [{ rule }] },
});

describe('cost of rules', () => {
  // Figures of kube-apiserver 1.37: what it says a rule costs inside lists of chosen lengths.
  const costs: readonly (readonly [string, number])[] = [
    ["self.s == 'abc'", 3],
    ["self.s.contains('abcd')", 10],
    ["self.l.all(x, x == 'a')", 38],
    ["self.m.exists(k, k == 'foo' && self.m[k].startsWith('b'))", 63],
    ['self.n.all(x, self.n.exists(y, y.s == x.s && y.i == x.i))', 251],
    ["self.s.matches('^[a-z]+$')", 20],
    ["self.n.map(x, x.s).all(y, y == 'abc')", 86],
    ["self.s.replace('a', 'bcd') == 'x'", 19],
    ["self.s == 'a' ? true : self.s == 'b'", 6],
  ];
  for (const [rule, cost] of costs) {
    it(`CE-4 ${rule} costs ${cost}`, () => {
      expect(costOf(rule)).to.equal(cost);
    });
  }

  it('CE-4 a rule on more values than it may cost is refused, with the factor', () => {
    const rule = 'self.n.all(x, self.n.exists(y, y.s == x.s && y.i == x.i))';
    const at = 'p.items.x-kubernetes-validations[0].rule';
    const allowed = Math.floor(10_000_000 / costOf(rule));
    expect(checkRules(bounded(rule, allowed), 'p')).to.deep.equal([]);
    const [error, ...more] = checkRules(bounded(rule, allowed + 1), 'p');
    expect(more).to.deep.equal([]);
    expect(error?.field).to.equal(at);
    expect(error?.message).to.match(/^Forbidden: estimated rule cost exceeds budget by factor of 1\.00000\dx \(try /);
  });

  it('CE-4 without bounds a request limits how many values there are', () => {
    const [error] = checkRules(bounded("self.l.all(x, x == 'a')"), 'p');
    expect(error?.message).to.contain('exceeds budget by factor of 4.0x');
  });

  it('CE-4 all rules together may not cost ten times as much; the dearest are named', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 11 }, (_, i) => [`p${i}`, bounded("self.l.all(x, x == 'a')", 263_000 + i)]),
    );
    const errors = checkRules({ type: 'object', properties }, 'p');
    expect(errors.map(({ field }) => field)).to.deep.equal([
      ...[10, 9, 8, 7].map((i) => `p.properties[p${i}].items.x-kubernetes-validations[0].rule`),
      'p',
    ]);
    expect(errors.at(-1)?.message).to.contain(
      'estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of',
    );
  });

  it('CE-4 a schema that was stored before keeps its rules', () => {
    const schema = bounded("self.l.all(x, x == 'a')", 300_000);
    expect(checkRules(schema, 'p')).to.have.length(1);
    expect(checkRules(schema, 'p', true)).to.deep.equal([]);
  });
});
