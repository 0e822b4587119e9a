import type { Draft, KindRef, KubernetesObject, ObjectMeta, Stored, StoredObject, Wire } from './object.js';
import type {
  DeleteAllOfOptions,
  EvictOptions,
  IssuedToken,
  ScaleClient,
  SubresourceClient,
  TokenOptions,
} from './subresources.js';

/** Names one object: a request, a name and namespace, or the object itself. */
export type Target =
  { readonly namespace?: string | undefined; readonly name: string } | { readonly metadata: ObjectMeta };

/** Names one object and its kind: an object with `apiVersion`, `kind` and `metadata.name`. */
export type ObjectTarget = { readonly apiVersion?: string; readonly kind?: string; readonly metadata?: ObjectMeta };

/**
 * Where a read is answered (L20): `auto` takes from the cache what the cache can prove and asks the server for the rest,
 * `cache` never asks the server, `live` always does.
 */
export type ReadMode = 'auto' | 'cache' | 'live';

export interface CallOptions {
  /** Ends the call; inside a reconcile the run's own signal is the default (L18). */
  readonly signal?: AbortSignal;
  /** Total limit in ms. Default: none but the transport's (T15). */
  readonly timeoutMs?: number;
}

export interface ReadOptions extends CallOptions {
  /** Default `auto`. */
  readonly read?: ReadMode;
}

/** Labels as a map (all must be equal), or a selector text: `a=b,c!=d,e in (f,g),!h`. */
export type LabelSelector = Readonly<Record<string, string>> | string;

/** Fields as a map, or a selector text: `metadata.name=x,status.phase!=Running`. */
export type FieldSelector = Readonly<Record<string, string>> | string;

export interface ListOptions extends ReadOptions {
  /** Default: all namespaces, or the client's own (`with`). */
  readonly namespace?: string;
  readonly labels?: LabelSelector;
  readonly fields?: FieldSelector;
  /** Objects with an owner reference of this uid. */
  readonly ownedBy?: { readonly metadata: ObjectMeta };
  /** Objects whose controlling owner has this uid. */
  readonly controlledBy?: { readonly metadata: ObjectMeta };
  /** Index name → value; several are ANDed. */
  readonly index?: Readonly<Record<string, string>>;
  /** At most this many objects. */
  readonly limit?: number;
}

/** A list; order is not promised. `resourceVersion` is that of the answer, or of the cache. */
export type ResourceList<T> = T[] & { readonly resourceVersion: string };

/** `Strict` refuses what the server would drop; it is the default (L16). */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface WriteOptions extends CallOptions {
  /** Everything is checked, nothing is stored. Default false. */
  readonly dryRun?: boolean;
  /** Name in `managedFields`. Default: `<operator>-<controller>` in a run, else `<operator>` (L11). */
  readonly fieldManager?: string;
  readonly fieldValidation?: FieldValidation;
  /** False: this write is not remembered for cached reads (L46). Default true. */
  readonly remember?: boolean;
}

export interface UpdateOptions extends WriteOptions {
  /** Sends the object without a resourceVersion check. Default false (L8). */
  readonly unconditional?: boolean;
  /**
   * Sends the object though the cache keeps only part of its kind (transform, metadata only). Default false: the update
   * would erase what was cut off (L24).
   */
  readonly transformed?: boolean;
}

export type PatchType = 'merge' | 'json' | 'strategic';

export interface PatchOptions extends WriteOptions {
  /** Default `merge`. `strategic` is for built-in kinds only. */
  readonly type?: PatchType;
  /** Fails with a conflict if the object is not at the resourceVersion of the target. Default false (L9). */
  readonly optimisticLock?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  /** Takes fields that another manager owns. Default true (L11). */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  /** Default `Background` (L12). */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  /** Deletes whatever has that name, though the target names a uid. Default false. */
  readonly anyUid?: boolean;
  /** Throws NotFound when there is nothing to delete. Default false. */
  readonly mustExist?: boolean;
}

/** `deleting`: finalizers or a grace period keep the object for now. */
export type DeleteOutcome = 'deleted' | 'deleting' | 'absent';

export interface StatusPatchOptions extends WriteOptions {
  /** Sends the patch though it would change nothing in the newest cached state. Default false (L15). */
  readonly always?: boolean;
}

type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : Record<string, unknown>;

/** Writes to the status subresource of one object; everything outside `status` stays as it is. */
export interface StatusClient<T> {
  /** Merge-patches `{ status: part }`; `null` removes a member. Not sent if it would change nothing (L15). */
  patch(
    part: { [K in keyof StatusOf<T>]?: StatusOf<T>[K] | null },
    options?: StatusPatchOptions,
  ): Promise<T & StoredObject>;
  /** Replaces the whole status, checked against the target's resourceVersion. */
  update(status: StatusOf<T>, options?: WriteOptions): Promise<T & StoredObject>;
  /** Applies part of the status server-side. */
  apply(part: Partial<StatusOf<T>>, options?: ApplyOptions): Promise<T & StoredObject>;
}

/** What a derived client does differently (L17). */
export interface ClientScope {
  /** Calls are about this namespace; another one is refused. Cluster-scoped kinds are not concerned. */
  readonly namespace?: string;
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: FieldValidation;
  readonly read?: ReadMode;
}

/** An object that is about to be written: fields to be set, metadata with the name it has to keep. */
export type Editable<T> = Draft<T> & { metadata: ObjectMeta };

/** Changes an object in place; may be called again when somebody else was faster. */
export type Mutate<T> = (object: Editable<T>) => void | Promise<void>;

/** Options of {@link Client.patchFrom}. */
export interface PatchFromOptions extends WriteOptions {
  /** Default `merge`. */
  readonly type?: 'merge' | 'json';
  /** Fails with a conflict if the object is not at the resourceVersion of `before`. Default false. */
  readonly optimisticLock?: boolean;
}

