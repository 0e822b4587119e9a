import { createRequire } from 'node:module';
import type { Environment } from '@marcbachmann/cel-js';
import { compilePattern } from '../../schema/patterns.js';

/** The name under which `matches` is registered: the engine's own one has another regular expression syntax. */
export const matchesName = 'matchesRe2';

/** `matches`, `find` and `findAll` with RE2 syntax. */
export function registerRegex(env: Environment): void {
  env.registerFunction(`string.${matchesName}(string): bool`, matches);
  env.registerFunction(`${matchesName}(string, string): bool`, matches);
  env.registerFunction(
    'string.find(string): string',
    (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? '',
  );
  env.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
    findAll(text, pattern, -1),
  );
  env.registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
    findAll(text, pattern, Number(limit)),
  );
}

function matches(text: string, pattern: string): boolean {
  const compiled = compilePattern(pattern);
  if (typeof compiled === 'string') throw new Error(`error parsing regexp: ${compiled}`);
  return compiled.test(text);
}

function findAll(text: string, pattern: string, limit: number): string[] {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  const matcher = RE2JS.compile(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}
