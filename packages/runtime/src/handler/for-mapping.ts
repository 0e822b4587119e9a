import {
  type Enqueue,
  type EventHandler,
  type KubernetesObject,
  type Request,
  requestKey,
  type Wire,
} from '@kubewright/api';

/** What a mapping function answers: any number of requests. */
export type Mapped = Request | readonly Request[] | undefined | null;

/** Which requests an object concerns. It is asked about old and new states alike and must not depend on the event. */
export type MapFunction<T> = (object: Wire<T>) => Mapped | Promise<Mapped>;

/** Every event asks for runs of what `map` answers; of an update both states are mapped and the answers united (E9). */
export function forMapping<T = KubernetesObject>(map: MapFunction<T>): EventHandler<T> {
  return {
    create: (event, enqueue) => enqueueOne(map(event.object), enqueue),
    update: (event, enqueue) => enqueueBoth(map(event.oldObject), map(event.newObject), enqueue),
    delete: (event, enqueue) => enqueueOne(map(event.object), enqueue),
    generic: (event, enqueue) => enqueueOne(map(event.object), enqueue),
  };
}

function enqueueOne(mapped: Mapped | Promise<Mapped>, enqueue: Enqueue): void | Promise<void> {
  return isPromise(mapped) ? mapped.then((requests) => enqueueAll([requests], enqueue)) : enqueueAll([mapped], enqueue);
}

function enqueueBoth(
  old: Mapped | Promise<Mapped>,
  next: Mapped | Promise<Mapped>,
  enqueue: Enqueue,
): void | Promise<void> {
  if (!isPromise(old) && !isPromise(next)) return enqueueAll([old, next], enqueue);
  return Promise.all([old, next]).then((both) => enqueueAll(both, enqueue));
}

function enqueueAll(answers: readonly Mapped[], enqueue: Enqueue): void {
  const requests = answers.flatMap((answer) => answer ?? []).filter(Boolean);
  if (requests.length < 2) {
    if (requests[0] !== undefined) enqueue(requests[0]);
    return;
  }
  const seen = new Set<string>();
  for (const request of requests) {
    const key = requestKey(request);
    if (!seen.has(key)) enqueue(request);
    seen.add(key);
  }
}

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value;
