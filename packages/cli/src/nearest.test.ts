import { expect } from 'chai';
import { describe, it } from 'mocha';
import { nearest } from './nearest.js';

describe('CLI-6 the nearest known word', () => {
  const known = ['generate', 'new', 'run', 'dev'];
  const cases: [string, string | undefined][] = [
    ['generat', 'generate'],
    ['genreate', 'generate'],
    ['gnrt', undefined],
    ['nwe', 'new'],
    ['rn', 'run'],
    ['xyz', undefined],
    ['', undefined],
  ];
  for (const [typed, word] of cases)
    it(`${typed || '(nothing)'} → ${word ?? 'none'}`, () => {
      expect(nearest(typed, known)).to.equal(word);
    });
});
