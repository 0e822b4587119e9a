import type { KubernetesObject, KubewrightError, OwnerReference } from '@kubewright/api';
import { runtimeError } from '../errors.js';

/** `PodSet team-a/web`. */
function named({ kind = '(no kind)', metadata }: KubernetesObject): string {
  const name = metadata?.name ?? metadata?.generateName ?? '(no name)';
  return metadata?.namespace === undefined ? `${kind} ${name}` : `${kind} ${metadata.namespace}/${name}`;
}

/** The exact texts of L27. */
export const ownerErrors = {
  noUid: (owner: KubernetesObject): KubewrightError =>
    runtimeError('KW_OWNER_NO_UID', `owner ${named(owner)} has no metadata.uid; pass it as read from the API server`),
  scope: (owner: KubernetesObject, object: KubernetesObject): KubewrightError =>
    runtimeError(
      'KW_OWNER_SCOPE',
      `${named(owner)} cannot own ${named(object)}: a cluster-scoped object needs a cluster-scoped owner`,
    ),
  namespace: (owner: KubernetesObject, object: KubernetesObject): KubewrightError =>
    runtimeError(
      'KW_OWNER_NAMESPACE',
      `${named(owner)} cannot own ${named(object)}: owner and object must be in one namespace`,
    ),
  taken: (object: KubernetesObject, { kind, name, uid }: OwnerReference): KubewrightError =>
    runtimeError('KW_OWNER_TAKEN', `${named(object)} already has the controller ${kind} ${name} (uid ${uid})`),
  absent: (owner: KubernetesObject, object: KubernetesObject): KubewrightError =>
    runtimeError('KW_OWNER_ABSENT', `${named(object)} has no owner reference to ${named(owner)} that could be removed`),
};
