// Finds Go modules and reads struct declarations out of Go source: field names, JSON and protobuf tags, enum constants.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The release whose facts are taken. Staging modules have the same numbers with major 0. */
export const KUBERNETES = 'v1.37.2';
const STAGING = KUBERNETES.replace(/^v1/, 'v0');

/** Module path → version. */
export const MODULES = {
  'k8s.io/api': STAGING,
  'k8s.io/apiextensions-apiserver': STAGING,
  'k8s.io/apimachinery': STAGING,
  'k8s.io/kube-aggregator': STAGING,
  'k8s.io/kubernetes': KUBERNETES,
};

/** Answers the folder of each module, or undefined when there is no Go toolchain. */
export function moduleFolders() {
  if (spawnSync('go', ['version']).error) return undefined;
  const folders = {};
  for (const [module, version] of Object.entries(MODULES)) {
    const run = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`go mod download ${module}@${version} failed: ${run.stderr || run.stdout}`);
    folders[module] = JSON.parse(run.stdout).Dir;
  }
  return folders;
}

const isSource = (file) => file.endsWith('.go') && !file.endsWith('_test.go') && !/^(zz_|generated)/.test(file);

/**
 * Reads one Go package: `structs` (name → fields), `named` (name → underlying type text), `enums` (name of a type marked
 * `+enum` → constants).
 */
export function readGoPackage(folder) {
  const structs = {};
  const named = {};
  const marked = new Set();
  const constants = {};
  for (const file of readdirSync(folder).filter(isSource).sort()) {
    let struct;
    let comment = [];
    let inConst = false;
    for (const raw of readFileSync(path.join(folder, file), 'utf8').split('\n')) {
      const line = raw.trim();
      if (struct) {
        if (line === '}') struct = undefined;
        else addField(struct, line);
        continue;
      }
      if (line.startsWith('//')) {
        comment.push(line);
        continue;
      }
      const open = /^type (\w+) struct \{$/.exec(line);
      const other = /^type (\w+) ([\w.[\]*]+)$/.exec(line);
      if (open) struct = structs[open[1]] = [];
      else if (other) {
        named[other[1]] = other[2];
        if (comment.some((text) => /^\/\/ *\+enum\b/.test(text))) marked.add(other[1]);
      }
      if (/^const \($/.test(line)) inConst = true;
      else if (line === ')') inConst = false;
      const constant = /^(?:const )?\w+\s+(\w+)\s*=\s*"([^"]*)"/.exec(line);
      if (constant && (inConst || line.startsWith('const '))) (constants[constant[1]] ??= []).push(constant[2]);
      comment = line === '' && comment.length ? comment : [];
    }
  }
  const enums = Object.fromEntries(
    [...marked]
      .filter((n) => constants[n])
      .map((n) => [n, [...new Set(constants[n])].sort((a, b) => (a < b ? -1 : 1))]),
  );
  return { structs, named, enums };
}

function addField(fields, line) {
  const match = /^(?:(\w+)\s+)?([\w.[\]*]+)\s*`([^`]*)`/.exec(line);
  if (!match) return;
  const [, name, type, tags] = match;
  const tag = (key) => new RegExp(`${key}:"([^"]*)"`).exec(tags)?.[1];
  const json = tag('json');
  if (json === undefined || json === '-') return;
  const [jsonName, ...options] = json.split(',');
  const number = /,(\d+),/.exec(tag('protobuf') ?? '')?.[1];
  fields.push({
    goName: name ?? type.replace(/^\*/, '').split('.').at(-1),
    type,
    json: jsonName,
    inline: jsonName === '',
    omitEmpty: options.includes('omitempty'),
    omitZero: options.includes('omitzero'),
    number: number && Number(number),
  });
}

const PREFIX = [
  ['io.k8s.apimachinery.pkg.', 'k8s.io/apimachinery', 'pkg'],
  ['io.k8s.apiextensions-apiserver.pkg.', 'k8s.io/apiextensions-apiserver', 'pkg'],
  ['io.k8s.kube-aggregator.pkg.', 'k8s.io/kube-aggregator', 'pkg'],
  ['io.k8s.api.', 'k8s.io/api', ''],
];

/** Looks structs up by OpenAPI definition name (`io.k8s.api.core.v1.Pod`). */
export class GoTypes {
  #packages = new Map();
  constructor(folders) {
    this.folders = folders;
  }

  package(name) {
    const known = this.#packages.get(name);
    if (known) return known;
    const rule = PREFIX.find(([prefix]) => `${name}.`.startsWith(prefix));
    if (!rule) return undefined;
    const [prefix, module, sub] = rule;
    const folder = path.join(this.folders[module], sub, ...name.slice(prefix.length).split('.'));
    const read = readGoPackage(folder);
    this.#packages.set(name, read);
    return read;
  }

  /** Package name and type name of a definition, or of a Go type text seen inside package `inside`. */
  locate(type, inside) {
    const bare = type.replace(/^\*/, '');
    if (!bare.includes('.')) return { package: inside, name: bare };
    const [alias, name] = bare.split('.');
    const known = {
      metav1: 'io.k8s.apimachinery.pkg.apis.meta.v1',
      runtime: 'io.k8s.apimachinery.pkg.runtime',
      resource: 'io.k8s.apimachinery.pkg.api.resource',
      intstr: 'io.k8s.apimachinery.pkg.util.intstr',
      types: 'io.k8s.apimachinery.pkg.types',
      v1: 'io.k8s.api.core.v1',
      corev1: 'io.k8s.api.core.v1',
      api: 'io.k8s.api.core.v1',
      authenticationv1: 'io.k8s.api.authentication.v1',
    }[alias];
    return known ? { package: known, name } : undefined;
  }

  struct(definition) {
    const cut = definition.lastIndexOf('.');
    return this.package(definition.slice(0, cut))?.structs[definition.slice(cut + 1)];
  }

  /** Fields by JSON name, inline members taken in; each says which package its type text belongs to. */
  fields(definition) {
    const cut = definition.lastIndexOf('.');
    const inside = definition.slice(0, cut);
    const result = {};
    for (const field of this.struct(definition) ?? []) {
      if (!field.inline) {
        result[field.json] = { ...field, inside };
        continue;
      }
      const at = this.locate(field.type, inside);
      if (at) Object.assign(result, this.fields(`${at.package}.${at.name}`));
    }
    return result;
  }
}
