#!/usr/bin/env node
// Go modules of Kubernetes → src/codec/proto-table.json (format: src/codec/proto-format.ts). Numbers and wire types come from
// the .proto files, JSON names and pointers from the struct tags. `--check` compares instead of writing.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GoTypes, MODULES, moduleFolders } from './go-modules.mjs';
import { linesOf, writeOrCheck } from './generated-file.mjs';
import { servedKinds } from './served-kinds.mjs';

const META = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const SPECIAL = {
  'k8s.io.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': 'intorstring',
  'k8s.io.apimachinery.pkg.runtime.RawExtension': 'raw',
  [`${META}.FieldsV1`]: 'raw',
  [`${META}.Time`]: 'time',
  [`${META}.MicroTime`]: 'microtime',
  [`${META}.Duration`]: 'duration',
};
const SCALARS = { int32: 'int', int64: 'int', uint32: 'int', uint64: 'int', sint32: 'sint', sint64: 'sint' };
const PLAIN = new Set(['string', 'bytes', 'bool', 'double', 'float', 'fixed32', 'fixed64']);
const CRD_PROTO = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1';
/** Kinds whose package is not below k8s.io.api. */
const ELSEWHERE = {
  CustomResourceDefinition: CRD_PROTO,
  APIService: 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1',
  DeleteOptions: META,
};
const goName = (name) => name.replace(/^k8s\.io\.(apiextensions|kube)_/, 'k8s.io.$1-').replace(/^k8s\.io\./, 'io.k8s.');
Object.assign(SPECIAL, {
  [`${CRD_PROTO}.JSON`]: 'raw',
  [`${CRD_PROTO}.JSONSchemaPropsOrArray`]: 'schema-or-array',
  [`${CRD_PROTO}.JSONSchemaPropsOrBool`]: 'schema-or-bool',
  [`${CRD_PROTO}.JSONSchemaPropsOrStringArray`]: 'schema-or-strings',
});

const folders = moduleFolders();
if (!folders) {
  console.log('skipped: no Go toolchain');
} else {
  process.exitCode = main();
}

function main() {
  const go = new GoTypes(folders);
  const files = new Map();
  const messages = {};
  const kinds = {};

  const fileOf = (pack) => {
    if (!files.has(pack)) {
      const module = Object.keys(MODULES).find((name) =>
        pack.startsWith(`${name.replace('/', '.').replace('-', '_')}.`),
      );
      const inside = pack.slice(module.length + 1).split('.');
      files.set(pack, readProto(path.join(folders[module], ...inside, 'generated.proto')));
    }
    return files.get(pack);
  };

  const add = (name) => {
    if (messages[name]) return;
    const cut = name.lastIndexOf('.');
    const goPackage = goName(name.slice(0, cut));
    const wrapper = go.package(goPackage)?.named[name.slice(cut + 1)] === '[]string';
    if (SPECIAL[name] || wrapper) {
      messages[name] = SPECIAL[name] ?? 'list';
      return;
    }
    const pack = name.slice(0, cut);
    const proto = fileOf(pack)[name.slice(cut + 1)];
    if (!proto) throw new Error(`no message ${name}`);
    const tags = go.struct(`${goPackage}.${name.slice(cut + 1)}`) ?? [];
    const out = (messages[name] = {});
    for (const field of proto) {
      const tag = tags.find((candidate) => candidate.number === field.number);
      if (!tag) throw new Error(`no struct tag for ${name}.${field.name}`);
      const type = qualified(field.type, pack);
      const kept = tag.type.startsWith('*') || (!tag.omitEmpty && !tag.omitZero && !tag.inline);
      const flags = `${field.repeated ? 'r' : ''}${kept && !field.repeated && !field.map ? 'p' : ''}${tag.inline ? 'i' : ''}`;
      out[field.number] = [tag.json, field.map ? `map<${type}>` : type, ...(flags ? [flags] : [])];
      if (type.includes('.')) add(type);
    }
  };

  for (const [version, kind] of [...servedKinds, ['v1', 'DeleteOptions']]) {
    const [group, number] = version.includes('/') ? version.split('/') : ['core', version];
    const name = `${ELSEWHERE[kind] ?? `k8s.io.api.${group.split('.')[0]}.${number}`}.${kind}`;
    kinds[`${version}/${kind}`] = name;
    add(name);
  }
  const text = linesOf({ source: MODULES, kinds }, 'messages', messages);
  return writeOrCheck(new URL('../src/codec/proto-table.json', import.meta.url), text, process.argv);
}

function qualified(type, pack) {
  if (SCALARS[type]) return SCALARS[type];
  if (PLAIN.has(type)) return type;
  return type.startsWith('.') ? type.slice(1) : type.includes('.') ? type : `${pack}.${type}`;
}

/** Message name → fields of one .proto file. */
function readProto(file) {
  const messages = {};
  let current;
  for (const raw of readFileSync(file, 'utf8').split('\n')) {
    const line = raw.trim();
    const open = /^message (\w+) \{$/.exec(line);
    if (open) current = messages[open[1]] = [];
    else if (line === '}') current = undefined;
    if (!current || line.startsWith('//')) continue;
    const map = /^map<string, ([\w.]+)> (\w+) = (\d+)/.exec(line);
    const plain = /^(optional|repeated) ([\w.]+) (\w+) = (\d+)/.exec(line);
    if (map) current.push({ type: map[1], name: map[2], number: Number(map[3]), map: true, repeated: false });
    else if (plain)
      current.push({
        type: plain[2],
        name: plain[3],
        number: Number(plain[4]),
        map: false,
        repeated: plain[1] === 'repeated',
      });
  }
  return messages;
}
