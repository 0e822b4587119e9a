import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { runtimeErrorCodes } from './errors.js';
import { runtimeVersion } from './transport/version.js';

describe('tables of the package', () => {
  it('every code of the error table is made somewhere, and none is made that the table does not know', () => {
    const dist = new URL('.', import.meta.url);
    const made = new Set<string>();
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.test)\.js$/.test(name) || name === 'errors.js') continue;
      const text = readFileSync(new URL(name, dist), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
      for (const [code] of text.matchAll(/KW_[A-Z]+(?:_[A-Z]+)+/g)) if (!code.startsWith('KW_API_')) made.add(code);
    }
    expect([...made].toSorted()).to.deep.equal(Object.keys(runtimeErrorCodes).toSorted());
  });

  it('the version in the User-Agent is that of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(runtimeVersion).to.equal(version);
  });
});
