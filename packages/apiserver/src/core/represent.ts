import { jsonCopy, deepFreeze, jsonEqual } from './json.js';
import { apiVersionOf } from './registry.js';
import type { KubeObject, ResourceDef } from './types.js';

type Converted = KubeObject | Promise<KubeObject>;

/**
 * Stored objects at the versions of requests. Each object is converted once per version and resource definition, and the
 * result is shared and frozen, so that encodings can be cached by identity (WA-8).
 */
export class Representations {
  /** Objects known to hold the defaults of this definition: they were written under it or checked before (CR-6). */
  readonly #current = new WeakMap<ResourceDef, WeakSet<KubeObject>>();
  readonly #cache = new WeakMap<ResourceDef, Map<string, WeakMap<KubeObject, Converted>>>();

  /** Notes that `object` was written under `resource`, so it needs no defaults when read. */
  written(resource: ResourceDef, object: KubeObject): void {
    if (resource.custom) this.#known(resource).add(object);
  }

  at(resource: ResourceDef, object: KubeObject, version: string): Converted {
    const plain = !resource.custom || this.#known(resource).has(object);
    if (plain && object.apiVersion === apiVersionOf(resource.group, version)) return object;
    let versions = this.#cache.get(resource);
    if (!versions) this.#cache.set(resource, (versions = new Map()));
    let converted = versions.get(version);
    if (!converted) versions.set(version, (converted = new WeakMap()));
    const found = converted.get(object);
    if (found) return found;
    const made = this.#convert(resource, plain ? object : this.#defaulted(resource, object), version);
    converted.set(object, made);
    if (made instanceof Promise) {
      const cache = converted;
      made.then(
        (done) => cache.set(object, done),
        () => cache.delete(object),
      );
    }
    return made;
  }

  #known(resource: ResourceDef): WeakSet<KubeObject> {
    let known = this.#current.get(resource);
    if (!known) this.#current.set(resource, (known = new WeakSet()));
    return known;
  }

  /** An object from before the last change of its definition, with the defaults that were added since. */
  #defaulted(resource: ResourceDef, object: KubeObject): KubeObject {
    const version = resource.versions.find((v) => apiVersionOf(resource.group, v.name) === object.apiVersion);
    if (!version) return object;
    const copy = jsonCopy(object);
    resource.strategy.defaultInPlace(copy, version);
    if (!jsonEqual(copy, object)) return deepFreeze(copy);
    this.#known(resource).add(object);
    return object;
  }

  #convert(resource: ResourceDef, object: KubeObject, version: string): Converted {
    if (object.apiVersion === apiVersionOf(resource.group, version)) return object;
    const made = resource.strategy.convert(object, version);
    return made instanceof Promise ? made.then(deepFreeze) : deepFreeze(made);
  }
}
