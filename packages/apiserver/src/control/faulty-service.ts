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
} from '../core/types.js';
import type { Faults } from './faults.js';
import type { RequestFacts } from './match.js';

/** The object service as clients see it: each call may meet an injected fault (TC-1, TC-2). The server's own parts bypass it. */
export class FaultyObjectService implements ObjectService {
  readonly #inner: ObjectService;
  readonly #faults: Faults;

  constructor(inner: ObjectService, faults: Faults) {
    this.#inner = inner;
    this.#faults = faults;
  }

  get registry(): Registry {
    return this.#inner.registry;
  }

  revision(): string {
    return this.#inner.revision();
  }

  get(target: Target, options: GetOptions): Promise<KubeObject> {
    return this.#faults.apply(facts('get', target, options), () => this.#inner.get(target, options));
  }

  list(target: Target, options: ListOptions): Promise<ListResult> {
    return this.#faults.apply(facts('list', target, options), () => this.#inner.list(target, options));
  }

  watch(target: Target, options: WatchOptions, sink: WatchSink): Promise<WatchHandle> {
    return this.#faults.apply(facts('watch', target, options), () => this.#inner.watch(target, options, sink));
  }

  create(target: Target, body: Body, options: CallOptions): Promise<WriteResult> {
    const named = { ...target, name: target.name ?? nameOf(body) };
    return this.#faults.apply(facts('create', named, options), () => this.#inner.create(target, body, options));
  }

  update(target: Target, body: Body, options: CallOptions): Promise<WriteResult> {
    return this.#faults.apply(facts('update', target, options), () => this.#inner.update(target, body, options));
  }

  patch(
    target: Target,
    request: { type: PatchType; body: Body; force?: boolean | undefined },
    options: CallOptions,
  ): Promise<WriteResult> {
    return this.#faults.apply(facts('patch', target, options), () => this.#inner.patch(target, request, options));
  }

  delete(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    return this.#faults.apply(facts('delete', target, options), () => this.#inner.delete(target, options));
  }

  deleteCollection(
    target: Target,
    options: DeleteOptions & ListOptions,
  ): Promise<{ items: KubeObject[]; resourceVersion: string }> {
    return this.#faults.apply(facts('deletecollection', target, options), () =>
      this.#inner.deleteCollection(target, options),
    );
  }
}

function nameOf({ value }: Body): string | undefined {
  const metadata = (value as { metadata?: { name?: unknown } } | null)?.metadata;
  return typeof metadata?.name === 'string' ? metadata.name : undefined;
}

function facts(verb: string, target: Target, options: CallOptions): RequestFacts {
  const { resource, version, subresource, namespace, name } = target;
  return {
    verb,
    group: resource.group,
    version,
    resource: resource.plural,
    subresource,
    namespace,
    name,
    user: options.principal.name,
    userAgent: options.userAgent,
  };
}
