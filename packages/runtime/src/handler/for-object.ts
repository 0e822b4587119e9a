import type { Enqueue, EventHandler, KubernetesObject, ObjectMeta } from '@kubewright/api';

/** Every event asks for a run of the object itself: the handler of `@For` (E7). */
export function forObject<T = KubernetesObject>(): EventHandler<T> {
  return {
    create: (event, enqueue) => self(event.object.metadata, enqueue),
    update: (event, enqueue) => self(event.newObject.metadata, enqueue),
    delete: (event, enqueue) => self(event.object.metadata, enqueue),
    generic: (event, enqueue) => self(event.object.metadata, enqueue),
  };
}

function self({ namespace, name }: ObjectMeta, enqueue: Enqueue): void {
  enqueue(namespace === undefined ? { name: name as string } : { namespace, name: name as string });
}
