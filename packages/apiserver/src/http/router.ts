import { badRequest, failure, groupResource, notFound } from '../core/errors.js';
import type { ResourceDef, SubresourceInfo } from '../core/types.js';
import type { Exchange } from './exchange.js';
import { methodNotAllowed, unknownResource } from './rest.js';
import type { Endpoint, Rest } from './rest.js';
import type { Served } from './served.js';
import { compareVersions } from './version-order.js';

/** Answers one request of a resource path. */
export type Handler = (x: Exchange, at: Endpoint) => Promise<void>;

/** What else than reading and writing objects a resource does. */
export interface SpecialRoutes {
  /** `plural[.group]/subresource` → handler, for `pods/log` and its like. */
  readonly subresources: ReadonlyMap<string, Handler>;
  /** `plural[.group]` → handler of POST, for kinds that are answered and not stored (AU-4). */
  readonly creates: ReadonlyMap<string, Handler>;
}

/** The text of paths that nobody serves. */
export const pageNotFound = (x: Exchange): Promise<void> => x.text(404, '404 page not found\n');

/** Finds who answers a resource path (§4.1). Built-in and custom resources differ in how they refuse (TR-4, TR-6, TR-8). */
export class Router {
  readonly #served: Served;
  readonly #rest: Rest;
  readonly #special: SpecialRoutes;

  constructor(served: Served, rest: Rest, special: SpecialRoutes) {
    this.#served = served;
    this.#rest = rest;
    this.#special = special;
  }

  async handle(x: Exchange): Promise<void> {
    const { info } = x;
    const group = this.#served.groups.get(info.group);
    if (!group) return pageNotFound(x);
    const at = group.versions.get(info.version)?.endpoints.get(info.resource);
    if (!at) {
      if (group.builtin) throw unknownResource();
      return pageNotFound(x);
    }
    if (at.version.deprecated) x.warnings.add(deprecation(at));
    return at.resource.custom ? this.#custom(x, at) : this.#builtin(x, at);
  }

  #builtin(x: Exchange, at: Endpoint): Promise<void> {
    const { info, method } = x;
    const reading = method === 'GET' || method === 'HEAD';
    const { resource } = at;
    if (resource.namespaced && info.namespace === undefined) {
      if (info.name !== undefined) throw unknownResource();
      if (!reading && resource.verbs.includes('list')) throw methodNotAllowed();
    } else if (!resource.namespaced && info.namespace !== undefined && info.resource !== 'namespaces') {
      throw unknownResource();
    }
    if (info.subresource !== undefined) return this.#subresource(x, at, info.subresource);
    const create = this.#special.creates.get(groupResource(resource));
    if (create) {
      if (info.name !== undefined || (resource.namespaced && info.namespace === undefined)) throw unknownResource();
      if (method !== 'POST') throw methodNotAllowed();
      return create(x, at);
    }
    const verb = info.verb as ResourceDef['verbs'][number];
    const misplaced = info.name === undefined ? verb === 'update' || verb === 'patch' : verb === 'create';
    if (misplaced || !resource.verbs.includes(verb)) throw methodNotAllowed();
    return this.#object(x, at);
  }

  #subresource(x: Exchange, at: Endpoint, name: string): Promise<void> {
    const info = subresourcesOf(at).find((s) => s.name === name);
    if (!info) throw unknownResource();
    const special = this.#special.subresources.get(`${groupResource(at.resource)}/${name}`);
    if (!special && x.info.rest.length > 0) throw unknownResource();
    if (!info.verbs.includes(x.info.verb)) throw methodNotAllowed();
    return special ? special(x, at) : this.#object(x, at);
  }

  #custom(x: Exchange, at: Endpoint): Promise<void> {
    const { info, method } = x;
    const reading = method === 'GET' || method === 'HEAD';
    if (at.resource.namespaced !== (info.namespace !== undefined)) {
      const allNamespaces = at.resource.namespaced && info.name === undefined && reading;
      if (!allNamespaces) return pageNotFound(x);
    }
    if (info.verb === '') throw notSupported('', at.resource);
    if (info.subresource !== undefined) {
      if (!subresourcesOf(at).some((s) => s.name === info.subresource)) throw notFound(at.resource, info.name ?? '');
      if (method === 'POST' || method === 'DELETE') throw notSupported(info.verb, at.resource);
    } else if (info.name === undefined && (method === 'PUT' || method === 'PATCH')) {
      throw badRequest('name must be provided');
    }
    return this.#object(x, at);
  }

  #object(x: Exchange, at: Endpoint): Promise<void> {
    switch (x.info.verb) {
      case 'get':
        return this.#rest.get(x, at);
      case 'list':
        return this.#rest.list(x, at);
      case 'watch':
        return this.#rest.watch(x, at);
      case 'create':
        return this.#rest.create(x, at);
      case 'update':
        return this.#rest.update(x, at);
      case 'patch':
        return this.#rest.patch(x, at);
      case 'delete':
        return this.#rest.delete(x, at);
      case 'deletecollection':
        return this.#rest.deleteCollection(x, at);
      default:
        throw methodNotAllowed();
    }
  }
}

/** ER-13; the verb of OPTIONS is empty, which leaves a leading blank. */
function notSupported(verb: string, resource: ResourceDef): Error {
  return failure(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${groupResource(resource)}"`,
    {
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.plural,
    },
  );
}

const STATUS_VERBS: readonly string[] = ['get', 'patch', 'update'];

/** All subresources of a version, in the order of a real server: those listed, and status and scale where the version has them. */
export function subresourcesOf({ resource, version }: Endpoint): readonly SubresourceInfo[] {
  const list = resource.subresources.filter((s) => s.name !== 'status' && s.name !== 'scale');
  const own = resource.subresources.find((s) => s.name === 'status');
  const { kind } = resource;
  if (version.status) list.push(own ?? { name: 'status', kind, group: '', version: '', verbs: STATUS_VERBS });
  if (version.scale) {
    list.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: STATUS_VERBS });
  }
  return resource.custom ? list : list.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** VE-3 */
function deprecation({ resource, version }: Endpoint): string {
  if (version.deprecationWarning) return version.deprecationWarning;
  const newer = resource.versions.filter((v) => v.served && !v.deprecated && compareVersions(v.name, version.name) < 0);
  const [best] = newer.sort((a, b) => compareVersions(a.name, b.name));
  const use = best ? `; use ${resource.group}/${best.name} ${resource.kind}` : '';
  return `${resource.group}/${version.name} ${resource.kind} is deprecated${use}`;
}
