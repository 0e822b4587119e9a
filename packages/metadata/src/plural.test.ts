import { expect } from 'chai';
import { describe, it } from 'mocha';
import { pluralOf } from './plural.js';

describe('plurals', () => {
  for (const [singular, plural] of [
    ['podset', 'podsets'],
    ['policy', 'policies'],
    ['gateway', 'gateways'],
    ['ingress', 'ingresses'],
    ['box', 'boxes'],
    ['batch', 'batches'],
  ] as const)
    it(`${singular} → ${plural}`, () => {
      expect(pluralOf(singular)).to.equal(plural);
    });
});
