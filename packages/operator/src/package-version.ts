import { readFileSync } from 'node:fs';

/** Version of this package, for User-Agent. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
