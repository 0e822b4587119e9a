import type {
  Duration,
  EventHandler,
  EventPredicate,
  FieldSelector,
  KindRef,
  KubernetesObject,
  LabelSelector,
  Request,
  Scope,
  StoredObject,
  Wire,
} from '@kubewright/api';
import type { Class, Thunk } from './class-type.js';

/** Options of `@Resource`. */
export interface ResourceOptions {
  /** API group: a DNS subdomain with at least one dot. */
  readonly group: string;
  /** `v1`, `v1beta2`, `v2alpha1`, … */
  readonly version: string;
  /** Default: the class name. */
  readonly kind?: string;
  /** Default: kind + `List`. */
  readonly listKind?: string;
  /** Default: the English plural of the lower-cased kind. */
  readonly plural?: string;
  /** Default: the lower-cased kind. */
  readonly singular?: string;
  /** Default: none. */
  readonly shortNames?: readonly string[];
  /** Groups such as `all` that `kubectl get` accepts. Default: none. */
  readonly categories?: readonly string[];
  /** Default `Namespaced`. */
  readonly scope?: Scope;
  /** False keeps the version for stored data only. Default true. */
  readonly served?: boolean;
  /** True, or the warning text clients get. Default false. */
  readonly deprecated?: boolean | string;
  /** Description of the root schema. Default: the comment before the class is not read; none. */
  readonly description?: string;
  /** Labels and annotations of the CRD. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Appends an Age column when there is any column. Default true. */
  readonly ageColumn?: boolean;
  /** The kind belongs to somebody else: typed and watchable, but no CRD is generated. Default false. */
  readonly external?: boolean;
}

/** Options of `@Controller` that are plain values; each consequence stands in C4. */
export interface ControllerSettings {
  /** Default: the lower-cased kind of `@For`. Needed without `@For`. */
  readonly name?: string;
  /** Runs of different keys at once. Default 1. */
  readonly maxConcurrentReconciles?: number;
  /** How long start waits for the caches. Default 2 min; 0 = for ever. */
  readonly cacheSyncTimeout?: Duration;
  /** A run is aborted after this. Default 10 min; 0 = never. */
  readonly reconcileTimeout?: Duration;
  /** A quiet key runs again after this, ± 10 %. Default 10 h; 0 = never. */
  readonly failsafeInterval?: Duration;
  /** Retries of a failing key. Default: no end. */
  readonly maxRetries?: number;
  /** Share by which rate-limited delays are shortened at random, 0…1. Default 0.2. */
  readonly jitter?: number;
  /** A waiting key moves up one priority level that often. Default 30 s; 0 = never. */
  readonly promoteAfter?: Duration;
  /** Merges events that follow each other within `window`, for at most `maxDelay` (5 windows). Default: off. */
  readonly coalesce?: { readonly window: Duration; readonly maxDelay?: Duration };
  /** Start does not wait for its kinds; it engages when they appear. Default false. */
  readonly optional?: boolean;
  /** False: a programming error in reconcile stops the operator. Default true. */
  readonly recoverPanic?: boolean;
  /** False: runs on every replica. Default true. */
  readonly needLeaderElection?: boolean;
}

/** Options of controllers that can be given for all of them, or for those of one kind (C3). */
export type ControllerDefaults = Omit<ControllerSettings, 'name'>;

/** A predicate instance, or an injectable class of predicates (`@Predicate()`). */
export type PredicateRef<T = KubernetesObject> = EventPredicate<T> | Class<EventPredicate<T>>;

/** An event handler instance, or an injectable class. */
export type HandlerRef<T = KubernetesObject> = EventHandler<T> | Class<EventHandler<T>>;

