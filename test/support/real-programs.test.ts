import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { temporaryFolder } from './leftovers.js';
import { inRepository } from './paths.js';
import { loadRecipe } from './recipe.js';

const { cacheFolder, kubernetesVersion, locatePrograms, modules, withLock } = await loadRecipe();
const everything = modules.flatMap(({ makes }) => Object.keys(makes));

/** Runs a script of the recipe where there is no Go toolchain on the path. */
function withoutGo(
  script: string,
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [inRepository(script)], { env: { ...env, PATH: '' } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('programs of the real control plane', function () {
  this.timeout(60_000);
  let cache: string;
  beforeEach(async () => {
    cache = await temporaryFolder('cache');
  });

  const fillCache = async (versionOf: (module: { version: string }) => string): Promise<void> => {
    const stamps: Record<string, string> = {};
    for (const module of modules) {
      for (const file of Object.keys(module.makes)) {
        await writeFile(path.join(cache, file), '');
        stamps[file] = versionOf(module);
      }
    }
    await writeFile(path.join(cache, 'built.json'), JSON.stringify(stamps));
  };

  it('lie outside the checkout unless a folder is named', () => {
    expect(cacheFolder({ KUBEWRIGHT_CACHE: '/some/where' })).to.equal('/some/where');
    expect(cacheFolder({ XDG_CACHE_HOME: '/xdg' })).to.equal(`/xdg/kubewright/kubernetes-${kubernetesVersion}`);
    expect(cacheFolder({})).to.not.contain(inRepository(''));
  });

  it('are taken from the cache when they were built from the versions of go.mod', async () => {
    await fillCache(({ version }) => version);
    const { found, missing } = locatePrograms({ KUBEWRIGHT_CACHE: cache });
    expect(missing).to.deep.equal([]);
    expect(found).to.have.all.keys(everything);
  });

  it('are missing when they were built from other versions', async () => {
    await fillCache(() => 'v0.0.1');
    expect(locatePrograms({ KUBEWRIGHT_CACHE: cache }).missing).to.deep.equal(everything);
  });

  it('are taken from KUBEBUILDER_ASSETS first, the others from the cache', async () => {
    await fillCache(({ version }) => version);
    const assets = path.join(cache, 'assets');
    await mkdir(assets);
    await writeFile(path.join(assets, 'etcd'), '');
    const { found } = locatePrograms({ KUBEWRIGHT_CACHE: cache, KUBEBUILDER_ASSETS: assets });
    expect(found['etcd']).to.equal(path.join(assets, 'etcd'));
    expect(found['kube-apiserver']).to.equal(path.join(cache, 'kube-apiserver'));
  });

  it('that cannot be built without Go are reported by name, with the two ways to get them', async () => {
    const assets = path.join(cache, 'assets');
    await mkdir(assets);
    await writeFile(path.join(assets, 'etcd'), '');
    const env = { KUBEWRIGHT_CACHE: cache, KUBEBUILDER_ASSETS: assets };
    const { code, stdout, stderr } = await withoutGo('test/real/build.mjs', env);
    expect(code).to.equal(0);
    expect(stdout).to.equal(`etcd ${assets}/etcd\n`);
    expect(stderr).to.contain('not available: kwok, kwok-stages.yaml, kube-apiserver,');
    expect(stderr).to.contain('Install Go').and.to.contain('KUBEBUILDER_ASSETS');
  });

  it('without them the real suite is not run, is counted, and succeeds', async () => {
    const { code, stdout } = await withoutGo('test/real/run.mjs', { KUBEWRIGHT_CACHE: cache });
    expect(stdout).to.match(/not available: etcd/);
    expect(stdout).to.match(/^real control plane: [1-9]\d* tests not run$/m);
    expect(code).to.equal(0);
  });
});

describe('the lock between builders', function () {
  this.timeout(60_000);
  it('lets the second one work only when the first is done', async () => {
    const file = path.join(await temporaryFolder('lock'), '.lock');
    const seen: string[] = [];
    const told = Promise.withResolvers<void>();
    const first = withLock(
      file,
      () => {},
      async () => {
        seen.push('first begins');
        await told.promise;
        seen.push('first ends');
      },
    );
    const wait = (): void => {
      seen.push('second waits');
      told.resolve();
    };
    await Promise.all([first, withLock(file, wait, async () => seen.push('second'))]);
    expect(seen).to.deep.equal(['first begins', 'second waits', 'first ends', 'second']);
    expect(existsSync(file)).to.equal(false);
  });

  it('is taken from a builder that no longer touches it', async () => {
    const file = path.join(await temporaryFolder('lock'), '.lock');
    await writeFile(file, '');
    await utimes(file, new Date(0), new Date(0));
    expect(
      await withLock(
        file,
        () => {},
        async () => 'worked',
      ),
    ).to.equal('worked');
  });

  it('is let go when the work fails', async () => {
    const file = path.join(await temporaryFolder('lock'), '.lock');
    const fault = await withLock(
      file,
      () => {},
      () => Promise.reject(new Error('no space')),
    ).catch(String);
    expect(fault).to.equal('Error: no space');
    expect(existsSync(file)).to.equal(false);
  });
});
