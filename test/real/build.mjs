// Builds a real control plane from its Go modules into a cache folder: node test/real/build.mjs
// What is already there, or named by KUBEBUILDER_ASSETS, is not built. A first build takes about ten minutes on two
// cores and 3 GB of Go cache; a later one seconds.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { withLock } from './lock.mjs';
import { cacheFolder, kubernetesVersion, locatePrograms, modules, readStamps } from './programs.mjs';

const GO_ENV = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };

/** Runs a Go command; resolves with what it printed, rejects with the end of what it complained about. */
function go(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, { cwd, env: GO_ENV, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = () => child.kill();
    process.once('exit', stop);
    let out = '';
    let complaint = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (complaint = (complaint + data).slice(-4_000)));
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', stop);
      if (code === 0) resolve(out.trim());
      else reject(new Error(`go ${args[0]} failed in ${cwd} (exit ${code}):\n${complaint.trim()}`));
    });
  });
}

/** Version of the Go toolchain, or undefined where there is none. */
export async function goVersion() {
  return go(['env', 'GOVERSION'], import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)).catch(
    (error) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
}

/** Linker flags: no symbol tables; Kubernetes programs must say their version, which is empty in a module build. */
function linkerFlags(module) {
  if (module.name !== 'kubernetes') return '-s -w';
  const [major, minor] = kubernetesVersion.slice(1).split('.');
  const set = { gitVersion: kubernetesVersion, gitMajor: major, gitMinor: minor };
  return [
    '-s -w',
    ...Object.entries(set).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`),
  ].join(' ');
}

/** Stages of simulated Pods and nodes as kwok ships them: fast Pods, nodes that keep a lease. */
async function writeStages(module, file) {
  const source = path.join(
    await go(['list', '-m', '-f', '{{.Dir}}', module.requires], module.folder),
    'kustomize/stage',
  );
  const documents = ['pod/fast', 'node/fast', 'node/heartbeat-with-lease'].flatMap((folder) =>
    readdirSync(path.join(source, folder))
      .filter((name) => /^(pod|node)-.*\.yaml$/.test(name))
      .map((name) => readFileSync(path.join(source, folder, name), 'utf8')),
  );
  writeFileSync(file, documents.join('\n---\n'));
}

/** Builds the given files of one module under temporary names, then renames each into the cache. */
async function buildModule(module, files, cache) {
  const temporary = mkdtempSync(path.join(cache, '.build-'));
  try {
    const packages = files.map((file) => module.makes[file]).filter(Boolean);
    if (packages.length > 0) {
      const output = module.name === 'etcd' ? path.join(temporary, 'etcd') : `${temporary}/`;
      await go(['build', '-trimpath', '-ldflags', linkerFlags(module), '-o', output, ...packages], module.folder);
    }
    if (files.includes('kwok-stages.yaml')) await writeStages(module, path.join(temporary, 'kwok-stages.yaml'));
    for (const file of files) renameSync(path.join(temporary, file), path.join(cache, file));
    const stamps = { ...readStamps(cache), ...Object.fromEntries(files.map((file) => [file, module.version])) };
    writeFileSync(path.join(temporary, 'built.json'), `${JSON.stringify(stamps, null, 2)}\n`);
    renameSync(path.join(temporary, 'built.json'), path.join(cache, 'built.json'));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Removes what a killed builder left behind. Called with the lock held, so no living builder owns any of it. */
function sweep(cache) {
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('.build-'))) {
    rmSync(path.join(cache, name), { recursive: true, force: true });
  }
}

/** Builds whatever is missing if there is a Go toolchain. Returns what `locatePrograms` then finds. */
export async function ensurePrograms(say = () => {}) {
  if (locatePrograms().missing.length === 0) return locatePrograms();
  const version = await goVersion();
  if (!version) return locatePrograms();
  const cache = cacheFolder();
  mkdirSync(cache, { recursive: true });
  const waiting = () => say(`another build is running (${path.join(cache, '.lock')}); waiting for it`);
  await withLock(path.join(cache, '.lock'), waiting, async () => {
    sweep(cache);
    for (const module of modules) {
      const files = locatePrograms().missing.filter((file) => file in module.makes);
      if (files.length === 0) continue;
      say(`building ${files.join(', ')} (${module.requires} ${module.version}, ${version})`);
      const start = Date.now();
      await buildModule(module, files, cache);
      say(`built ${files.join(', ')} in ${Math.round((Date.now() - start) / 1000)} s`);
    }
  });
  return locatePrograms();
}

/** One line for a reader who lacks programs: which ones, and the two ways to get them. */
export const howToGet = (missing) =>
  `not available: ${missing.join(', ')}. Install Go 1.26 or newer (they are then built, once), or name a folder that has them in KUBEBUILDER_ASSETS.`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  try {
    const { found, missing } = await ensurePrograms((line) => console.error(line));
    for (const [name, file] of Object.entries(found)) console.log(`${name} ${file}`);
    if (missing.length > 0) console.error(howToGet(missing));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