/** Options common to `@For`, `@Owns` and `@Watches`. */
export interface SourceOptions<T = KubernetesObject> {
  /** Which events reach the queue, all of them ANDed. They do not make the cache smaller. Default: all events. */
  readonly predicates?: readonly PredicateRef<T>[];
  /** Only objects with these labels are listed, watched and cached. Default: all. */
  readonly selector?: LabelSelector;
  /** Only objects with these fields are listed, watched and cached. Default: all. */
  readonly fieldSelector?: FieldSelector;
  /** Default: the namespaces of the operator. */
  readonly namespaces?: readonly string[];
  /** Cuts objects down before they are cached; pure, and must keep the identity of the object (R26). Default: none. */
  transform?(this: void, object: Wire<T>): StoredObject;
  /** Indexes for `client.list(kind, { index })`: name → values of an object. Default: none. */
  readonly index?: Readonly<Record<string, (object: Wire<T>) => readonly string[]>>;
  /** The controller starts without waiting for this kind, which need not exist; it joins in when it appears. Default false. */
  readonly optional?: boolean;
  /** False: cached reads of the kind may be older than the operator's own writes (L46). Default true. */
  readonly readYourOwnWrites?: boolean;
  /** Keeps `metadata.managedFields`, often half of an object. Default false (R27). */
  readonly keepManagedFields?: boolean;
  /** Queue priority of all requests of this source, −1000…1000. Default: 0, −100 for initial lists. */
  readonly priority?: number;
}

/** Options of `@Owns`. */
export interface OwnsOptions<T = KubernetesObject> extends SourceOptions<T> {
  /** False: every owner reference counts, not only that of the controlling owner. Default true. */
  readonly controllerOnly?: boolean;
}

/** Options of `@Watches`. */
export interface WatchesOptions<T = KubernetesObject> extends SourceOptions<T> {
  /** Needed on a class; on a method the method is the mapping. */
  readonly handler?: HandlerRef<T>;
}

/** Events from outside the cluster, made by `channelSource()`. */
export interface EventChannel {
  push(target: Request | KubernetesObject): boolean;
  source(options: never): unknown;
}

export type SourceRole = 'For' | 'Owns' | 'Watches';

/** One `@For`, `@Owns` or `@Watches` as written. */
export interface SourceRecord {
  readonly role: SourceRole;
  readonly kind: KindRef<unknown> | Thunk<KindRef<unknown>> | EventChannel;
  readonly options: OwnsOptions & WatchesOptions;
  /** Name of the mapping method of the method form. */
  readonly method?: string;
}

/** A column of `kubectl get`. */
export interface PrinterColumnOptions {
  readonly name: string;
  /** Default on a property: follows from the property's type. */
  readonly type?: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  /** Default on a property: the path of the property. */
  readonly jsonPath?: string;
  readonly format?: string;
  readonly description?: string;
  /** Shown only with `-o wide` when above 0. Default 0. */
  readonly priority?: number;
  /** Sorts columns; equal ones keep their order. Default 0. */
  readonly order?: number;
}

/** Paths of the scale subresource. */
export interface ScaleOptions {
  readonly spec: string;
  readonly status: string;
  readonly selector?: string;
}

/** What our own decorators say of one property. */
export interface PropertyRecord {
  readonly type?: Thunk<unknown>;
  readonly each?: boolean;
  readonly optional?: boolean;
  readonly status?: { readonly subresource: boolean };
  /** Boxed, so that `null` and `undefined` stay apart. */
  readonly default?: { readonly value: unknown };
  readonly columns?: readonly PrinterColumnOptions[];
}

/** A decorator in a place where it means nothing. */
export interface Misuse {
  /** The decorator as written: `@Watches(V1Node)`. */
  readonly decorator: string;
  readonly property?: string;
  /** `stands on a property`. */
  readonly found: string;
  /** `a method returning Request[]`. */
  readonly expected: string;
  readonly fix: string;
}

/** All that was written on one class. */
export interface ClassRecord {
  readonly resource?: ResourceOptions;
  readonly controller?: ControllerSettings;
  /** Interval of `@Every`. */
  readonly every?: Duration;
  readonly injectable?: boolean;
  readonly predicates: readonly PredicateRef<never>[];
  readonly sources: readonly SourceRecord[];
  readonly columns: readonly PrinterColumnOptions[];
  readonly scale?: ScaleOptions;
  readonly properties: Readonly<Record<string, PropertyRecord>>;
  readonly misuses: readonly Misuse[];
}
