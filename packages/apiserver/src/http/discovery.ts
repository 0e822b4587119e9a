import { createHash } from 'node:crypto';
import { parseMediaTypes, JSON_TYPE, notAcceptable } from '../codec/negotiate.js';
import type { JsonObject, SubresourceInfo, Verb } from '../core/types.js';
import type { Exchange } from './exchange.js';
import { pageNotFound, subresourcesOf } from './router.js';
import type { Served, ServedGroup } from './served.js';
import type { Endpoint } from './rest.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** The order in which a real server lists the verbs of custom resources. */
const CUSTOM_VERBS: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

type Form = 'aggregated' | 'legacy';

/** `/api`, `/apis` and below, in the aggregated and the older form (DI-1 … DI-5). */
export class Discovery {
  readonly #served: Served;
  /** Where clients reach the server, `host:port`. */
  readonly #address: () => string;
  readonly #aggregated = new Map<string, { generation: number; body: string; etag: string }>();

  constructor(served: Served, address: () => string) {
    this.#served = served;
    this.#address = address;
  }

  /** Answers a discovery path; false when it is none. */
  async handle(x: Exchange): Promise<boolean> {
    const [, root, group, version, ...rest] = x.info.path.split('/');
    if (root === 'api' && version === undefined) await this.#core(x, group);
    else if (root === 'apis' && rest.length === 0) await this.#groups(x, group, version);
    else return false;
    return true;
  }

  #core(x: Exchange, version: string | undefined): Promise<void> {
    const group = this.#served.groups.get('');
    if (version !== undefined) return this.#resources(x, group, version);
    if (negotiated(x) === 'aggregated') return this.#list(x, 'api');
    return legacy(x, {
      kind: 'APIVersions',
      versions: [...(group?.versions.keys() ?? [])],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: this.#address() }],
    });
  }

  #groups(x: Exchange, name: string | undefined, version: string | undefined): Promise<void> {
    if (name === undefined || name === '') {
      if (negotiated(x) === 'aggregated') return this.#list(x, 'apis');
      const groups = this.#named().map(describe);
      return legacy(x, { kind: 'APIGroupList', apiVersion: 'v1', groups });
    }
    const group = this.#served.groups.get(name);
    if (version !== undefined) return this.#resources(x, group, version);
    return group ? legacy(x, { kind: 'APIGroup', apiVersion: 'v1', ...describe(group) }) : pageNotFound(x);
  }

  #named(): ServedGroup[] {
    return [...this.#served.groups.values()].filter((g) => g.name !== '');
  }

  #resources(x: Exchange, group: ServedGroup | undefined, version: string): Promise<void> {
    const endpoints = group?.versions.get(version)?.endpoints;
    if (!group || !endpoints) return pageNotFound(x);
    const groupVersion = group.name ? `${group.name}/${version}` : version;
    const resources = [...endpoints.values()].flatMap((at) => [
      resource(at),
      ...subresourcesOf(at).map((s) => subresource(at, s)),
    ]);
    return legacy(x, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources });
  }

  /** DI-2. The document and its hash are made when first asked after a change (DI-12). */
  #list(x: Exchange, root: 'api' | 'apis'): Promise<void> {
    let cached = this.#aggregated.get(root);
    if (!cached || cached.generation !== this.#served.generation) {
      const groups = root === 'apis' ? this.#named() : [...this.#served.groups.values()].filter((g) => g.name === '');
      const list = {
        kind: 'APIGroupDiscoveryList',
        apiVersion: 'apidiscovery.k8s.io/v2',
        metadata: {},
        items: groups.map(aggregate),
      };
      const body = `${JSON.stringify(list)}\n`;
      const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
      cached = { generation: this.#served.generation, body, etag };
      this.#aggregated.set(root, cached);
    }
    const headers = { 'Content-Type': AGGREGATED, 'Cache-Control': 'public', ETag: cached.etag, Vary: 'Accept' };
    if (x.header('if-none-match') !== cached.etag) return x.send(200, cached.body, headers);
    x.head(304, headers);
    x.response.end();
    return Promise.resolve();
  }
}

/** The answer is aggregated only to those who asked for exactly that (FX-4). */
function negotiated(x: Exchange): Form {
  const { accept } = x;
  if (!accept) return 'legacy';
  for (const { type, params } of parseMediaTypes(accept)) {
    if (type === '*/*' || type === 'application/*') return 'legacy';
    if (type !== JSON_TYPE) continue;
    if (params['as'] === undefined && params['g'] === undefined) return 'legacy';
    if (params['g'] === 'apidiscovery.k8s.io' && params['v'] === 'v2' && params['as'] === 'APIGroupDiscoveryList')
      return 'aggregated';
  }
  throw notAcceptable('custom');
}

function legacy(x: Exchange, body: JsonObject): Promise<void> {
  return x.json(200, body);
}

function describe(group: ServedGroup): JsonObject {
  const versions = [...group.versions.keys()].map((version) => ({ groupVersion: `${group.name}/${version}`, version }));
  return { name: group.name, versions, preferredVersion: versions[0] ?? { groupVersion: '', version: '' } };
}

function verbs(at: Endpoint): string[] {
  const { verbs: all, custom } = at.resource;
  return custom ? CUSTOM_VERBS.filter((v) => all.includes(v)) : [...all].sort();
}

function named({ resource: { shortNames, categories } }: Endpoint): JsonObject {
  return {
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
  };
}

function resource(at: Endpoint): JsonObject {
  const { plural, singular, namespaced, kind, group, storageVersion, verbs: all } = at.resource;
  const hash = createHash('sha256')
    .update(`${group}/${storageVersion}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: verbs(at),
    ...named(at),
    ...(all.includes('list') ? { storageVersionHash: hash } : {}),
  };
}

function subresource(at: Endpoint, info: SubresourceInfo): JsonObject {
  const other = info.group !== '' && (info.group !== at.resource.group || info.version !== at.version.name);
  return {
    name: `${at.resource.plural}/${info.name}`,
    singularName: '',
    namespaced: at.resource.namespaced,
    ...(other ? { group: info.group, version: info.version } : {}),
    kind: info.kind,
    verbs: [...info.verbs].sort(),
  };
}

/** Built-ins leave group and version empty where they are those of the list; custom resources say them. */
function responseKind(at: Endpoint, info?: SubresourceInfo): JsonObject {
  const kind = info?.kind ?? at.resource.kind;
  const own = { group: at.resource.group, version: at.version.name };
  const { group, version } = info?.group ? info : own;
  const same = group === own.group && version === own.version;
  return same && !at.resource.custom ? { group: '', version: '', kind } : { group, version, kind };
}

function aggregate(group: ServedGroup): JsonObject {
  const versions = [...group.versions].map(([version, { endpoints }]) => ({
    version,
    resources: [...endpoints.values()].map((at): JsonObject => {
      const below = subresourcesOf(at).map((s) => ({
        subresource: s.name,
        responseKind: responseKind(at, s),
        verbs: [...s.verbs].sort(),
      }));
      return {
        resource: at.resource.plural,
        responseKind: responseKind(at),
        scope: at.resource.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: at.resource.singular,
        verbs: verbs(at),
        ...named(at),
        ...(below.length > 0 ? { subresources: below } : {}),
      };
    }),
    freshness: 'Current',
  }));
  return { metadata: group.name ? { name: group.name } : {}, versions };
}
