// Runs the fixtures of real projects against the embedded server: node test/conformance/fixtures.mjs [project …]
// CustomResourceDefinitions, samples and validation cases of real projects, beside the recorded answers of a real server. The
// folder is KUBEWRIGHT_FIXTURES_DIR, or ../shared/fixtures beside the checkout; where it is absent this says so and succeeds.
// fixtures-differing.txt lists the cases that may still differ, and may only get shorter.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EmbeddedServer } from '../dist/support/embedded-server.js';
import { startRealCluster } from '../dist/support/real-cluster.js';
import { serverKind } from '../dist/support/servers.js';
import { Api } from './fixtures-api.mjs';
import { runProject } from './fixtures-project.mjs';
import { readIds } from './judge.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = process.env.KUBEWRIGHT_FIXTURES_DIR || path.resolve(here, '../../../shared/fixtures');
const expectedFile = path.join(folder, 'expected.json');

if (!existsSync(expectedFile)) {
  console.log(`fixtures: 0 run, there is no ${expectedFile} (KUBEWRIGHT_FIXTURES_DIR names another folder)`);
} else {
  const { projects } = JSON.parse(readFileSync(expectedFile, 'utf8'));
  const only = process.argv.slice(2);
  const server =
    serverKind === 'real'
      ? await startRealCluster({ nodes: 0 })
      : await EmbeddedServer.start({ args: ['--auth', 'rbac'] });
  try {
    const api = new Api(readFileSync(server.kubeconfigPath, 'utf8'));
    await api.json('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fx' } });
    const results = [];
    for (const [name, project] of Object.entries(projects)) {
      if (only.length === 0 || only.includes(name)) results.push(...(await runProject(api, { name, project, folder })));
    }
    const listed = readIds(readFileSync(path.join(here, 'fixtures-differing.txt'), 'utf8'));
    report(results, serverKind === 'real' ? new Set() : listed);
  } finally {
    await server.stop();
  }
}

function report(results, mayDiffer) {
  for (const { id, differences } of results) {
    const differs = differences.length > 0;
    if (differs === mayDiffer.has(id)) {
      if (differs) console.log(`not yet: ${id}`);
      continue;
    }
    process.exitCode = 1;
    if (differs) console.log(`FAIL ${id}\n    ${differences.join('\n    ')}`);
    else console.log(`FAIL ${id} answers as recorded now: take it off test/conformance/fixtures-differing.txt`);
  }
  const passed = results.filter(({ differences }) => differences.length === 0).length;
  console.log(`fixtures: ${passed} passed of ${results.length}`);
}
