import {
  builtinKind,
  type KubernetesObject,
  type ObjectMeta,
  type OwnerReference,
  parseApiVersion,
} from '@kubewright/api';
import { ownerErrors } from './owner-errors.js';

export interface ControllerReferenceOptions {
  /** The owner's foreground deletion waits for the object. Default true. */
  readonly blockOwnerDeletion?: boolean;
}

type Owned = { readonly metadata?: ObjectMeta };

/** Makes `owner` the controller of `object`, in place, and answers it (L26). A second controller is refused. */
export function setControllerReference<T extends KubernetesObject>(
  owner: KubernetesObject,
  object: T,
  { blockOwnerDeletion = true }: ControllerReferenceOptions = {},
): T {
  checkOwner(owner, object);
  const taken = controllerOf(object);
  if (taken && !isSame(taken, referenceTo(owner))) throw ownerErrors.taken(object, taken);
  return setReference(object, { ...referenceTo(owner), controller: true, blockOwnerDeletion });
}

/** Makes `owner` one of the owners of `object`, in place, and answers it. */
export function setOwnerReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  checkOwner(owner, object);
  return setReference(object, referenceTo(owner));
}

/** Takes `owner` out of the owners of `object`, in place. */
export function removeOwnerReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  return remove(owner, object, () => true);
}

/** As {@link removeOwnerReference}, only if `owner` is the controller. */
export function removeControllerReference<T extends KubernetesObject>(owner: KubernetesObject, object: T): T {
  return remove(owner, object, (reference) => reference.controller === true);
}

/** The reference to the controlling owner. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether the controlling owner of `object` is `owner`, by uid (L28). */
export function isControlledBy(object: Owned, owner: Owned): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** Whether `owner` is one of the owners of `object`, by uid. */
export function isOwnedBy(object: Owned, owner: Owned): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && (object.metadata?.ownerReferences ?? []).some((reference) => reference.uid === uid);
}

function checkOwner(owner: KubernetesObject, object: KubernetesObject): void {
  if (!owner.metadata?.uid) throw ownerErrors.noUid(owner);
  const ownerNamespace = owner.metadata.namespace;
  if (ownerNamespace === undefined) return;
  if (!isNamespaced(object)) throw ownerErrors.scope(owner, object);
  if (object.metadata?.namespace !== ownerNamespace) throw ownerErrors.namespace(owner, object);
}

/** A draft without a namespace is namespaced if its kind is known to be. */
function isNamespaced(object: KubernetesObject): boolean {
  if (object.metadata?.namespace !== undefined) return true;
  const { group, version } = parseApiVersion(object.apiVersion ?? '');
  return builtinKind({ group, version, kind: object.kind ?? '' })?.scope === 'Namespaced';
}

function referenceTo(owner: KubernetesObject): OwnerReference {
  const { apiVersion = '', kind = '', metadata } = owner;
  return { apiVersion, kind, name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
}

/** Same uid, or same group, kind and name: an owner that was made anew. */
function isSame(a: OwnerReference, b: OwnerReference): boolean {
  const group = (reference: OwnerReference): string => parseApiVersion(reference.apiVersion).group;
  return a.uid === b.uid || (a.kind === b.kind && a.name === b.name && group(a) === group(b));
}

function setReference<T extends KubernetesObject>(object: T, reference: OwnerReference): T {
  const metadata = (object.metadata ??= {});
  const references = (metadata.ownerReferences ??= []);
  const at = references.findIndex((other) => isSame(other, reference));
  if (at < 0) references.push(reference);
  else references[at] = reference;
  return object;
}

function remove<T extends KubernetesObject>(
  owner: KubernetesObject,
  object: T,
  accept: (reference: OwnerReference) => boolean,
): T {
  const references = object.metadata?.ownerReferences ?? [];
  const at = references.findIndex((reference) => isSame(reference, referenceTo(owner)) && accept(reference));
  if (at < 0) throw ownerErrors.absent(owner, object);
  references.splice(at, 1);
  return object;
}
