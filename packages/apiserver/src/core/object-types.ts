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