/** What {@link Client.createOrUpdate} did. */
export type EnsureOutcome = 'created' | 'updated' | 'unchanged';

/** What {@link Client.createOrPatch} did: `updatedStatus` is object and status. */
export type EnsurePatchOutcome = EnsureOutcome | 'updatedStatus' | 'updatedStatusOnly';

/** What {@link Client.applyIfChanged} did; `skipped`: nothing was sent. */
export type ApplyOutcome = EnsureOutcome | 'skipped';

/**
 * The typed client a reconciler gets, injected by type. Reads come from the cache where the cache can prove them, own
 * writes included (L34); results are plain JSON. Failures are ApiError and the `KW_CLIENT_…`, `KW_CACHE_…`,
 * `KW_TRANSPORT_…` rows of the error table.
 */
export abstract class Client {
  /** The object; throws ApiError NotFound (see {@link find}). */
  abstract get<T>(kind: KindRef<T>, target: Target, options?: ReadOptions): Promise<Wire<T>>;
  /** The object, or undefined when it does not exist. */
  abstract find<T>(kind: KindRef<T>, target: Target, options?: ReadOptions): Promise<Wire<T> | undefined>;
  abstract list<T>(kind: KindRef<T>, options?: ListOptions): Promise<ResourceList<Wire<T>>>;

  /** Creates an object that names its own kind, or one of `kind`. Answers what the server stored. */
  abstract create<D extends KubernetesObject>(object: D, options?: WriteOptions): Promise<Stored<D>>;
  abstract create<T>(kind: KindRef<T>, object: Draft<T>, options?: WriteOptions): Promise<Wire<T>>;
  /** Replaces an object; needs its resourceVersion. Status is not touched where it is a subresource. */
  abstract update<D extends KubernetesObject>(object: D, options?: UpdateOptions): Promise<Stored<D>>;
  /** Changes parts of an object: an object for `merge` and `strategic`, a list of operations for `json`. */
  abstract patch<D extends ObjectTarget>(target: D, body: object, options?: PatchOptions): Promise<Stored<D>>;
  abstract patch<T>(kind: KindRef<T>, target: Target, body: object, options?: PatchOptions): Promise<Wire<T>>;
  /** Server-side apply: the object states what this manager wants, and nothing else. */
  abstract apply<D extends KubernetesObject>(object: D, options?: ApplyOptions): Promise<Stored<D>>;
  abstract apply<T>(kind: KindRef<T>, object: Draft<T>, options?: ApplyOptions): Promise<Wire<T>>;
  /** Deletes one object; a target with a uid is deleted only as that uid. */
  abstract delete(target: ObjectTarget, options?: DeleteOptions): Promise<DeleteOutcome>;
  abstract delete<T>(kind: KindRef<T>, target: Target, options?: DeleteOptions): Promise<DeleteOutcome>;

  abstract status<D extends ObjectTarget>(target: D): StatusClient<D>;
  abstract status<T>(kind: KindRef<T>, target: Target): StatusClient<Wire<T>>;

  /** Sends what makes `after` of `before`; nothing if they are equal (L10). */
  abstract patchFrom<D extends KubernetesObject>(before: D, after: D, options?: PatchFromOptions): Promise<Stored<D>>;
  /**
   * Creates the object, or changes it by `mutate`; nothing is sent when `mutate` changes nothing. Begins again from a
   * live read when somebody else was faster, five times at most (L29).
   */
  abstract createOrUpdate<T>(
    kind: KindRef<T>,
    target: Target,
    mutate: Mutate<T>,
    options?: WriteOptions,
  ): Promise<EnsureOutcome>;
  /** As {@link createOrUpdate} with merge patches, object and status apart; status only of an object that is there (L30). */
  abstract createOrPatch<T>(
    kind: KindRef<T>,
    target: Target,
    mutate: Mutate<T>,
    options?: WriteOptions,
  ): Promise<EnsurePatchOutcome>;
  /** Reads, changes and updates an object that is there; again from a live read on conflict, five times at most (L31). */
  abstract edit<T>(kind: KindRef<T>, target: Target, change: Mutate<T>, options?: WriteOptions): Promise<Wire<T>>;
  /** Applies unless the same was applied before and the cached object still shows what came of it (L32). */
  abstract applyIfChanged<D extends KubernetesObject>(object: D, options?: ApplyOptions): Promise<ApplyOutcome>;
  abstract applyIfChanged<T>(kind: KindRef<T>, object: Draft<T>, options?: ApplyOptions): Promise<ApplyOutcome>;

  /** Deletes all objects that are selected, in one call; the verb is `deletecollection` (L13). */
  abstract deleteAllOf<T>(kind: KindRef<T>, options: DeleteAllOfOptions): Promise<void>;
  abstract scale(target: ObjectTarget): ScaleClient;
  abstract scale<T>(kind: KindRef<T>, target: Target): ScaleClient;
  /** Deletes a Pod if its disruption budgets allow; else `KW_API_EVICTION_BLOCKED` at once. */
  abstract evict(pod: Target, options?: EvictOptions): Promise<void>;
  /** A token of a service account. */
  abstract token(serviceAccount: Target, options?: TokenOptions): Promise<IssuedToken>;
  /** Any other subresource by its name. */
  abstract subresource(target: ObjectTarget, name: string): SubresourceClient;
  abstract subresource<T>(kind: KindRef<T>, target: Target, name: string): SubresourceClient;

  /** A client that differs from this one in the given points. */
  abstract with(scope: ClientScope): Client;
  /** The same client, reading from the server only. */
  abstract readonly live: Client;
}
