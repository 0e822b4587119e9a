// Validation cases of upstream projects: create, or create and update, each with the recorded outcome.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { comparable, compare, compareRefusal, compareWarnings } from './fixtures-compare.mjs';
import { collectionOf, erase } from './fixtures-samples.mjs';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const query = '?fieldValidation=Warn&fieldManager=kubectl-create';

/** Runs a suite's cases in the order of the file; answers `{ id, differences }` of each. */
export async function runSuite(api, { folder, file, expected, installed }) {
  const { tests } = parse(readFileSync(path.join(folder, file), 'utf8'));
  const place = { ...collectionOf(installed, expected.crd, expected.version), definition: expected.crd };
  const results = [];
  for (const [i, one] of (expected.onCreate ?? []).entries())
    results.push({
      id: `create-${i + 1}`,
      differences: await onCreate(api, place, { test: tests.onCreate[i], expected: one }),
    });
  for (const [i, one] of (expected.onUpdate ?? []).entries())
    results.push({
      id: `update-${i + 1}`,
      differences: await onUpdate(api, place, { test: tests.onUpdate[i], expected: one }),
    });
  return results;
}

/** Without a name an object is called `test`, or as the one it is compared with. */
function load(text, { namespaced }, like = { metadata: { name: 'test' } }) {
  const object = parse(text);
  object.metadata = { name: like.metadata.name, ...object.metadata, ...(namespaced && { namespace: 'fx' }) };
  return object;
}

async function onCreate(api, place, { test, expected }) {
  const object = load(test.initial, place);
  const answer = await api.json('POST', `${place.url}${query}`, object);
  const differences = judge(answer, expected, test.expected && load(test.expected, place, object));
  await erase(api, `${place.url}/${object.metadata.name}`);
  return differences;
}

async function onUpdate(api, place, { test, expected }) {
  const undo = test.initialCRDPatches ? await patchDefinition(api, place, test.initialCRDPatches) : undefined;
  const initial = load(test.initial, place);
  const one = `${place.url}/${initial.metadata.name}`;
  try {
    const created = await api.json('POST', `${place.url}${query}`, initial);
    const differences = judge(created, expected.create);
    if (created.code !== 201) return differences;
    let last = created;
    if (initial.status !== undefined) {
      const withStatus = { ...created.body, status: initial.status };
      last = await api.json('PUT', `${one}/status${query}`, withStatus);
    }
    await undo?.();
    const updated = load(test.updated, place, initial);
    const at = (version) => ({ ...updated, metadata: { ...updated.metadata, resourceVersion: version } });
    const wanted = test.expected && load(test.expected, place, initial);
    const answer = await api.json('PUT', `${one}${query}`, at(last.body.metadata.resourceVersion));
    differences.push(...judge(answer, expected.update, expected.status_update ? undefined : wanted));
    if (expected.status_update) {
      const written = await api.json('PUT', `${one}/status${query}`, at(answer.body.metadata?.resourceVersion));
      differences.push(...judge(written, expected.status_update, wanted));
    }
    return differences;
  } finally {
    await erase(api, one);
    await undo?.();
  }
}

/** Changes the definition and answers how to undo it; done twice it is undone once. */
async function patchDefinition(api, { definition }, patch) {
  const url = `${crds}/${definition}`;
  const { body: before } = await api.json('GET', url);
  const { code, text } = await api.json('PATCH', url, patch, { type: 'application/json-patch+json' });
  if (code !== 200) throw new Error(`the definition ${definition} refused its patch: ${text}`);
  let undone = false;
  return async () => {
    if (undone) return;
    undone = true;
    const { body } = await api.json('GET', url);
    await api.json('PUT', url, { ...body, spec: before.spec });
  };
}

function judge(answer, expected, wanted) {
  if (!expected.accepted) return compareRefusal(answer, expected);
  if (answer.code >= 300) return compare('code', `${answer.code} ${answer.text}`, 'accepted');
  const result = expected.result ?? wanted;
  const warned = compareWarnings(answer, expected.warnings);
  if (!result) return warned;
  const { generation: _generation, ...metadata } = comparable(answer.body).metadata;
  return [...warned, ...compare('object', { ...comparable(answer.body), metadata }, result)];
}
