// Runs the end-to-end and the kill tests against a real control plane: npm run test:real
// Where programs are missing and cannot be built, it says so, counts what was not run, and succeeds.
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePrograms, howToGet } from './build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
const suite = ['test/dist/e2e/**/*.test.js', 'test/dist/chaos/**/*.test.js'];
const options = { cwd: root, env: { ...process.env, KUBEWRIGHT_TEST_SERVER: 'real' } };

const { missing } = await ensurePrograms((line) => console.error(line)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
if (missing.length > 0) {
  const listing = execFileSync(process.execPath, [mocha, '--dry-run', '--reporter', 'json', ...suite], options);
  const { tests } = JSON.parse(listing.toString()).stats;
  console.log(howToGet(missing));
  console.log(`real control plane: ${tests} tests not run`);
} else {
  const { status } = spawnSync(process.execPath, [mocha, ...suite], { ...options, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
