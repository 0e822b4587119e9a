import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describe, it } from 'mocha';

/** Addresses of all modules that importing `module` in a fresh process loads. */
async function loadedBy(module: string): Promise<string[]> {
  const hook = `import {registerHooks} from 'node:module';registerHooks({load(u,c,n){process.stdout.write(u+'\\n');return n(u,c)}});`;
  const address = new URL(module, import.meta.url).href;
  const script = `${hook}await import(${JSON.stringify(address)})`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return stdout.split('\n').filter((line) => line.startsWith('file:'));
}

describe('GEN-22 the import wall', () => {
  const heavy = /node_modules\/(?:@kubernetes|undici|inversify|@inversifyjs|pino|yaml|class-validator)\//;

  it('importing kubewright loads no engine', async () => {
    const loaded = await loadedBy('./index.js');
    expect(loaded.some((url) => url.includes('reflect-metadata'))).to.equal(true);
    expect(loaded.filter((url) => heavy.test(url) || url.includes('/transport/'))).to.deep.equal([]);
  });

  it('importing kubewright/kinds loads no model class', async () => {
    expect((await loadedBy('./kinds.js')).filter((url) => heavy.test(url))).to.deep.equal([]);
  });
});
