import { glob, readFile } from 'node:fs/promises';
import { inRepository } from '../support/paths.js';

/** Numbers at the beginning of a title: `R14 reopens …`, `L34 L45 C3 …`. */
const TITLE = /\b(?:it|describe)\(\s*(['"`])((?:(?:[A-Z]\d+|and) +|[A-Z]\d+[:,] *)+)/g;

/** Numbers of the rules that some test of the repository begins its title with. */
export async function provenRules(): Promise<ReadonlySet<string>> {
  const proven = new Set<string>();
  for await (const file of glob(['packages/*/src/**/*.test.ts', 'test/*/*.test.ts', 'examples/*/src/**/*.test.ts'], {
    cwd: inRepository('.'),
  })) {
    const text = await readFile(inRepository(file), 'utf8');
    for (const [, , numbers = ''] of text.matchAll(TITLE))
      for (const [number] of numbers.matchAll(/[A-Z]\d+/g)) proven.add(number);
  }
  return proven;
}
