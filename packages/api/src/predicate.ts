import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from './event.js';
import type { KubernetesObject } from './object.js';

/**
 * Decides which events reach the queue. A method that is not given lets its event pass (E2); one that throws or answers
 * a promise lets it pass too and is reported (E6).
 */
export interface EventPredicate<T = KubernetesObject> {
  create?(event: CreateEvent<T>): boolean;
  update?(event: UpdateEvent<T>): boolean;
  delete?(event: DeleteEvent<T>): boolean;
  generic?(event: GenericEvent<T>): boolean;
}
