import {
  type ApplyOptions,
  type ApplyOutcome,
  Client,
  type ClientScope,
  type DeleteAllOfOptions,
  type DeleteOptions,
  type DeleteOutcome,
  type Draft,
  type EnsureOutcome,
  type EnsurePatchOutcome,
  type EvictOptions,
  type IssuedToken,
  type KindInfo,
  type KindRef,
  type KubernetesObject,
  type ListOptions,
  metadataSource,
  type Mutate,
  type ObjectMeta,
  type ObjectTarget,
  type PatchFromOptions,
  type PatchOptions,
  type ReadOptions,
  type ResourceList,
  type ScaleClient,
  type StatusClient,
  type Stored,
  type SubresourceClient,
  type Target,
  type TokenOptions,
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
import { ofKind, type Place, Targets } from './targets.js';
import { createOrPatch, createOrUpdate, edit } from './ensure.js';
import { clientErrors } from './errors.js';
import { jsonPatchDiff, mergeDiff, mutable } from './json.js';
import { deleteAllOf, evict, ScaleWrites, Subresource, token } from './subresources.js';
import { apply, create, patch, remove, update } from './writes.js';

const POD = { group: '', version: 'v1', kind: 'Pod' };
const SERVICE_ACCOUNT = { group: '', version: 'v1', kind: 'ServiceAccount' };

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
  override with(scope: ClientScope): KubeClient {
    return new KubeClient(this.core, { ...this.scope, ...scope });
  }

  override get live(): KubeClient {
    this.liveClient ??= this.scope.read === 'live' ? this : this.with({ read: 'live' });
    return this.liveClient;
  }

  override async get<T>(kind: KindRef<T>, target: Target, options: ReadOptions = {}): Promise<Wire<T>> {
    const source = metadataSource(kind);
    const info = await this.targets.kind(source ?? kind, 'get');
    const place = this.targets.place(info, target, 'get');
    const read = { ...this.readOptions(options), metadataOnly: source !== undefined };
    const { object, error } = await readOne(this.core, place, read);
    if (object) return object as unknown as Wire<T>;
    throw error ?? notFoundInCache(this.core.subject('get', info, place.key), info);
  }

  override async find<T>(kind: KindRef<T>, target: Target, options: ReadOptions = {}): Promise<Wire<T> | undefined> {
    const source = metadataSource(kind);
    const info = await this.targets.kind(source ?? kind, 'get');
    const read = { ...this.readOptions(options), metadataOnly: source !== undefined };
    const { object } = await readOne(this.core, this.targets.place(info, target, 'get'), read);
    return object as unknown as Wire<T> | undefined;
  }

  override async list<T>(kind: KindRef<T>, options: ListOptions = {}): Promise<ResourceList<Wire<T>>> {
    const source = metadataSource(kind);
    const info = await this.targets.kind(source ?? kind, 'list');
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
      metadataOnly: source !== undefined,
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

  override async patchFrom<D extends KubernetesObject>(
    before: D,
    after: D,
    options: PatchFromOptions = {},
  ): Promise<Stored<D>> {
    const { info } = await this.written([before], 'patch');
    const place = this.targets.place(info, before, 'patch');
    const { name, namespace } = after.metadata ?? {};
    if (name !== before.metadata?.name || namespace !== before.metadata?.namespace)
      throw clientErrors.mutateKey(place.what);
    const operations = options.type === 'json' ? jsonPatchDiff(before, after) : [];
    const body = options.type === 'json' ? (operations.length > 0 ? operations : undefined) : mergeDiff(before, after);
    if (body === undefined) return mutable(before) as unknown as Stored<D>;
    return (await patch(this.core, place, body as object, { ...this.writeDefaults, ...options })) as never;
  }

  override async createOrUpdate<T>(
    kind: KindRef<T>,
    target: Target,
    mutate: Mutate<T>,
    options?: WriteOptions,
  ): Promise<EnsureOutcome> {
    const place = await this.place(kind, target, 'create or update');
    return createOrUpdate(this.core, place, mutate as Mutate<unknown>, { ...this.writeDefaults, ...options });
  }

  override async createOrPatch<T>(
    kind: KindRef<T>,
    target: Target,
    mutate: Mutate<T>,
    options?: WriteOptions,
  ): Promise<EnsurePatchOutcome> {
    const place = await this.place(kind, target, 'create or patch');
    return createOrPatch(this.core, place, mutate as Mutate<unknown>, { ...this.writeDefaults, ...options });
  }

  override async edit<T>(
    kind: KindRef<T>,
    target: Target,
    change: Mutate<T>,
    options?: WriteOptions,
  ): Promise<Wire<T>> {
    const place = await this.place(kind, target, 'edit');
    return (await edit(this.core, place, change as Mutate<unknown>, { ...this.writeDefaults, ...options })) as never;
  }

  override applyIfChanged<D extends KubernetesObject>(object: D, options?: ApplyOptions): Promise<ApplyOutcome>;
  override applyIfChanged<T>(kind: KindRef<T>, object: Draft<T>, options?: ApplyOptions): Promise<ApplyOutcome>;
  override async applyIfChanged(...args: unknown[]): Promise<ApplyOutcome> {
    const { info, object, options } = await this.written(args, 'apply');
    const place = this.targets.place(info, object, 'apply');
    this.targets.written(info, object, 'apply');
    const intent = ofKind(info, object, place.what);
    return this.core.applied.applyIfChanged(place, intent, { ...this.writeDefaults, ...options });
  }

  override async deleteAllOf<T>(kind: KindRef<T>, options: DeleteAllOfOptions): Promise<void> {
    const info = await this.targets.kind(kind, 'delete all of');
    const namespace = this.targets.listed(info, options.namespace);
    const what = `delete all of ${info.kind}`;
    if (info.scope === 'Namespaced' && namespace === undefined) throw clientErrors.namespaceRequired(what, info);
    const labels = parseLabelSelector(options.labels).text || undefined;
    const fields = parseFieldSelector(options.fields).text || undefined;
    if (labels === undefined && fields === undefined && !options.all) throw clientErrors.deleteAll(what);
    const { dryRun } = this.writeDefaults;
    await deleteAllOf(
      this.core,
      { kind: info, namespace, labels, fields },
      { ...(dryRun !== undefined && { dryRun }), ...options },
    );
  }

  override scale(target: ObjectTarget): ScaleClient;
  override scale<T>(kind: KindRef<T>, target: Target): ScaleClient;
  override scale(...args: unknown[]): ScaleClient {
    return new ScaleWrites(this.placed(args, 'scale'));
  }

  override async evict(pod: Target, options: EvictOptions = {}): Promise<void> {
    await evict(this.core, await this.place(POD, pod, 'evict'), { ...this.writeDefaults, ...options });
  }

  override async token(serviceAccount: Target, options: TokenOptions = {}): Promise<IssuedToken> {
    return token(this.core, await this.place(SERVICE_ACCOUNT, serviceAccount, 'create token of'), options);
  }

  override subresource(target: ObjectTarget, name: string): SubresourceClient;
  override subresource<T>(kind: KindRef<T>, target: Target, name: string): SubresourceClient;
  override subresource(...args: unknown[]): SubresourceClient {
    const name = args.at(-1) as string;
    return new Subresource(this.placed(args.slice(0, -1), name), name);
  }

  /** Where a subresource client finds its object, once it is called. */
  private placed(args: unknown[], verb: string): ConstructorParameters<typeof ScaleWrites>[0] {
    const place = async (): Promise<Place> => {
      const { info, target } = await this.targeted(args, verb);
      return this.targets.place(info, target, verb);
    };
    return { core: this.core, defaults: this.writeDefaults, place };
  }

  private async place(kind: KindRef<unknown>, target: Target, verb: string): Promise<Place> {
    return this.targets.place(await this.targets.kind(kind, verb), target, verb);
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

function uidOf(owner: { readonly metadata: ObjectMeta }, what: string): string {
  const { uid } = owner.metadata;
  if (uid === undefined)
    throw new TypeError(`${what}: the owner has no metadata.uid; pass it as read from the API server`);
  return uid;
}
