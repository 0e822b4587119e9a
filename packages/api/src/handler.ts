import type { CreateEvent, DeleteEvent, GenericEvent, UpdateEvent } from './event.js';
import type { KubernetesObject } from './object.js';
import type { Request } from './request.js';

export interface EnqueueOptions {
  /** −1000…1000; default 0, or −100 for creates of an initial list (E12). */
  readonly priority?: number;
  /** Milliseconds before the request is due; default 0. */
  readonly after?: number;
}

/** Puts a request into the controller's queue. */
export type Enqueue = (request: Request, options?: EnqueueOptions) => void;

/** Turns events of a watched kind into requests (E11). Any of the four methods may be missing. */
export interface EventHandler<T = KubernetesObject> {
  create?(event: CreateEvent<T>, enqueue: Enqueue): void | Promise<void>;
  update?(event: UpdateEvent<T>, enqueue: Enqueue): void | Promise<void>;
  delete?(event: DeleteEvent<T>, enqueue: Enqueue): void | Promise<void>;
  generic?(event: GenericEvent<T>, enqueue: Enqueue): void | Promise<void>;
}
