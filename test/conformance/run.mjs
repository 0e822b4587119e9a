// Runs the black-box conformance suite against the embedded server: npm run test:conformance
// The suite is a folder of its own (KUBEWRIGHT_CONFORMANCE_DIR, or ../shared/conformance beside the checkout); where it
// is absent this says so and succeeds. not-passing.txt lists the checks that may still fail, and may only get shorter.
// With KUBEWRIGHT_TEST_SERVER=real the suite runs on a real control plane, where every check must pass.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { EmbeddedServer } from '../dist/support/embedded-server.js';
import { findKubectls } from '../dist/support/kubectl.js';
import { startRealCluster } from '../dist/support/real-cluster.js';
import { serverKind } from '../dist/support/servers.js';
import { judge, readIds } from './judge.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const listFile = path.join(here, 'not-passing.txt');

/** The suite needs RBAC with a user that has no role, and workload controllers, but neither scheduler nor kubelet. */
async function startServer(folder) {
  if (serverKind === 'real') return startRealCluster({ nodes: 0 });
  const users = path.join(folder, 'users.csv');
  await writeFile(users, 'u-token,u,u,"system:authenticated"\n');
  const controllers = 'deployment,replicaset';
  return EmbeddedServer.start({ args: ['--auth', 'rbac', '--users', users, '--controllers', controllers] });
}

/** Runs the suite in a process of its own and returns its report. */
async function runSuite(suite, kubeconfig) {
  const { found } = await findKubectls();
  const [kubectl] = found;
  const matrix = found.filter(({ file }) => /kubectl\.1\.\d+$/.test(file));
  const env = {
    ...process.env,
    ...(serverKind === 'embedded' && { CONFORMANCE_COMPACT_PATH: '/_embedded/compact' }),
    ...(kubectl && { KUBECTL: kubectl.file }),
    ...(matrix.length > 0 && { CONFORMANCE_KUBECTL_DIR: path.dirname(matrix[0].file) }),
  };
  const args = [path.join(suite, 'run.mjs'), '--kubeconfig', kubeconfig, '--json', ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}

const beside = path.resolve(here, '../../../shared/conformance');
const suite = process.env.KUBEWRIGHT_CONFORMANCE_DIR || beside;
if (!existsSync(path.join(suite, 'run.mjs'))) {
  console.log(`conformance: not run, there is no suite in ${suite} (KUBEWRIGHT_CONFORMANCE_DIR names another folder)`);
} else {
  const folder = await mkdtemp(path.join(tmpdir(), 'kubewright-conformance-'));
  const server = await startServer(folder);
  try {
    // As JSON the suite reads it by itself; YAML would need a kubectl.
    const kubeconfig = path.join(folder, 'kubeconfig.json');
    await writeFile(kubeconfig, JSON.stringify(parse(await readFile(server.kubeconfigPath, 'utf8'))), { mode: 0o600 });
    const { results } = await runSuite(suite, kubeconfig);
    const mayFail = serverKind === 'real' ? new Set() : readIds(readFileSync(listFile, 'utf8'));
    const { lines, wrong } = judge(results, mayFail);
    console.log(lines.join('\n'));
    process.exitCode = wrong > 0 ? 1 : 0;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
