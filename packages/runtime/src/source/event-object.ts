import { type KubernetesObject, type ObjectEvent, type Request, requestKey, type Wire } from '@kubewright/api';

/** The newest state of the object that an event is about. */
export const objectOf = (event: ObjectEvent): Wire<KubernetesObject> =>
  event.type === 'update' ? event.newObject : event.object;

/** The key of the object that an event is about, without cluster. */
export function requestOf(event: ObjectEvent): Request {
  const { namespace, name } = objectOf(event).metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

/** The same as text. */
export const keyOf = (event: ObjectEvent): string => requestKey(requestOf(event));
