import { timestamp } from './clock.js';
import type { JsonObject, KubeObject, OwnerReference } from './types.js';

/** The Event about an owner that cannot be one: it lives in another namespace than its dependent, or in one at all (GC-4). */
export function ownerWarning(
  dependent: KubeObject,
  owner: OwnerReference,
  at: { now: number; suffix: string },
): JsonObject {
  const { name = '', namespace, uid = '' } = dependent.metadata;
  const shown = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace ?? ''}, name: ${owner.name}, uid: ${owner.uid}]`;
  const time = timestamp(at.now);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${at.suffix}`, namespace: namespace ?? 'default' },
    involvedObject: {
      kind: dependent.kind,
      apiVersion: dependent.apiVersion,
      name,
      uid,
      ...(namespace ? { namespace } : {}),
    },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${shown} does not exist in namespace ${JSON.stringify(namespace ?? '')}`,
    source: { component: 'garbage-collector-controller' },
    reportingComponent: 'garbage-collector-controller',
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
}
