import type { Core } from './core.js';
import { create } from './create.js';
import { remove } from './deletion.js';
import { badRequest, failure, isStatusError, notFound } from './errors.js';
import { patch } from './patch.js';
import { get, list, watch } from './reads.js';
import { patchScale, updateScale } from './scale.js';
import { update } from './update.js';
import { asStatusError, Write } from './write.js';
import type {
  Body,
  CallOptions,
  DeleteOptions,
  DeleteResult,
  GetOptions,
  KubeObject,
  ListOptions,
  ListResult,
  ObjectService,
  PatchType,
  Registry,
  Target,
  WatchHandle,
  WatchOptions,
  WatchSink,
  WriteResult,
} from './types.js';

/** The only way objects change (BD-5). */
export class CoreObjectService implements ObjectService {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  get registry(): Registry {
    return this.#core.registry;
  }

  revision(): string {
    return String(this.#core.store.revision);
  }

  get(target: Target, options: GetOptions): Promise<KubeObject> {
    return this.#run(target, () => get(this.#core, target, options));
  }

  list(target: Target, options: ListOptions): Promise<ListResult> {
    return this.#run(target, () => list(this.#core, target, options));
  }

  watch(target: Target, options: WatchOptions, sink: WatchSink): Promise<WatchHandle> {
    return this.#run(target, () => watch(this.#core, target, options, sink));
  }

  create(target: Target, body: Body, options: CallOptions): Promise<WriteResult> {
    return this.#run(target, () => create(new Write(this.#core, target, options), body));
  }

  update(target: Target, body: Body, options: CallOptions): Promise<WriteResult> {
    return this.#run(target, () => {
      const write = new Write(this.#core, target, options);
      return target.subresource === 'scale' ? updateScale(write, body) : update(write, body);
    });
  }

  patch(
    target: Target,
    request: { type: PatchType; body: Body; force?: boolean | undefined },
    options: CallOptions,
  ): Promise<WriteResult> {
    return this.#run(target, () => {
      const write = new Write(this.#core, target, options);
      return target.subresource === 'scale' ? patchScale(write, request) : patch(write, request);
    });
  }

  delete(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    return this.#run(target, () => remove(new Write(this.#core, target, options), options));
  }

  async deleteCollection(
    target: Target,
    options: DeleteOptions & ListOptions,
  ): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    const found = await this.list(target, options);
    const items: KubeObject[] = [];
    for (const object of found.items) {
      const one = { ...target, name: object.metadata.name, namespace: object.metadata.namespace };
      try {
        items.push((await this.delete(one, options)).object);
      } catch (error) {
        // Somebody else may have deleted it since the list.
        if (!isStatusError(error) || error.code !== 404) throw error;
      }
    }
    return { items, resourceVersion: this.revision() };
  }

  async #run<T>(target: Target, operation: () => Promise<T>): Promise<T> {
    try {
      this.#check(target);
      return await operation();
    } catch (error) {
      throw asStatusError(error);
    }
  }

  /** The target must be what is served now: a definition may have been replaced since the caller looked it up. */
  #check(target: Target): void {
    const { resource, subresource } = target;
    const version = resource.versions.find((candidate) => candidate.name === target.version);
    if (!version) throw failure(404, 'NotFound', 'the server could not find the requested resource', {});
    if (subresource === 'status' && !version.status) throw notFound(resource, target.name ?? '');
    if (subresource === 'scale' && !version.scale) throw notFound(resource, target.name ?? '');
    if (target.name === '') throw badRequest('name must be provided');
  }
}
