/**
 * The words that every part of the API server shares. `core` holds object semantics and imports nothing outside itself
 * (BD-3); schema, patch, apply, crd, admission and kinds plug in through the ports declared here.
 */

import type { Schema, SchemaSource, TypingNode, ValidationRule } from './schema-types.js';

export type { Schema, SchemaSource, TypingNode, ValidationRule };

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export interface JsonObject {
  [key: string]: JsonValue;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
  [key: string]: unknown;
}

/** An object as JSON says it. Stored objects are deep-frozen (ST-4). */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [key: string]: unknown;
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** Who asks. `groups` already holds `system:authenticated` or `system:unauthenticated`. */
export interface Principal {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface TimerHandle {
  readonly cancel: () => void;
}

/** All time of the server (timestamps, grace periods, TTLs, bookmarks, watch time-outs) comes from here (TC-7). */
export interface Clock {
  /** Wall clock in ms since the epoch. */
  now(): number;
  /** Calls `run` once after `ms`; never keeps the process alive. */
  after(ms: number, run: () => void): TimerHandle;
  /** True while time stands still, so that waiting makes nothing due (TC-7). */
  readonly frozen?: boolean;
}

/** Source of chance: uid, generateName suffix, jitter; seedable. */
export interface Random {
  /** [0, 1). */
  next(): number;
  uuid(): string;
  /** `length` characters of `bcdfghjklmnpqrstvwxz2456789` (ME-1). */
  suffix(length: number): string;
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

// ---- errors ---------------------------------------------------------------------------------------------------------

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** `metav1.Status`, always in this key order on the wire. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

// ---- resources ------------------------------------------------------------------------------------------------------

export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

/** A column of a Table. `cell` gets the object at the requested version; missing → `<none>` or null is its own business. */
export interface TableColumn {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  cell(object: KubeObject, now: number): JsonValue;
}

/** One served or stored version of a resource. */
export interface ResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: SchemaSource | undefined;
  /** Status and scale are known to the core; the rest (`eviction`, `binding`, `log`, `token`, …) is listed for discovery. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  readonly columns: readonly TableColumn[];
  /** Label → value function of what `fieldSelector` may name besides metadata.name and metadata.namespace (QP-2). */
  readonly fields: Readonly<Record<string, (object: KubeObject) => string>>;
}

export interface SubresourceInfo {
  name: string;
  kind: string;
  group: string;
  version: string;
  verbs: readonly string[];
}

/** How one resource behaves where resources differ (ME-2, ME-5, ME-6, ME-7, DL-1, DL-2, ER-30). */
export interface ResourceTraits {
  /** `subdomain` (default), `label` (≤ 63, no dots), `path` (RBAC names). */
  names: 'subdomain' | 'label' | 'path';
  /** PUT without resourceVersion takes the live one. */
  unconditionalUpdate: boolean;
  /** PUT of an absent object creates it. */
  createOnUpdate: boolean;
  /** Pods only. */
  gracefulDelete: boolean;
  /** A delete marks the object and counts no generation, nor a grace period (CustomResourceDefinition); default false. */
  barelyMarked?: boolean;
  /** What a successful DELETE of an object that is gone answers. */
  deleteAnswer: 'status' | 'object';
  /** Policy when the caller gives none. */
  defaultPropagation: 'Background' | 'Orphan';
  /** Parts of metadata that a write to /status takes (ME-8); default none. */
  statusMetadata?: readonly ('labels' | 'annotations' | 'finalizers' | 'ownerReferences')[];
  /** A create keeps the status that was sent although the kind has a status subresource (Node); default false. */
  statusOnCreate?: boolean;
  /** `none`: the kind has no generation (one sent on create is stored as sent, ME-4). */
  generation: 'none' | 'spec' | 'spec-and-annotations' | 'non-metadata';
}

/** What the core knows of one resource (GR). Custom and built-in resources differ only in what stands here. */
export interface ResourceDef {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** True when a CustomResourceDefinition declares it. */
  readonly custom: boolean;
  readonly verbs: readonly Verb[];
  /** In kube priority order (DI-4); at least one is served. */
  readonly versions: readonly ResourceVersion[];
  readonly storageVersion: string;
  readonly traits: ResourceTraits;
  readonly subresources: readonly SubresourceInfo[];
  readonly strategy: Strategy;
  /** Resources that share one storage under other names (Event, KI-2) name the storage key here; default `plural.group`. */
  readonly storage?: string;
}

/** The result of decoding a body: the object to go on with, and what a strict decoder would complain about. */
export interface Decoded {
  object: KubeObject;
  /** `unknown field "spec.foo"` …, in document order, without the `duplicate field` of the text (those come with the body). */
  problems: string[];
}

export interface WriteContext {
  readonly principal: Principal;
  readonly now: number;
  readonly dryRun: boolean;
  readonly version: string;
  readonly subresource: string | undefined;
  warn(text: string): void;
}

/**
 * Per-kind behaviour. All functions are synchronous and never change their arguments unless the name says so (`…InPlace`):
 * the pipeline hands them private copies there.
 */
export interface Strategy {
  /** Checks apiVersion and kind, prunes, coerces, fills defaults at `version`. Throws StatusError (400, 422). */
  decode(body: JsonObject, version: ResourceVersion, mode: 'create' | 'update'): Decoded;
  /** Fills defaults again at `version` after an admission patch; prunes too. */
  defaultInPlace(object: KubeObject, version: ResourceVersion): void;
  /** Between versions of one resource; identity when equal. May call a conversion webhook, hence a promise. */
  convert(object: KubeObject, to: string): KubeObject | Promise<KubeObject>;
  /**
   * Only for kinds that share the storage of another (KI-2): the object in the form that is stored. `convert` gets that form
   * when reading (its apiVersion is the other group's).
   */
  toStorage?(object: KubeObject): KubeObject;
  /** After metadata was filled: drop status, set kind-specific initial fields, fold stringData, allocate. */
  prepareForCreateInPlace(object: KubeObject, context: WriteContext): void;
  /** `next` already carries system metadata of `old`; the core has already kept status or spec apart by subresource. */
  prepareForUpdateInPlace(next: KubeObject, old: KubeObject, context: WriteContext): void;
  validateCreate(object: KubeObject, context: WriteContext): FieldError[];
  validateUpdate(next: KubeObject, old: KubeObject, context: WriteContext): FieldError[];
  /** Before an object is deleted for the first time: finalizers and conditions that hold it (CR-5). */
  prepareForDeleteInPlace?(object: KubeObject, context: WriteContext): void;
  /** Typing for server-side apply and strategic merge at `version` (SA-3, PT-3). */
  typing(version: ResourceVersion): TypingNode;
}

// ---- field errors ---------------------------------------------------------------------------------------------------

export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/** One cause of a 422. `message` is the text after `<field>: `, e.g. `Invalid value: 0: must be …`. */
export interface FieldError {
  type: FieldErrorType;
  field: string;
  message: string;
}

// ---- ports ----------------------------------------------------------------------------------------------------------

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** JSON, merge and strategic patches (PT-1 … PT-4); pure. Throws StatusError (ER-12). */
export interface PatchPort {
  patch(type: 'json' | 'merge' | 'strategic', live: KubeObject, body: JsonValue, typing: TypingNode): JsonObject;
}

export interface ApplyInput {
  live: KubeObject | undefined;
  /** The applied object, undefaulted, as sent. */
  patch: JsonObject;
  manager: string;
  force: boolean;
  subresource: string | undefined;
  /** `group/version` of the request. */
  apiVersion: string;
  typing: TypingNode;
  time: string;
  gvk: GroupVersionKind;
  /** A custom resource. Default: false. */
  custom?: boolean | undefined;
  /**
   * Top-level fields this endpoint does not take, so nobody can own them through it: `status` on a resource with a status
   * subresource, `metadata` and `spec` on `/status`. Default: none.
   */
  reset?: readonly string[] | undefined;
}

/** Server-side apply and managed fields (SA-1 … SA-12); pure. Throws StatusError. */
export interface ApplyPort {
  /** The merged object with its new `metadata.managedFields` (not yet defaulted or validated). */
  apply(input: ApplyInput): KubeObject;
  /**
   * managedFields after a create, update or patch: changed and added fields go to `manager`, leave all others. Answers the
   * new list, or undefined when the object shall carry none. `old` undefined = create.
   */
  track(input: {
    old: KubeObject | undefined;
    next: KubeObject;
    manager: string;
    operation: 'Update' | 'Apply';
    subresource: string | undefined;
    apiVersion: string;
    typing: TypingNode;
    time: string;
    /** As in ApplyInput. */
    reset?: readonly string[] | undefined;
    /** A custom resource: `managedFields: []` in the body resets built-ins only (SA-6). Default: false. */
    custom?: boolean | undefined;
  }): ManagedFieldsEntry[] | undefined;
}

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionAttributes {
  operation: AdmissionOperation;
  resource: ResourceDef;
  version: string;
  subresource: string | undefined;
  namespace: string | undefined;
  name: string | undefined;
  /** At `version`; undefined on DELETE. */
  object: KubeObject | undefined;
  oldObject: KubeObject | undefined;
  principal: Principal;
  dryRun: boolean;
  options: JsonObject;
  warn(text: string): void;
}

/** Admission plug-ins and webhooks. Throws StatusError to deny. */
export interface AdmissionPort {
  /** Answers the object to go on with. */
  mutate(attributes: AdmissionAttributes): Promise<KubeObject | undefined>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

// ---- object service -------------------------------------------------------------------------------------------------

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

// ---- semantics ------------------------------------------------------------------------------------------------------

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
