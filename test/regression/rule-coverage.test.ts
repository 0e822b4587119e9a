import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { provenRules } from './rule-titles.js';
import { exceptions } from './rules-without-test.js';

/** Sections of the runtime's rules: letter, name, and the highest number. */
const SECTIONS = [
  ['T', 'transport and authentication', 25],
  ['L', 'typed client', 46],
  ['R', 'reflector, store, informer', 36],
  ['E', 'events, predicates, handlers, sources', 14],
  ['Q', 'work queue', 23],
  ['C', 'controller and results', 26],
  ['M', 'manager', 20],
] as const;

describe('every rule of the runtime has a test that begins with its number', () => {
  let proven: ReadonlySet<string>;

  before(async () => {
    proven = await provenRules();
  });

  for (const [letter, name, last] of SECTIONS)
    it(`${letter}1 to ${letter}${last}, ${name}`, () => {
      const numbers = Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
      const open = numbers.filter((number) => !proven.has(number) && exceptions[number] === undefined);
      expect(open, 'write a test, or say in rules-without-test.ts why there is none').to.deep.equal([]);
    });

  it('exceptions name rules that there are', () => {
    const known = new Set(
      SECTIONS.flatMap(([letter, , last]) => Array.from({ length: last }, (_, i) => `${letter}${i + 1}`)),
    );
    expect(Object.keys(exceptions).filter((number) => !known.has(number))).to.deep.equal([]);
    const stale = Object.keys(exceptions).filter((number) => proven.has(number));
    if (stale.length > 0) console.log(`      no longer exceptions, they have a test: ${stale.join(', ')}`);
  });
});
