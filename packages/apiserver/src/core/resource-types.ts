import type { SchemaSource, TypingNode } from './schema-types.js';
import type { FieldError, JsonObject, JsonValue, KubeObject, Principal, Verb } from './object-types.js';

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
