import { jsonCopy } from '../core/json.js';
import type { KubeObject } from '../core/types.js';
import type { Pod, PodTemplateSpec } from '../kinds/shapes.js';
import { controllerReference, type NewObject } from './actor.js';

/** Whether a Pod still counts: not ended and not going. */
export const isActive = ({ metadata, status }: Pod): boolean =>
  !metadata.deletionTimestamp && status.phase !== 'Succeeded' && status.phase !== 'Failed';

/** A Pod made of a template, controlled by `owner`. */
export function podFromTemplate(owner: KubeObject, template: PodTemplateSpec): NewObject {
  const { name = '', namespace = '' } = owner.metadata;
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      generateName: `${name}-`,
      namespace,
      ...(labels ? { labels: { ...labels } } : {}),
      ...(annotations ? { annotations: { ...annotations } } : {}),
      ...(finalizers ? { finalizers: [...finalizers] } : {}),
      ownerReferences: [controllerReference(owner)],
    },
    spec: jsonCopy(template.spec),
  };
}

const PHASES = ['Pending', 'Unknown', 'Running'];
const ready = ({ status }: Pod): number =>
  status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ? 1 : 0;

/** Order in which Pods are given up: without node, not started, not ready, youngest. */
export function byDispensability(a: Pod, b: Pod): number {
  const placed = Number(!!a.spec.nodeName) - Number(!!b.spec.nodeName);
  if (placed) return placed;
  const phase = PHASES.indexOf(a.status.phase ?? '') - PHASES.indexOf(b.status.phase ?? '');
  if (phase) return phase;
  const readiness = ready(a) - ready(b);
  if (readiness) return readiness;
  return (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
}
