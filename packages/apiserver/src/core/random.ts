import { randomUUID } from 'node:crypto';
import type { Random } from './types.js';

const SUFFIX_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

function suffixFrom(next: () => number, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += SUFFIX_ALPHABET[Math.floor(next() * SUFFIX_ALPHABET.length)];
  return text;
}

/** Chance from the system. */
export function systemRandom(): Random {
  return { next: Math.random, uuid: randomUUID, suffix: (length) => suffixFrom(Math.random, length) };
}

/** The same sequence for the same seed, so that a test run can be repeated. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const hex = (digits: number): string => {
    let text = '';
    for (let i = 0; i < digits; i++) text += Math.floor(next() * 16).toString(16);
    return text;
  };
  return {
    next,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[Math.floor(next() * 4)]}${hex(3)}-${hex(12)}`,
    suffix: (length) => suffixFrom(next, length),
  };
}
