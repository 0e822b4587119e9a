// The definitions of one project, and with them its samples and validation cases.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { compare, compareRefusal, compareWarnings, pointerDiff } from './fixtures-compare.mjs';
import { runSample } from './fixtures-samples.mjs';
import { runSuite } from './fixtures-suites.mjs';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const waitMs = 30_000;

/** Installs a project alone, runs all it has and removes it; answers `{ id, differences }` of each case. */
export async function runProject(api, { name, project, folder }) {
  const results = [];
  const installed = new Map();
  for (const [file, expected] of Object.entries(project.crds)) {
    const text = readFileSync(path.join(folder, 'crds', name, file), 'utf8');
    const differences = await runDefinition(api, { text, expected, installed });
    results.push({ id: `${name}/${file}`, differences });
  }
  const at = { folder: path.join(folder, 'samples', name), installed };
  for (const [file, expected] of Object.entries(project.samples ?? {}))
    results.push({ id: `${name}/${file}`, differences: await runSample(api, { ...at, file, expected }) });
  for (const [file, expected] of Object.entries(project.suites ?? {}))
    for (const result of await runSuite(api, { ...at, file, expected }))
      results.push({ ...result, id: `${name}/${file}#${result.id}` });
  for (const definition of installed.keys()) await remove(api, definition);
  return results;
}

async function runDefinition(api, { text, expected, installed }) {
  const created = await api.send('POST', `${crds}?fieldValidation=Strict&fieldManager=kubectl-create`, {
    body: text,
    type: 'application/yaml',
  });
  created.body = JSON.parse(created.text);
  if (created.code < 300) installed.set(created.body.metadata.name, created.body);
  if (!expected.accepted) return compareRefusal(created, expected);
  if (created.code !== 201) return compare('code', `${created.code} ${created.text}`, 201);
  const warned = expected.kubectl_warnings?.split('\n').map((line) => line.replace(/^Warning: /, ''));
  const stored = await established(api, expected.name);
  return [
    ...compareWarnings(created, warned),
    ...compareStored(stored, expected, specIn(text)),
    ...(await compareDiscovery(api, stored, expected)),
  ];
}

/** Quoted text of some files goes on without indentation, which our parser does not take but real servers do. */
function specIn(text) {
  try {
    return parse(text, { maxAliasCount: -1 }).spec;
  } catch {
    return parse(text.replace(/: '([^'\n]*\n[^']*)'/g, (all) => all.replaceAll('\n', `\n${' '.repeat(30)}`))).spec;
  }
}

function compareStored(stored, expected, inFile) {
  // The approval comes a moment after the rest, so some records lack it.
  const recorded = new Set(expected.conditions.map(({ type }) => type));
  const conditions = (stored.status.conditions ?? [])
    .filter(({ type }) => recorded.has(type) || type !== 'KubernetesAPIApprovalPolicyConformant')
    .map(({ lastTransitionTime: _time, observedGeneration: _seen, ...rest }) => rest)
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
  return [
    ...compare('conditions', conditions, expected.conditions),
    ...compare('storedVersions', stored.status.storedVersions, expected.storedVersions),
    ...compare('acceptedNames', stored.status.acceptedNames, expected.acceptedNames),
    ...compare('generation', stored.metadata.generation, expected.metadata_generation),
    ...compare('finalizers', stored.metadata.finalizers ?? null, expected.finalizers),
    ...compare('stored spec', pointerDiff({ spec: inFile }, { spec: stored.spec }), expected.stored_spec_diff),
  ];
}

async function compareDiscovery(api, stored, expected) {
  const got = {};
  for (const version of Object.keys(expected.discovery)) {
    const { body } = await api.json('GET', `/apis/${stored.spec.group}/${version}`);
    const { plural } = stored.spec.names;
    got[version] = (body?.resources ?? []).filter(({ name }) => name === plural || name.startsWith(`${plural}/`));
  }
  return compare('discovery', got, expected.discovery);
}

/** Waits until a definition is served. */
async function established(api, name) {
  const until = Date.now() + waitMs;
  for (;;) {
    const { body } = await api.json('GET', `${crds}/${name}`);
    const isTrue = body?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    if (isTrue) {
      const version = body.spec.versions.find(({ served }) => served);
      const list = `/apis/${body.spec.group}/${version?.name}/${body.spec.names.plural}?limit=1`;
      if (!version || (await api.send('GET', list)).code === 200) return body;
    }
    if (Date.now() > until) throw new Error(`${name} is not established after ${waitMs} ms`);
    await sleep(20);
  }
}

async function remove(api, name) {
  await api.json('DELETE', `${crds}/${name}`);
  const until = Date.now() + waitMs;
  while ((await api.send('GET', `${crds}/${name}`)).code !== 404) {
    if (Date.now() > until) throw new Error(`${name} is not gone after ${waitMs} ms`);
    await sleep(20);
  }
}
