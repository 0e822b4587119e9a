// Runs the end-to-end suite of the Kubernetes project (label sig-api-machinery) on the embedded server:
// npm run test:e2e-k8s [-- REGEXP]. With a regular expression only the tests whose names match it are run.
// Without Go it says so and succeeds. not-passing.txt lists the tests that may fail, each with its reason.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePrograms, howToGet } from '../real/build.mjs';
import { EmbeddedServer } from '../dist/support/embedded-server.js';
import { ensureSuite } from './build.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const LABEL = '[sig-api-machinery] ';
const SKIP = String.raw`\[Slow\]|\[Serial\]|\[Disruptive\]|\[Flaky\]|\[Feature:|Aggregator|AdmissionWebhook|CustomResourceConversionWebhook`;
/** Most tests wait most of the time, so slices run side by side on one server. */
const SLICES = [
  'Garbage collector|Generated clientset',
  'ResourceQuota should (create|apply|be able|manage)',
  'ResourceQuota (should verify|\\[FeatureGate)',
  'CustomResource|CRDValidation',
  'ServerSideApply|FieldValidation|Servers with support|AdmissionPolicy',
  'client-go should|Watchers|Server request|server version|StorageVersionMigration|Discovery|OpenAPIV3|health|OrderedNamespace',
  'API Streaming|API priority',
];
const LIMIT_MINUTES = 12;

/** Runs the tests whose names match; answers name → result of ginkgo. */
async function runSlice(focus, { suite, folder, kubeconfig, kubectl, skip }) {
  await mkdir(folder, { recursive: true });
  const args = [
    `--kubeconfig=${kubeconfig}`,
    '--provider=skeleton',
    '--node-schedulable-timeout=60s',
    '--ginkgo.no-color',
    `--ginkgo.timeout=${LIMIT_MINUTES}m`,
    '--ginkgo.json-report=report.json',
    `--ginkgo.focus=\\[sig-api-machinery\\].*(${focus})`,
    `--ginkgo.skip=${skip}`,
  ];
  const env = { ...process.env, PATH: `${path.dirname(kubectl)}${path.delimiter}${process.env.PATH}` };
  const child = spawn(suite, args, { cwd: folder, env, stdio: 'ignore' });
  const stop = () => child.kill();
  process.once('exit', stop);
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  process.off('exit', stop);
  const [report] = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
  const specs = (report.SpecReports ?? []).filter((spec) => spec.LeafNodeType === 'It' && spec.State !== 'skipped');
  return specs.map((spec) => ({
    name: [...spec.ContainerHierarchyTexts, spec.LeafNodeText].join(' ').replace(LABEL, ''),
    passed: spec.State === 'passed',
    why: spec.Failure?.Message?.split('\n')[0] ?? spec.State,
  }));
}

/** Names that may fail, and those of them that are not run. `#` begins a reason. */
function notPassing() {
  const text = readFileSync(path.join(here, 'not-passing.txt'), 'utf8');
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  const idle = lines.filter((line) => line.startsWith('wait ')).map((line) => line.slice('wait '.length));
  return { known: new Set(lines.filter((line) => !line.startsWith('wait '))), idle };
}

const literally = (name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function judge(results, known) {
  let wrong = 0;
  for (const { name, passed, why } of results) {
    if (passed === !known.has(name)) continue;
    wrong++;
    console.log(passed ? `FAIL ${name}\n    passes now: take it off not-passing.txt` : `FAIL ${name}\n    ${why}`);
  }
  console.log(`Kubernetes e2e: ${results.filter(({ passed }) => passed).length} passed of ${results.length}`);
  return wrong;
}

const say = (line) => console.error(line);
const { found, missing } = await ensurePrograms(say);
const suite = await ensureSuite(say);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
if (!suite || !found.kubectl) {
  console.log(`Kubernetes e2e: not run. ${howToGet(suite ? missing : ['e2e.test'])}`);
} else {
  const folder = await mkdtemp(path.join(tmpdir(), 'kubewright-e2e-k8s-'));
  const server = await EmbeddedServer.start();
  try {
    const only = process.argv[2];
    const { known, idle } = notPassing();
    const skip = [SKIP, ...idle.map((name) => `${literally(name)}( |$)`)].join('|');
    const slices = (only ? [only] : SLICES).map((focus, i) =>
      runSlice(focus, {
        suite,
        folder: path.join(folder, String(i)),
        kubeconfig: server.kubeconfigPath,
        kubectl: found.kubectl,
        skip,
      }),
    );
    const results = (await Promise.all(slices)).flat();
    // A name may match two slices.
    const byName = new Map(results.map((result) => [result.name, result]));
    process.exitCode = judge([...byName.values()], known) > 0 ? 1 : 0;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
