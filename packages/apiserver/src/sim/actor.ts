import { isStatusError } from '../core/errors.js';
import { apiVersionOf } from '../core/registry.js';
import type {
  CallOptions,
  JsonObject,
  JsonValue,
  KubeObject,
  ObjectMeta,
  ObjectService,
  OwnerReference,
  ResourceDef,
  Target,
} from '../core/types.js';

/** Which resource, by group and plural. */
interface ResourceName {
  group: string;
  plural: string;
}

/** An object to be created; apiVersion and kind follow from where it is created. */
export interface NewObject {
  metadata: ObjectMeta;
  [key: string]: unknown;
}

/** How a pretend controller calls the server: under its own name, so that a test can tell its writes from others (SI-8). */
export class Actor {
  readonly #objects: ObjectService;
  readonly #options: CallOptions;

  /** `name` without the prefix `embedded-`. */
  constructor(objects: ObjectService, name: string) {
    this.#objects = objects;
    const user = `embedded-${name}`;
    this.#options = {
      principal: { name: user, groups: ['system:masters', 'system:authenticated'] },
      fieldManager: user,
    };
  }

  #resource(of: ResourceName): ResourceDef {
    const found = this.#objects.registry.byResource(of.group, of.plural);
    if (!found)
      throw new Error(`pretend controllers need ${of.plural} of group "${of.group}", which this server does not serve`);
    return found;
  }

  #target(of: ResourceName, object: KubeObject, subresource?: string): Target {
    const resource = this.#resource(of);
    const { name, namespace } = object.metadata;
    return { resource, version: resource.storageVersion, namespace, name, ...(subresource ? { subresource } : {}) };
  }

  /** Creates an object; apiVersion and kind are filled in. */
  async create(of: ResourceName, object: NewObject): Promise<KubeObject> {
    const resource = this.#resource(of);
    const body = { ...object, apiVersion: apiVersionOf(resource.group, resource.storageVersion), kind: resource.kind };
    const target: Target = { resource, version: resource.storageVersion, namespace: body.metadata.namespace };
    return (await this.#objects.create(target, { value: body as unknown as JsonValue }, this.#options)).object;
  }

  /** Creates an object unless it exists; undefined when it did. */
  async ensure(of: ResourceName, object: NewObject): Promise<KubeObject | undefined> {
    try {
      return await this.create(of, object);
    } catch (error) {
      if (isStatusError(error) && error.reason === 'AlreadyExists') return undefined;
      throw error;
    }
  }

  /** Writes the object as it was read, with these top-level members; a conflict when somebody else wrote it since. */
  async update(of: ResourceName, object: KubeObject, members: Readonly<Record<string, unknown>>): Promise<KubeObject> {
    const body = { ...object, ...members } as unknown as JsonValue;
    return (await this.#objects.update(this.#target(of, object), { value: body }, this.#options)).object;
  }

  /** Writes the status of the object as it was read. */
  async updateStatus(of: ResourceName, object: KubeObject, status: object): Promise<KubeObject> {
    const body = { ...object, status } as unknown as JsonValue;
    return (await this.#objects.update(this.#target(of, object, 'status'), { value: body }, this.#options)).object;
  }

  /** Merges members into the object, whatever its version. */
  async merge(of: ResourceName, object: KubeObject, patch: JsonObject, subresource?: string): Promise<KubeObject> {
    return (
      await this.#objects.patch(
        this.#target(of, object, subresource),
        { type: 'merge', body: { value: patch } },
        this.#options,
      )
    ).object;
  }

  /** Deletes this very object; one that is gone or was replaced is left alone. */
  async delete(of: ResourceName, object: KubeObject, options: { grace?: number } = {}): Promise<void> {
    try {
      await this.#objects.delete(this.#target(of, object), {
        ...this.#options,
        preconditions: { uid: object.metadata.uid },
        propagationPolicy: 'Background',
        ...(options.grace === undefined ? {} : { gracePeriodSeconds: options.grace }),
      });
    } catch (error) {
      if (!isStatusError(error) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }
}

/** Reference that makes `owner` the controller of a new object (SI-6). */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name = '', uid = '' } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export const PODS: ResourceName = { group: '', plural: 'pods' };
export const REPLICA_SETS: ResourceName = { group: 'apps', plural: 'replicasets' };
export const DEPLOYMENTS: ResourceName = { group: 'apps', plural: 'deployments' };
