// Builds the end-to-end suite of the Kubernetes project from its Go module, into the folder of the real control plane.
// The first build takes about ten minutes on two cores; later ones are not needed until go.mod names another version.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from '../real/lock.mjs';
import { cacheFolder, kubernetesVersion, readStamps } from '../real/programs.mjs';

const NAME = 'e2e.test';
const module = path.join(path.dirname(fileURLToPath(import.meta.url)), 'suite');

function compile(output) {
  const args = ['test', '-c', '-vet=off', '-trimpath', '-ldflags', '-s -w', '-o', output, 'k8s.io/kubernetes/test/e2e'];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
    const child = spawn('go', args, { cwd: module, env, stdio: ['ignore', 'inherit', 'inherit'] });
    const stop = () => child.kill();
    process.once('exit', stop);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', stop);
      if (code === 0) resolve();
      else reject(new Error(`go test -c failed in ${module} (exit ${code})`));
    });
  });
}

/** The built suite, or undefined where it is not built and there is no Go to build it with. */
export async function ensureSuite(say) {
  const cache = cacheFolder();
  const file = path.join(cache, NAME);
  const built = () => readStamps(cache)[NAME] === kubernetesVersion && existsSync(file);
  if (built()) return file;
  mkdirSync(cache, { recursive: true });
  const waiting = () => say('another build is running; waiting for it');
  try {
    await withLock(path.join(cache, '.lock'), waiting, async () => {
      if (built()) return;
      say(`building ${NAME} (k8s.io/kubernetes ${kubernetesVersion})`);
      const temporary = path.join(cache, `.${NAME}.building`);
      await compile(temporary);
      renameSync(temporary, file);
      const stamps = { ...readStamps(cache), [NAME]: kubernetesVersion };
      writeFileSync(path.join(cache, 'built.json'), `${JSON.stringify(stamps, null, 2)}\n`);
    });
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  return file;
}
