#!/usr/bin/env node
// Go modules of Kubernetes → src/schema/builtin.json: the schemas of the built-in kinds as facts only (names, types, formats,
// required, enums, defaults, list and map types, patch strategies and merge keys). `--check` compares instead of writing.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { GoTypes, MODULES, moduleFolders } from './go-modules.mjs';
import { linesOf, writeOrCheck } from './generated-file.mjs';
import { servedKinds } from './served-kinds.mjs';

const KEPT = [
  'format',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
];
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Any object, owned as a whole. */
const RAW = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' };
const SPECIAL = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string', format: 'quantity' },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': RAW,
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': { 'x-kubernetes-preserve-unknown-fields': true },
  [`${META}.FieldsV1`]: RAW,
  [`${META}.Time`]: { type: 'string', format: 'date-time' },
  [`${META}.MicroTime`]: { type: 'string', format: 'date-time-micro' },
};
/** JSON forms that are one of two types; the schema says so by its absence of type. */
const EITHER = ['JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'];

function definitions(folder) {
  const all = {};
  for (const file of readdirSync(folder).sort()) {
    const document = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    Object.assign(all, document.components?.schemas);
  }
  return all;
}

const refOf = (node) => (node.$ref ?? node.allOf?.[0]?.$ref)?.split('/').at(-1);
const isZero = (value) =>
  value === '' || value === 0 || value === false || (typeof value === 'object' && Object.keys(value).length === 0);

class Compactor {
  constructor(source, go) {
    this.source = source;
    this.go = go;
    this.result = {};
  }

  add(name) {
    if (this.result[name]) return;
    if (SPECIAL[name]) {
      this.result[name] = SPECIAL[name];
      return;
    }
    if (EITHER.some((end) => name.endsWith(`.${end}`))) {
      this.result[name] = { 'x-kubernetes-preserve-unknown-fields': true };
      return;
    }
    const from = this.source[name];
    if (!from) throw new Error(`no OpenAPI definition ${name}`);
    const out = (this.result[name] = {});
    Object.assign(out, this.node(from, undefined, name));
    const fields = this.go.fields(name);
    for (const [key, property] of Object.entries(from.properties ?? {})) {
      out.properties ??= {};
      out.properties[key] = this.node(property, fields[key], name);
    }
  }

  node(from, field, owner) {
    const out = {};
    const ref = refOf(from);
    if (ref) out.$ref = ref;
    else if (from.type) out.type = from.type;
    for (const key of KEPT) if (from[key] !== undefined) out[key] = from[key];
    if (from.required) out.required = from.required;
    if (from.items) out.items = this.node(from.items, undefined, owner);
    if (from.additionalProperties) out.additionalProperties = this.node(from.additionalProperties, undefined, owner);
    if (field) this.facts(out, from, field, ref);
    if (ref) this.add(ref);
    return out;
  }

  /** What the Go declaration adds: enums, names of scalar types, and what an absent value looks like when written. */
  facts(out, from, field, ref) {
    const pointer = field.type.startsWith('*');
    const element = field.type.replace(/^(\*|\[\])+/, '');
    const at = this.go.locate(element, field.inside);
    const owner = at && this.go.package(at.package);
    const values = owner?.enums[at.name];
    if (values) (out.type === 'array' ? out.items : out).enum = values;
    if (owner?.named[at.name] && out.type !== 'array' && !ref)
      out['x-go-type'] = `${at.package.split('.').at(-1)}.${at.name}`;
    // What a pointer defaults to is not what Go writes for it; such defaults are those of the kinds.
    if (!pointer && from.default !== undefined && !isZero(from.default)) out.default = from.default;
    if (pointer && out.type && out.type !== 'object') out['x-go-pointer'] = true;
    else if (!pointer && out.default === undefined) {
      const empty = this.written(out, field, ref);
      if (empty === null) out['x-go-null'] = true;
      else if (empty !== undefined) out.default = empty;
    }
  }

  /** What Go writes for a member nobody set: undefined = nothing. */
  written(out, field, ref) {
    if (field.omitZero) return undefined;
    if (ref?.endsWith('Time')) return null;
    if (ref?.endsWith('.Quantity')) return '0';
    if (ref?.endsWith('.IntOrString') || ref?.endsWith('.FieldsV1')) return undefined;
    if (ref?.endsWith('.RawExtension') || ref?.endsWith('.JSON')) return null;
    if (ref && !field.type.startsWith('[]') && !field.type.startsWith('map[')) return {};
    if (field.omitEmpty) return undefined;
    return {
      string: out.format === 'byte' ? null : '',
      integer: 0,
      number: 0,
      boolean: false,
      array: null,
      object: null,
    }[out.type];
  }
}

const folders = moduleFolders();
if (!folders) {
  console.log('skipped: no Go toolchain');
} else {
  const source = definitions(path.join(folders['k8s.io/kubernetes'], 'api', 'openapi-spec', 'v3'));
  const kinds = new Map();
  for (const [name, node] of Object.entries(source)) {
    const known = node['x-kubernetes-group-version-kind'] ?? [];
    if (known.length === 1)
      kinds.set(`${known[0].group ? `${known[0].group}/` : ''}${known[0].version}/${known[0].kind}`, name);
  }
  const compact = new Compactor(source, new GoTypes(folders));
  const roots = {};
  for (const [version, kind] of servedKinds) {
    const name = kinds.get(`${version}/${kind}`);
    if (!name) throw new Error(`no definition of ${version} ${kind}`);
    roots[`${version}/${kind}`] = name;
    compact.add(name);
  }
  compact.add(`${META}.DeleteOptions`);
  compact.add(`${META}.ListMeta`);
  const text = linesOf({ source: MODULES, kinds: roots }, 'definitions', compact.result);
  process.exitCode = writeOrCheck(new URL('../src/schema/builtin.json', import.meta.url), text, process.argv);
}
