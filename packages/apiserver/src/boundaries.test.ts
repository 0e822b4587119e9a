import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describe, it } from 'mocha';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../src');
const DEPENDENCIES = new Set(['yaml', 're2js', '@marcbachmann/cel-js']);
/** Parts that know nothing of HTTP and of what stands on it. */
const PURE = new Set(['core', 'schema', 'patch', 'apply', 'crd', 'cel', 'kinds']);
const ABOVE = new Set(['http', 'tls', 'auth', 'webhooks', 'sim', 'control', 'persist']);

interface Import {
  readonly from: string;
  readonly to: string;
}

function imports(): Import[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  return files.flatMap((from) => {
    const text = readFileSync(join(source, from), 'utf8');
    const found = text.matchAll(/(?:^import\s|^export\s[^;]*?\sfrom\s|\bimport\()[^;'"]*?['"]([^'"]+)['"]/gm);
    return [...found].map((match) => {
      const name = match[1] as string;
      return { from, to: name.startsWith('.') ? relative(source, join(source, dirname(from), name)) : name };
    });
  });
}

const part = (file: string): string => file.split('/')[0] as string;
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

describe('boundaries of the package', () => {
  const all = imports();
  const outside = (to: string): boolean => !/\.(js|json)$/.test(to) || to.startsWith('..');

  it('reads the import graph', () => {
    expect(all.map(shown)).to.include('semantics.ts imports core/store.js');
  });

  it('BD-1 BD-2 imports no other package of ours, and only the four dependencies', () => {
    const packages = all.filter(({ to }) => outside(to) && !to.startsWith('node:'));
    expect(packages.filter(({ to }) => !DEPENDENCIES.has(to)).map(shown)).to.deep.equal([]);
  });

  it('BD-3 the core imports nothing outside itself', () => {
    const wrong = all.filter(
      ({ from, to }) => part(from) === 'core' && part(to) !== 'core' && !/^node:(crypto|buffer|util)$/.test(to),
    );
    expect(wrong.map(shown)).to.deep.equal([]);
  });

  it('BD-3 what gives objects their meaning knows nothing of HTTP', () => {
    const wrong = all.filter(
      ({ from, to }) =>
        PURE.has(part(from)) &&
        (ABOVE.has(part(to)) || /^node:(https?|tls)$/.test(to) || to.startsWith('codec/protobuf')),
    );
    expect(wrong.map(shown)).to.deep.equal([]);
  });
});
