// Samples of a project: created, read as a table and by their scale, and removed again.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { comparable, compare, compareRefusal, compareWarnings } from './fixtures-compare.mjs';

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const strict = 'fieldValidation=Strict&fieldManager=kubectl-create';

/** Where objects of a definition are; `scope` decides whether they are in the namespace of the fixtures. */
export function collectionOf(installed, definition, version) {
  const crd = installed.get(definition);
  const [plural, ...group] = definition.split('.');
  const namespaced = crd?.spec.scope !== 'Cluster';
  return { url: `/apis/${group.join('.')}/${version}${namespaced ? '/namespaces/fx' : ''}/${plural}`, namespaced };
}

/** The document of a file that a record is about. */
function documentOf(text, { version, kind, result }) {
  const all = parseAllDocuments(text).map((document) => document.toJS({ maxAliasCount: -1 }));
  const alike = all.filter((one) => one?.kind === kind && one.apiVersion?.endsWith(`/${version}`));
  return alike.find((one) => one.metadata?.name === result?.metadata.name) ?? alike[0] ?? all[0];
}

/** Differences of one sample; `x.post.yaml` is written onto the object that `x.pre.yaml` beside it makes. */
export async function runSample(api, { folder, file, expected, installed }) {
  const { url, namespaced } = collectionOf(installed, expected.crd, expected.version);
  const load = (name) => {
    const object = documentOf(readFileSync(path.join(folder, name), 'utf8'), expected);
    if (namespaced) object.metadata = { ...object.metadata, namespace: 'fx' };
    return object;
  };
  const object = load(file);
  const one = `${url}/${object.metadata?.name}`;
  try {
    const before = /^update of (.*)$/.exec(expected.operation ?? '')?.[1];
    const answer = before
      ? await replaced(api, { url, one, before: load(before), object })
      : await api.json('POST', `${url}?${strict}`, object);
    if (!expected.accepted) {
      const refused = compareRefusal(answer, expected);
      if (refused.length > 0 || !expected.lenient) return refused;
      const lenient = await api.json('POST', `${url}?${strict.replace('Strict', 'Warn')}`, object);
      return compareAccepted(api, { answer: lenient, expected: expected.lenient, url });
    }
    return await compareAccepted(api, { answer, expected, url });
  } finally {
    if (object.metadata?.name) await erase(api, one);
  }
}

async function replaced(api, { url, one, before, object }) {
  const { body, code, text } = await api.json('POST', `${url}?${strict}`, before);
  if (code !== 201) return { code, text, body, warnings: [] };
  object.metadata.resourceVersion = body.metadata.resourceVersion;
  return api.json('PUT', `${one}?${strict}`, object);
}

async function compareAccepted(api, { answer, expected, url }) {
  const { code, body, text } = answer;
  if (code !== expected.code) return compare('code', `${code} ${text}`, expected.code);
  const differences = [
    ...compare('object', comparable(withoutChance(body)), expected.result),
    ...compareWarnings(answer, expected.warnings),
  ];
  const one = `${url}/${body.metadata.name}`;
  if (expected.table) differences.push(...(await compareTable(api, one, expected.table)));
  if (expected.scale) {
    const scale = await api.json('GET', `${one}/scale`);
    differences.push(...compare('scale', scale.body && comparable(scale.body), expected.scale));
  }
  return differences;
}

async function compareTable(api, one, expected) {
  const { body } = await api.json('GET', one, undefined, { accept: tableType });
  const columns = (body?.columnDefinitions ?? []).map(({ name, type, format, priority }) => ({
    name,
    type,
    format,
    priority,
  }));
  const ages = new Set(expected.cells.flatMap((cell, i) => (cell === '<age>' ? [i] : [])));
  const cells = (body?.rows?.[0]?.cells ?? []).map((cell, i) =>
    ages.has(i) && /^\d+[smhd]/.test(cell) ? '<age>' : cell,
  );
  const random = body?.rows?.[0]?.object?.metadata;
  if (random?.generateName && cells[0] === random.name) cells[0] = `${random.generateName}<random>`;
  return [...compare('columns', columns, expected.columns), ...compare('cells', cells, expected.cells)];
}

/** A generated name as records show it. */
function withoutChance(object) {
  const { generateName, name } = object.metadata;
  if (!generateName || !name.startsWith(generateName)) return object;
  return { ...object, metadata: { ...object.metadata, name: `${generateName}<random>` } };
}

/** Deletes an object, finalizers or not. */
export async function erase(api, one) {
  const { body, code } = await api.json('DELETE', one);
  if (code !== 200 || !body?.metadata?.finalizers) return;
  const value = { metadata: { finalizers: null } };
  await api.json('PATCH', one, value, { type: 'application/merge-patch+json' });
}
