import type { Duration } from '@kubewright/api';
import { updateRecord, withEvery } from '@kubewright/metadata';
import { onClass } from './place.js';

/**
 * Enqueues every object of the `@For` kind once in each interval, spread evenly over it, the first after one interval: for
 * what no event tells, such as the state of something outside the cluster.
 */
export function Every(interval: Duration): ClassDecorator {
  return onClass('@Every', (cls) => updateRecord(cls, withEvery(interval)));
}
