import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { describe, it } from 'mocha';

/** Loads a module in a process of its own and answers what was loaded with it. */
async function loadedWith(url: string, then: string): Promise<string[]> {
  const script = `
    const loaded = [];
    require('node:module').registerHooks({
      resolve(specifier, context, next) {
        const result = next(specifier, context);
        loaded.push(result.url);
        return result;
      },
    });
    import(${JSON.stringify(url)}).then(async (runtime) => {
      ${then}
      console.log(JSON.stringify(loaded));
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return JSON.parse(stdout) as string[];
}

describe('imports', () => {
  const index = new URL('../index.js', import.meta.url).href;

  it('T5 importing the package, and loading a kubeconfig of an ordinary user, does not load client-node', async () => {
    const kubeconfig = {
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
      clusters: [{ name: 'c', cluster: { server: 'https://x' } }],
      users: [{ name: 'c', user: { token: 't' } }],
    };
    const load = `await runtime.loadCluster({ kubeConfig: ${JSON.stringify(kubeconfig)}, env: {}, clock: {}, logger: {} });`;
    const loaded = await loadedWith(index, load);
    expect(loaded.some((url) => url.includes('undici'))).to.equal(true);
    expect(
      loaded.filter((url) =>
        /client-node|reflect-metadata|inversify|decorators/.test(url.replace(/.*\/runtime\/dist\/.*/, '')),
      ),
    ).to.deep.equal([]);
  }).timeout(10_000);
});
