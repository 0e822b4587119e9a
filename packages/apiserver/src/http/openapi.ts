import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue, Schema } from '../core/types.js';
import { builtinDefinitionName, builtinDefinitions } from '../schema/builtin.js';
import type { Exchange } from './exchange.js';
import { reference, resourcePaths } from './openapi-operations.js';
import { pageNotFound } from './router.js';
import type { Endpoint } from './rest.js';
import type { Served } from './served.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

interface Document {
  readonly endpoints: readonly Endpoint[];
  readonly text: string;
  readonly hash: string;
}

/**
 * `/openapi/v3` (DI-6, DI-7). A document is made when first asked for and kept until a resource of its group version
 * changes.
 */
export class OpenApi {
  readonly #served: Served;
  readonly #documents = new Map<string, Document>();
  #v2: Document | undefined;

  constructor(served: Served) {
    this.#served = served;
  }

  /** All paths of the server that `GET /` lists. */
  paths(): string[] {
    const versions = [...this.#groupVersions().keys()];
    const groups = new Set(
      versions.filter((v) => v.startsWith('apis/')).map((v) => `/${v.slice(0, v.lastIndexOf('/'))}`),
    );
    const fixed = ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
    return [...fixed, ...versions.map((v) => `/${v}`), ...groups].sort();
  }

  /**
   * `/openapi/v2` (DI-8): definitions without paths in JSON. kubectl asks for it in protobuf, about kinds that no v3 document
   * knows, and an empty document tells it so; 404 would make it stop with a message about downloads.
   */
  async sendV2(x: Exchange): Promise<void> {
    if (x.accept?.includes(PROTOBUF_V2)) {
      return x.send(200, EMPTY_V2, { 'Content-Type': `${PROTOBUF_V2}.v1.0+protobuf`, Vary: 'Accept' });
    }
    const endpoints = [...this.#groupVersions().values()].flat();
    const cached = this.#v2;
    const same =
      cached?.endpoints.length === endpoints.length &&
      endpoints.every((at, i) => at.version === cached.endpoints[i]?.version);
    if (!same) {
      const { definitionsV2 } = await import('./openapi-v2.js');
      const components = new Components();
      for (const at of endpoints) components.add(at);
      const text = JSON.stringify(definitionsV2(components.schemas, endpoints));
      this.#v2 = { endpoints, text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
    }
    return sendDocument(x, this.#v2 as Document, 'public, no-cache');
  }

  async handle(x: Exchange): Promise<void> {
    const key = x.info.path.slice('/openapi/v3'.length).replace(/^\//, '');
    if (key === '') {
      const paths: JsonObject = {};
      for (const [name, endpoints] of this.#groupVersions()) {
        const { hash } = this.#document(name, endpoints);
        paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
      }
      return x.json(200, { paths }, { 'Cache-Control': 'no-cache, private', Vary: 'Accept' });
    }
    const endpoints = this.#groupVersions().get(key);
    if (!endpoints) return pageNotFound(x);
    const document = this.#document(key, endpoints);
    const current = x.query.get('hash') === document.hash;
    return sendDocument(x, document, current ? 'public, immutable' : 'public, no-cache');
  }

  /** `api/v1`, `apis/apps/v1` … → endpoints. */
  #groupVersions(): Map<string, readonly Endpoint[]> {
    const out = new Map<string, readonly Endpoint[]>();
    for (const group of this.#served.groups.values()) {
      for (const [version, { endpoints }] of group.versions) {
        out.set(group.name ? `apis/${group.name}/${version}` : `api/${version}`, [...endpoints.values()]);
      }
    }
    return out;
  }

  #document(key: string, endpoints: readonly Endpoint[]): Document {
    const cached = this.#documents.get(key);
    const same =
      cached?.endpoints.length === endpoints.length &&
      endpoints.every((e, i) => e.version === cached.endpoints[i]?.version);
    if (cached && same) return cached;
    const text = JSON.stringify(build(`/${key}`, endpoints));
    const document = { endpoints, text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
    this.#documents.set(key, document);
    return document;
  }
}

async function sendDocument(x: Exchange, { text, hash }: Document, caching: string): Promise<void> {
  const etag = `"${hash}"`;
  const headers = { 'Cache-Control': caching, ETag: etag, Vary: 'Accept' };
  if (x.header('if-none-match') === etag) {
    x.head(304, headers);
    x.response.end();
    return undefined;
  }
  return x.send(200, text, { 'Content-Type': 'application/json', ...headers });
}

function build(prefix: string, endpoints: readonly Endpoint[]): JsonObject {
  const components = new Components();
  const paths: JsonObject = {};
  for (const at of endpoints) Object.assign(paths, resourcePaths(prefix, at, components.add(at)));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths,
    components: { schemas: components.schemas },
  };
}

const PROTOBUF_V2 = 'application/com.github.proto-openapi.spec.v2';
/** An OpenAPI v2 document without paths: swagger "2.0", info {title "Kubernetes", version "unversioned"}. */
const EMPTY_V2 = '\n\u00032.0\u0012\u0019\n\nKubernetes\u0012\u000bunversioned';

/** Collects the schemas a document needs, each under the name that Kubernetes gives it. */
class Components {
  readonly schemas: JsonObject = {};

  add({ resource, version }: Endpoint): { object: string; list: string } {
    const gvk = { group: resource.group, version: version.name, kind: resource.kind };
    const apiVersion = gvk.group ? `${gvk.group}/${gvk.version}` : gvk.version;
    const builtin = resource.custom ? undefined : builtinDefinitionName(apiVersion, resource.kind);
    const object = builtin ?? [...gvk.group.split('.').reverse(), gvk.version, gvk.kind].join('.');
    const root = builtin ? this.#copy(builtinDefinitions()[builtin] ?? {}) : this.#custom(version.schema?.root ?? {});
    this.schemas[object] = { ...root, 'x-kubernetes-group-version-kind': [gvk] };
    const list = `${object}List`;
    if (!resource.verbs.includes('list')) return { object, list: object };
    this.schemas[list] = {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: { type: 'array', items: reference(object) },
        kind: { type: 'string' },
        metadata: this.#reference(`${META}.ListMeta`),
      },
      'x-kubernetes-group-version-kind': [{ ...gvk, kind: resource.listKind }],
    };
    return { object, list };
  }

  /** A custom schema says nothing of what all objects have. */
  #custom(root: Schema): JsonObject {
    const copy = this.#copy(root);
    return {
      ...copy,
      type: 'object',
      properties: {
        ...(copy['properties'] as JsonObject | undefined),
        apiVersion: {
          type: 'string',
          description: 'APIVersion defines the group and version that this object is written in.',
        },
        kind: { type: 'string', description: 'Kind is the name of the type of this object.' },
        metadata: this.#reference(`${META}.ObjectMeta`),
      },
    };
  }

  #reference(name: string): JsonObject {
    const definition = builtinDefinitions()[name];
    if (!definition) return { type: 'object' };
    if (!(name in this.schemas)) {
      // The name is taken before the copy, since definitions may contain themselves.
      this.schemas[name] = {};
      this.schemas[name] = this.#copy(definition);
    }
    return reference(name);
  }

  #copy(schema: Schema): JsonObject {
    const out: JsonObject = {};
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$ref' || key.startsWith('x-go-')) continue;
      out[key] = this.#value(key, value);
    }
    if (schema.$ref === undefined) return out;
    const to = this.#reference(schema.$ref);
    return Object.keys(out).length === 0 ? to : { ...out, allOf: [to] };
  }

  #value(key: string, value: unknown): JsonValue {
    switch (key) {
      case 'properties':
        return Object.fromEntries(Object.entries(value as Record<string, Schema>).map(([k, v]) => [k, this.#copy(v)]));
      case 'items':
      case 'not':
        return this.#copy(value as Schema);
      case 'additionalProperties':
        return typeof value === 'boolean' ? value : this.#copy(value as Schema);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return (value as Schema[]).map((v) => this.#copy(v));
      default:
        return value as JsonValue;
    }
  }
}
