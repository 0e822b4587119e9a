import type { FuzzRequest } from './fuzz-seeds.js';

/** Numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const STRINGS = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '%',
  '%2e%2e',
  '%00',
  '%ff',
  'null',
  'true',
  '-1',
  '0',
  '1e309',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'é💥\u2028',
  '\u0000',
  '\ud800',
  'a'.repeat(300),
  'x'.repeat(5000),
  'a=b',
  'a==b,c!=d',
  '!a',
  'a in (',
  'a in (b,(c))',
  '(((',
  ',,,',
  '=',
  'a,!a',
  'a/b/c=d',
  'metadata.name=a,spec.size=m',
  'metadata.name',
  '2025-01-01T00:00:00Z',
  '{}',
  '[]',
  '10m',
  '1Ei',
  '-5%',
  'All',
  '*',
  'system:masters',
  'status',
  'watch',
  'a',
  'default',
  'kube-system',
  '~0~1',
  '/metadata',
  '/spec/parts/-',
  '/spec/parts/99',
  String.raw`\d+(a+)+$`,
];
const NUMBERS = [0, -0, -1, 1, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, 65_536];
const PARAMETERS = [
  'watch',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'labelSelector',
  'fieldSelector',
  'timeoutSeconds',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'gracePeriodSeconds',
  'propagationPolicy',
  'orphanDependents',
  'includeObject',
  'timeout',
  'tailLines',
  'follow',
];
const KEYS = [
  'metadata',
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'spec',
  'status',
  'kind',
  'apiVersion',
  'items',
  '$patch',
  '$retainKeys',
  '$setElementOrder/containers',
  '$deleteFromPrimitiveList/finalizers',
  '__proto__',
  'constructor',
  'x-kubernetes-validations',
  'rule',
  'properties',
  'pattern',
  'default',
  'type',
  'op',
  'path',
  'from',
  'value',
  '',
];
const TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'text/plain',
  '',
  'application/json; charset=',
  ';',
  '*/*',
];
const ACCEPTS = [
  '*/*',
  '',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/vnd.kubernetes.protobuf,application/json',
  'application/json;as=Table;v=v9;g=x',
  'text/html',
  'application/json;stream=watch',
  ';;;,,,q=2',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

/** Changes requests at random: paths, queries, headers, bodies of any kind. */
export class Mutator {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  /** A copy of `seed` with one to four changes. */
  mutate(seed: FuzzRequest): FuzzRequest {
    const request: FuzzRequest = {
      ...seed,
      query: seed.query.map(([key, value]) => [key, value]),
      headers: seed.headers.map(([key, value]) => [key, value]),
    };
    for (let left = 1 + this.below(4); left > 0; left--) this.#change(request);
    return request;
  }

  #change(request: FuzzRequest): void {
    const what = this.below(request.body ? 20 : 10);
    if (what < 3) this.#path(request);
    else if (what < 6) this.#query(request);
    else if (what < 8) this.#header(request);
    else if (what === 8) request.method = this.pick(METHODS);
    else if (what > 9 && request.body) request.body = this.#body(request.body);
  }

  #path(request: FuzzRequest): void {
    const parts = request.path.split('/');
    const at = this.below(parts.length);
    const how = this.below(5);
    const odd = this.pick(STRINGS);
    if (how === 0) parts.splice(at, 1);
    else if (how === 1) parts.splice(at, 0, parts[at] ?? '');
    else if (how === 2) parts[at] = encodeURIComponent(odd.toWellFormed());
    else if (how === 3) parts.push(encodeURIComponent(odd.toWellFormed()));
    // Not encoded, as careless clients do.
    else parts[at] = odd.replace(/[^!-~]/gu, '');
    request.path = parts.join('/');
  }

  #query(request: FuzzRequest): void {
    const known = request.query.length > 0 && this.below(2) === 0 ? this.pick(request.query) : undefined;
    const value = this.below(3) === 0 ? String(this.pick(NUMBERS)) : this.pick(STRINGS);
    if (known) known[1] = this.below(2) === 0 ? value : this.#text(known[1]);
    else request.query.push([this.pick(PARAMETERS), value]);
  }

  #header(request: FuzzRequest): void {
    const odd = this.pick(STRINGS).replace(/[^ -~]/gu, '');
    const name = this.pick([
      'Accept',
      'Accept',
      'Content-Type',
      'Content-Type',
      'Authorization',
      'Impersonate-User',
      'User-Agent',
      'Accept-Encoding',
      'Content-Encoding',
      'If-None-Match',
      'Upgrade',
      'Expect',
      'X-Forwarded-For',
    ]);
    const value = name === 'Accept' ? this.pick(ACCEPTS) : name === 'Content-Type' ? this.pick(TYPES) : odd;
    request.headers = [...request.headers.filter(([key]) => key !== name), [name, value]];
  }

  #body(body: Buffer): Buffer {
    const how = this.below(10);
    if (how < 6) {
      try {
        const text = JSON.stringify(this.#value(JSON.parse(body.toString()) as Json));
        return Buffer.from(text);
      } catch {
        // No JSON: its bytes are changed.
      }
    }
    if (how === 6) return body.subarray(0, this.below(body.length + 1));
    if (how === 7) return this.#nested(body);
    return this.#bytes(body);
  }

  #bytes(body: Buffer): Buffer {
    const bytes = Buffer.from(body);
    for (let left = 1 + this.below(8); left > 0 && bytes.length > 0; left--)
      bytes[this.below(bytes.length)] = this.below(256);
    return bytes;
  }

  /** Very deep structures, or a piece twice. */
  #nested(body: Buffer): Buffer {
    const depth = this.pick([50, 500, 20_000]);
    if (this.below(2) === 0)
      return Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},${body.toString().slice(1)}`);
    const at = this.below(body.length + 1);
    return Buffer.concat([body.subarray(0, at), body.subarray(this.below(at + 1))]);
  }

  #text(text: string): string {
    const at = this.below(text.length + 1);
    return text.slice(0, at) + this.pick(STRINGS) + text.slice(at + this.below(3));
  }

  #odd(): Json {
    const how = this.below(7);
    if (how < 3) return this.pick(STRINGS);
    if (how === 3) return this.pick(NUMBERS);
    return this.pick<Json>([null, true, {}, [], [null], { a: null }, { '': '' }, [[[]]], [{}], { name: 'a' }]);
  }

  /** Changes one place of a JSON value. */
  #value(value: Json): Json {
    if (typeof value !== 'object' || value === null || this.below(6) === 0) return this.#odd();
    if (Array.isArray(value)) {
      if (value.length === 0 || this.below(5) === 0) return [...value, ...value, this.#odd()];
      const at = this.below(value.length);
      return value.map((item, index) => (index === at ? this.#value(item) : item));
    }
    const entries = Object.entries(value);
    const how = this.below(10);
    if (entries.length === 0 || how === 0) return Object.fromEntries([...entries, [this.pick(KEYS), this.#odd()]]);
    const at = this.below(entries.length);
    if (how === 1) return Object.fromEntries(entries.filter((_, index) => index !== at));
    return Object.fromEntries(entries.map(([key, item], index) => [key, index === at ? this.#value(item) : item]));
  }
}
