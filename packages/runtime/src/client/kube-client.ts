import {
  type ApplyOptions,
  Client,
  type DeleteOptions,
  type DeleteOutcome,
  type Draft,
  type FieldValidation,
  type KindInfo,
  type KindRef,
  type KubernetesObject,
  type ListOptions,
  type ObjectTarget,
  type PatchOptions,
  type ReadMode,
  type ReadOptions,
  type ResourceList,
  type StatusClient,
  type Stored,
  type StoredObject,
  type Target,
  type UpdateOptions,
  type Wire,
  type WriteOptions,
} from '@kubewright/api';
import { notFoundInCache } from '../transport/api-errors.js';
import { ClientCore, type KubeClientOptions } from './core.js';
import { parseFieldSelector } from './field-selector.js';
import { isKindRef } from './kind-registry.js';
import { parseLabelSelector } from './label-selector.js';
import { readList, readOne } from './reads.js';
import { StatusWrites } from './status-writes.js';
import { ofKind, Targets } from './targets.js';
import { apply, create, patch, remove, update } from './writes.js';

/** What a derived client does differently (L17). */
export interface ClientScope {
  /** Calls are about this namespace; another one is refused. Cluster-scoped kinds are not concerned. */
  readonly namespace?: string;
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: FieldValidation;
  readonly read?: ReadMode;
}

/** The client over transport and cache (section 2 of the runtime contract). */
export class KubeClient extends Client {
  private readonly core: ClientCore;
  private readonly targets: Targets;
  private readonly writeDefaults: WriteOptions;
  private liveClient: KubeClient | undefined;

  constructor(
    options: KubeClientOptions | ClientCore,
    private readonly scope: ClientScope = {},
  ) {
    super();
    this.core = options instanceof ClientCore ? options : new ClientCore(options);
    this.targets = new Targets(this.core.kinds, scope.namespace);
    const { dryRun, fieldManager, fieldValidation } = scope;
    this.writeDefaults = {
      ...(dryRun !== undefined && { dryRun }),
      ...(fieldManager !== undefined && { fieldManager }),
      ...(fieldValidation !== undefined && { fieldValidation }),
    };
  }

  /** A client that differs from this one in the given points (L17). */
  with(scope: ClientScope): KubeClient {
    return new KubeClient(this.core, { ...this.scope, ...scope });
  }

  override get live(): KubeClient {
    this.liveClient ??= this.scope.read === 'live' ? this : this.with({ read: 'live' });
    return this.liveClient;
  }

  override async get<T>(kind: KindRef<T>, target: Target, options: ReadOptions = {}): Promise<Wire<T>> {
    const info = await this.targets.kind(kind, 'get');
    const place = this.targets.place(info, target, 'get');
    const { object, error } = await readOne(this.core, place, this.readOptions(options));
    if (object) return object as unknown as Wire<T>;
    throw error ?? notFoundInCache(this.core.subject('get', info, place.key), info);
  }

  override async find<T>(kind: KindRef<T>, target: Target, options: ReadOptions = {}): Promise<Wire<T> | undefined> {
    const info = await this.targets.kind(kind, 'get');
    const { object } = await readOne(this.core, this.targets.place(info, target, 'get'), this.readOptions(options));
    return object as unknown as Wire<T> | undefined;
  }

  override async list<T>(kind: KindRef<T>, options: ListOptions = {}): Promise<ResourceList<Wire<T>>> {
    const info = await this.targets.kind(kind, 'list');
    const { ownedBy, controlledBy, limit } = options;
    const owner = (ownedBy ?? controlledBy)?.metadata;
    const namespace = this.targets.listed(info, options.namespace ?? (owner ? owner.namespace : undefined));
    const what = `list ${info.kind}${namespace === undefined ? '' : ` in ${namespace}`}`;
    const read = {
      kind: info,
      namespace,
      labels: parseLabelSelector(options.labels),
      fields: parseFieldSelector(options.fields),
      ownedBy: ownedBy && uidOf(ownedBy, what),
      controlledBy: controlledBy && uidOf(controlledBy, what),
      index: options.index ?? {},
      limit,
      what,
    };
    const mode = this.readOptions(options).read ?? 'auto';
    const { objects, version } = await readList(this.core, read, mode, options);
    // Not enumerable, so that the list compares and prints as the array it is.
    Object.defineProperty(objects, 'resourceVersion', { value: version });
    return objects as unknown as ResourceList<Wire<T>>;
  }

