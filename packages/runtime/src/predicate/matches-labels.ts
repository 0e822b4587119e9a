import type { KubernetesObject, LabelSelector } from '@kubewright/api';
import { parseLabelSelector } from '../client/label-selector.js';
import { where } from './by-object.js';
import type { Predicate } from './predicate.js';

/** Passes events of objects that a label selector matches; of an update either state will do. A wrong selector throws here. */
export function matchesLabels<T = KubernetesObject>(selector: LabelSelector): Predicate<T> {
  const parsed = parseLabelSelector(selector);
  return where((object) => parsed.matches(object.metadata.labels));
}
