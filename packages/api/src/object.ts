import type { Scope } from './gvk.js';

/** A reference from an object to an owner in the same namespace, or to a cluster-scoped owner. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Metadata as a caller writes it. Timestamps are RFC 3339 text, as on the wire. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string | undefined;
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
  managedFields?: Record<string, unknown>[];
  selfLink?: string;
}

/** Metadata of an object that the API server returned. */
export interface StoredObjectMeta extends ObjectMeta {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: string;
}

/** The least that any object is. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** An object as the API server returned it. */
export interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: StoredObjectMeta;
}

/**
 * Base class of resource classes. It declares the members every object has; instances are only made where decorators and
 * validation need them: clients return plain JSON of this shape.
 */
export abstract class KubernetesResource {
  // Only declared: instances carry what JSON gave them, never members that hold undefined.
  declare apiVersion: string;
  declare kind: string;
  declare metadata: StoredObjectMeta;
}

type WireValue<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? WireValue<Item>[]
    : T extends (...args: never[]) => unknown
      ? never
      : T extends object
        ? { [K in keyof T]: WireValue<T[K]> }
        : T;

type Methods<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T];

/**
 * `T` as it stands on the wire: timestamps are strings, `apiVersion`, `kind` and `metadata` are always there, methods of
 * the class are not.
 */
export type Wire<T> = { [K in keyof T as Exclude<K, keyof StoredObject | Methods<T>>]: WireValue<T[K]> } & StoredObject;

/** What a caller hands to `create` and `apply`: `T` without what the server fills. */
export type Draft<T> = {
  [K in keyof T as Exclude<K, keyof StoredObject | Methods<T>>]: WireValue<T[K]>;
} & KubernetesObject;

/** `T` as stored: metadata that the server has filled. */
export type Stored<T> = Omit<T, keyof StoredObject> & StoredObject;

declare const describes: unique symbol;

/** A kind without a class of its own, made by {@link kind}. `T` is the type of its objects. */
export interface KindToken<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Undefined: found by one discovery read. */
  readonly plural?: string;
  readonly scope?: Scope;
  readonly hasStatus?: boolean;
  readonly [describes]?: T;
}

/** How calls name a kind: a resource class, a model class of a built-in kind, or a token of {@link kind}. */
export type KindRef<T> = (abstract new (...args: never[]) => T) | KindToken<T>;

/** Names a kind by its group, version and kind; `plural` and `scope` save the discovery read when known. */
export function kind<T = KubernetesObject>(options: {
  group: string;
  version: string;
  kind: string;
  plural?: string;
  scope?: Scope;
}): KindToken<T> {
  return Object.freeze({ ...options });
}