  override create<D extends KubernetesObject>(object: D, options?: WriteOptions): Promise<Stored<D>>;
  override create<T>(kind: KindRef<T>, object: Draft<T>, options?: WriteOptions): Promise<Wire<T>>;
  override async create(...args: unknown[]): Promise<never> {
    const { info, object, options } = await this.written(args, 'create');
    const place = this.targets.written(info, object, 'create');
    return (await create(this.core, place, ofKind(info, object, place.what), {
      ...this.writeDefaults,
      ...options,
    })) as never;
  }

  override async update<D extends KubernetesObject>(object: D, options: UpdateOptions = {}): Promise<Stored<D>> {
    const { info } = await this.written([object], 'update');
    const place = this.targets.place(info, object, 'update');
    this.targets.written(info, object, 'update');
    const stored = await update(this.core, place, ofKind(info, object, place.what), {
      ...this.writeDefaults,
      ...options,
    });
    return stored as unknown as Stored<D>;
  }

  override patch<D extends ObjectTarget>(target: D, body: object, options?: PatchOptions): Promise<Stored<D>>;
  override patch<T>(kind: KindRef<T>, target: Target, body: object, options?: PatchOptions): Promise<Wire<T>>;
  override async patch(...args: unknown[]): Promise<never> {
    const { info, target, rest } = await this.targeted(args, 'patch');
    const [body, options] = rest as [object, PatchOptions | undefined];
    const place = this.targets.place(info, target, 'patch');
    return (await patch(this.core, place, body, { ...this.writeDefaults, ...options })) as never;
  }

  override apply<D extends KubernetesObject>(object: D, options?: ApplyOptions): Promise<Stored<D>>;
  override apply<T>(kind: KindRef<T>, object: Draft<T>, options?: ApplyOptions): Promise<Wire<T>>;
  override async apply(...args: unknown[]): Promise<never> {
    const { info, object, options } = await this.written(args, 'apply');
    const place = this.targets.place(info, object, 'apply');
    this.targets.written(info, object, 'apply');
    return (await apply(this.core, place, ofKind(info, object, place.what), {
      ...this.writeDefaults,
      ...options,
    })) as never;
  }

  override delete(target: ObjectTarget, options?: DeleteOptions): Promise<DeleteOutcome>;
  override delete<T>(kind: KindRef<T>, target: Target, options?: DeleteOptions): Promise<DeleteOutcome>;
  override async delete(...args: unknown[]): Promise<DeleteOutcome> {
    const { info, target, rest } = await this.targeted(args, 'delete');
    const [options] = rest as [DeleteOptions | undefined];
    const { dryRun } = this.writeDefaults;
    const place = this.targets.place(info, target, 'delete');
    return remove(this.core, place, { ...(dryRun !== undefined && { dryRun }), ...options });
  }

  override status<D extends ObjectTarget>(target: D): StatusClient<D>;
  override status<T>(kind: KindRef<T>, target: Target): StatusClient<Wire<T>>;
  override status(...args: unknown[]): StatusClient<never> {
    const writes = new StatusWrites({
      core: this.core,
      defaults: this.writeDefaults,
      place: async () => {
        const { info, target } = await this.targeted(args, 'patch status of');
        return this.targets.place(info, target, 'patch status of');
      },
    });
    return writes as unknown as StatusClient<never>;
  }

  private readOptions(options: ReadOptions): ReadOptions {
    return options.read === undefined && this.scope.read !== undefined
      ? { ...options, read: this.scope.read }
      : options;
  }

  /** `(object, options)` or `(kind, object, options)`. */
  private async written(
    args: unknown[],
    verb: string,
  ): Promise<{ info: KindInfo; object: ObjectTarget; options: object }> {
    const { info, target, rest } = await this.targeted(args, verb);
    return { info, object: target as ObjectTarget, options: (rest[0] ?? {}) as object };
  }

  /** `(target, …rest)` or `(kind, target, …rest)`. */
  private async targeted(
    args: unknown[],
    verb: string,
  ): Promise<{ info: KindInfo; target: Target | ObjectTarget; rest: unknown[] }> {
    const [first, ...others] = args;
    if (isKindRef(first)) {
      const [target, ...rest] = others;
      return { info: await this.targets.kind(first, verb), target: target as Target, rest };
    }
    return {
      info: await this.targets.kindOf(first as ObjectTarget, verb),
      target: first as ObjectTarget,
      rest: others,
    };
  }
}

function uidOf(owner: { readonly metadata: StoredObject['metadata'] | { uid?: string } }, what: string): string {
  const { uid } = owner.metadata;
  if (uid === undefined)
    throw new TypeError(`${what}: the owner has no metadata.uid; pass it as read from the API server`);
  return uid;
}
