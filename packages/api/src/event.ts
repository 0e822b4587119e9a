import type { KubernetesObject, Wire } from './object.js';

/** An object is there: found in the initial list, or new. */
export interface CreateEvent<T = KubernetesObject> {
  readonly type: 'create';
  readonly object: Wire<T>;
  /** True for objects that were there when the watch began. */
  readonly isInInitialList: boolean;
}

export interface UpdateEvent<T = KubernetesObject> {
  readonly type: 'update';
  readonly oldObject: Wire<T>;
  readonly newObject: Wire<T>;
}

export interface DeleteEvent<T = KubernetesObject> {
  readonly type: 'delete';
  readonly object: Wire<T>;
  /** The deletion itself was not seen; `object` is the last state known. */
  readonly deleteStateUnknown: boolean;
}

/** Something outside the cluster happened to an object. */
export interface GenericEvent<T = KubernetesObject> {
  readonly type: 'generic';
  readonly object: Wire<T>;
}

/** The four events of E1. Nothing may depend on which one came: a reconcile knows a key only. */
export type ObjectEvent<T = KubernetesObject> = CreateEvent<T> | UpdateEvent<T> | DeleteEvent<T> | GenericEvent<T>;
