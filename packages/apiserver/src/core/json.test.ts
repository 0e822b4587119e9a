import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { deepFreeze, jsonCopy, jsonEqual } from './json.js';

describe('JSON values', () => {
  it('ST-7 a copy is equal and shares nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = jsonCopy(deepFreeze(value));
        expect(jsonEqual(copy, value)).to.equal(true);
        if (typeof copy === 'object' && copy !== null) expect(Object.isFrozen(copy)).to.equal(false);
      }),
    );
  });

  it('ST-7 equality agrees with canonical text', () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_, v: unknown) =>
        v && typeof v === 'object' && !Array.isArray(v)
          ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
          : v,
      );
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(jsonEqual(a, b)).to.equal(canonical(a) === canonical(b));
      }),
    );
  });

  it('ST-7 neither the order of keys nor undefined members count', () => {
    expect(jsonEqual({ a: 1, b: [2] }, { b: [2], a: 1, c: undefined })).to.equal(true);
    expect(jsonEqual({ a: undefined }, { b: 1 })).to.equal(false);
    expect(jsonEqual([1, 2], [2, 1])).to.equal(false);
    expect(jsonEqual({ 0: 'a' }, ['a'])).to.equal(false);
  });

  it('a member called __proto__ is data', () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
    const copy = jsonCopy(value);
    expect(Object.keys(copy)).to.deep.equal(['__proto__']);
    expect('polluted' in copy).to.equal(false);
  });
});
