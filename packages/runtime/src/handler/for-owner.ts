import {
  type EventHandler,
  type KindInfo,
  type KubernetesObject,
  type ObjectMeta,
  parseApiVersion,
  type Request,
} from '@kubewright/api';
import { forMapping } from './for-mapping.js';

/** Options of {@link forOwner}. */
export interface ForOwnerOptions {
  /** Only the owner that controls the object counts. Default true. */
  readonly controllerOnly?: boolean;
}

/**
 * Every event asks for a run of the object's owners of one kind: the handler of `@Owns` (E8). Owners go by group and
 * kind; version and uid do not matter, so a recreated or converted owner is found.
 */
export function forOwner<T = KubernetesObject>(owner: KindInfo, options: ForOwnerOptions = {}): EventHandler<T> {
  const { controllerOnly = true } = options;
  return forMapping<T>(({ metadata }) => ownersOf(metadata, owner, controllerOnly));
}

function ownersOf({ ownerReferences, namespace }: ObjectMeta, owner: KindInfo, controllerOnly: boolean): Request[] {
  const requests: Request[] = [];
  for (const reference of ownerReferences ?? []) {
    if (reference.kind !== owner.kind || parseApiVersion(reference.apiVersion).group !== owner.group) continue;
    if (controllerOnly && reference.controller !== true) continue;
    const { name } = reference;
    requests.push(owner.scope === 'Cluster' || namespace === undefined ? { name } : { namespace, name });
    // The server allows one controller; of several that are claimed the first counts.
    if (controllerOnly) break;
  }
  return requests;
}
