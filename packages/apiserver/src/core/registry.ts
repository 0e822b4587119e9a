import { notFound } from './errors.js';
import type { KubeObject, Registry, RegistryChange, ResourceDef, ResourceVersion, Target } from './types.js';

/** The table of served resources, by plural and by kind. */
export class ResourceRegistry implements Registry {
  readonly #resources = new Map<string, ResourceDef>();
  readonly #kinds = new Map<string, ResourceDef>();
  readonly #listeners = new Set<(change: RegistryChange) => void>();
  #all: readonly ResourceDef[] | undefined;
  #generation = 0;

  get all(): readonly ResourceDef[] {
    return (this.#all ??= [...this.#resources.values()]);
  }

  get generation(): number {
    return this.#generation;
  }

  byResource(group: string, plural: string): ResourceDef | undefined {
    return this.#resources.get(`${group}/${plural}`);
  }

  byKind(group: string, kind: string): ResourceDef | undefined {
    return this.#kinds.get(`${group}/${kind}`);
  }

  add(resource: ResourceDef): void {
    const key = `${resource.group}/${resource.plural}`;
    if (this.#resources.has(key)) throw new Error(`resource ${key} is registered already; use replace`);
    this.#set(key, resource);
    this.#announce({ current: resource });
  }

  replace(resource: ResourceDef): void {
    const key = `${resource.group}/${resource.plural}`;
    const previous = this.#resources.get(key);
    if (!previous) throw new Error(`resource ${key} is not registered; use add`);
    this.#kinds.delete(`${previous.group}/${previous.kind}`);
    this.#set(key, resource);
    this.#announce({ previous, current: resource });
  }

  remove(group: string, plural: string): void {
    const key = `${group}/${plural}`;
    const previous = this.#resources.get(key);
    if (!previous) return;
    this.#resources.delete(key);
    this.#kinds.delete(`${group}/${previous.kind}`);
    this.#announce({ previous });
  }

  onChange(listener: (change: RegistryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(key: string, resource: ResourceDef): void {
    this.#resources.set(key, resource);
    // Subresource-only kinds may share a kind with the resource that owns the name; the first one keeps it.
    const kind = `${resource.group}/${resource.kind}`;
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, resource);
  }

  #announce(change: RegistryChange): void {
    this.#all = undefined;
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }
}

/** The collection that holds the objects of a resource. */
export function storageOf(resource: Pick<ResourceDef, 'group' | 'plural' | 'storage'>): string {
  return resource.storage ?? (resource.group ? `${resource.plural}.${resource.group}` : resource.plural);
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf(group: string, version: string): string {
  return group ? `${group}/${version}` : version;
}

/** Splits an apiVersion at its slash. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Order of keys is the order of the whole string `namespace/name` (ST-6). */
export function keyOf(resource: ResourceDef, namespace: string | undefined, name: string): string {
  return resource.namespaced ? `${namespace ?? ''}/${name}` : name;
}

/** The key of an object that has its name and namespace. */
export function keyOfObject(resource: ResourceDef, object: KubeObject): string {
  return keyOf(resource, object.metadata.namespace, object.metadata.name ?? '');
}

/** The version a target names. */
export function versionOf(target: Pick<Target, 'resource' | 'version' | 'name'>): ResourceVersion {
  const found = target.resource.versions.find((version) => version.name === target.version);
  if (!found) throw notFound(target.resource, target.name ?? '');
  return found;
}
