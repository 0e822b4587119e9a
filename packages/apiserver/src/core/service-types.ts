import type { Clock, JsonValue, KubeObject, Principal, Random, Status } from './object-types.js';
import type { ResourceDef } from './resource-types.js';
import type { PatchType } from './port-types.js';

/** What is addressed. `version` is the version of the URL. */
export interface Target {
  resource: ResourceDef;
  version: string;
  namespace?: string | undefined;
  name?: string | undefined;
  /** `status`, `scale` or undefined; the others are handled outside the core through these. */
  subresource?: string | undefined;
}

/** A decoded request body, and what the text itself held against it (duplicate keys). */
export interface Body {
  value: JsonValue;
  problems?: readonly string[];
  /** True when nobody else holds `value`: it is then used as it is; otherwise it is copied first. */
  owned?: boolean;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Options of every call. */
export interface CallOptions {
  principal: Principal;
  /** Collects `Warning:` texts (without `299 -`). */
  warn?: (text: string) => void;
  dryRun?: boolean;
  fieldManager?: string;
  fieldValidation?: FieldValidation;
  /** For injected faults that look at it (TC-1). */
  userAgent?: string;
}

export interface GetOptions extends CallOptions {
  resourceVersion?: string | undefined;
}

export interface ListOptions extends CallOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  limit?: number | undefined;
  continue?: string | undefined;
  resourceVersion?: string | undefined;
  resourceVersionMatch?: string | undefined;
  /** Refused on a list (QP-4). */
  sendInitialEvents?: boolean | undefined;
}

export interface ListResult {
  /** Objects at the version of the target; frozen. */
  items: KubeObject[];
  resourceVersion: string;
  continue?: string;
  remainingItemCount?: number;
}

export interface WatchOptions extends CallOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  resourceVersion?: string | undefined;
  resourceVersionMatch?: string | undefined;
  /** Refused on a watch (QP-7). */
  continue?: string | undefined;
  allowWatchBookmarks?: boolean;
  sendInitialEvents?: boolean | undefined;
  timeoutSeconds?: number | undefined;
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** `object` of ERROR is a Status. Objects are frozen and shared by all watchers, so encodings may be cached by identity (WA-8). */
export interface WatchEvent {
  type: WatchEventType;
  object: KubeObject | Status;
}

/** An open watch. The callback is called synchronously, in revision order; `end` at most once. */
export interface WatchSink {
  event(event: WatchEvent): void;
  /** No event follows. */
  end(): void;
  /** Breaks the connection without a proper end (TC-4); where there is no connection, `end` is called instead. */
  reset?(): void;
}

export interface WatchHandle {
  close(): void;
}

export interface DeleteOptions extends CallOptions {
  gracePeriodSeconds?: number | undefined;
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  orphanDependents?: boolean | undefined;
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
}

/** `gone`: removed from the store by this call; otherwise the object is still there (finalizers, grace). */
export interface DeleteResult {
  object: KubeObject;
  gone: boolean;
}

export interface WriteResult {
  object: KubeObject;
  /** 201 instead of 200. */
  created: boolean;
}

/**
 * The only way objects change (BD-5): HTTP handlers, pretend controllers, garbage collector, test control and a fake client
 * all call it. Every failure is a StatusError.
 */
export interface ObjectService {
  readonly registry: Registry;
  /** The store revision at this moment, decimal. */
  revision(): string;
  get(target: Target, options: GetOptions): Promise<KubeObject>;
  list(target: Target, options: ListOptions): Promise<ListResult>;
  /** Throws StatusError for bad options; a resourceVersion that is too old becomes an ERROR event (WA-3). */
  watch(target: Target, options: WatchOptions, sink: WatchSink): Promise<WatchHandle>;
  create(target: Target, body: Body, options: CallOptions): Promise<WriteResult>;
  update(target: Target, body: Body, options: CallOptions): Promise<WriteResult>;
  patch(
    target: Target,
    patch: { type: PatchType; body: Body; force?: boolean | undefined },
    options: CallOptions,
  ): Promise<WriteResult>;
  delete(target: Target, options: DeleteOptions): Promise<DeleteResult>;
  deleteCollection(
    target: Target,
    options: DeleteOptions & ListOptions,
  ): Promise<{ items: KubeObject[]; resourceVersion: string }>;
}

/** Added: no `previous`; removed: no `current`. */
export interface RegistryChange {
  readonly previous?: ResourceDef;
  readonly current?: ResourceDef;
}

/** The table of resources. Changes are announced synchronously, so discovery and OpenAPI follow in the same tick (DI-12). */
export interface Registry {
  readonly all: readonly ResourceDef[];
  byResource(group: string, plural: string): ResourceDef | undefined;
  byKind(group: string, kind: string): ResourceDef | undefined;
  add(resource: ResourceDef): void;
  replace(resource: ResourceDef): void;
  remove(group: string, plural: string): void;
  /** Called after each change; answers an unsubscribe function. */
  onChange(listener: (change: RegistryChange) => void): () => void;
  /** Counts changes; part of discovery hashes. */
  readonly generation: number;
}

/** One stored revision, as listeners inside the server see it: synchronously, in revision order, before any watcher. */
export interface StoreEvent {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Storage key of the collection: `ResourceDef.storage` or `plural.group`. */
  readonly storage: string;
  /** `namespace/name`, or `name`. */
  readonly key: string;
  /** At the storage version, frozen. DELETED: the state last stored with the revision of the deletion (WA-5). */
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

/** Something with queued work that `settle` has to wait for. */
export interface Settleable {
  readonly name: string;
  /** True when nothing is queued or running. */
  idle(): boolean;
}

/** The object core without HTTP (semantics.ts): what controllers, HTTP and a fake client are given. */
export interface Semantics {
  readonly objects: ObjectService;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  /** Hears each stored revision of one collection (storage key), or of all (`*`); answers an unsubscribe function. */
  subscribe(storage: string, listener: (event: StoreEvent) => void): () => void;
  /** All objects of a collection at the storage version, frozen, in key order. */
  stored(storage: string): readonly KubeObject[];
  /** Makes `settle` wait for it; answers a function that takes it out again. */
  track(controller: Settleable): () => void;
  /** Resolves when all controllers are idle; rejects with the names of the busy ones after `maxMs` (default 10,000). */
  settle(options?: { maxMs?: number }): Promise<void>;
  close(): void;
}
