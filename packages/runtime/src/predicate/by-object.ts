import type { KubernetesObject, ObjectEvent, Wire } from '@kubewright/api';
import { Predicate } from './predicate.js';

/** Passes events of objects for which `test` is true; of an update either state will do, so that leaving is seen. */
export const where = <T = KubernetesObject>(test: (object: Wire<T>) => boolean): Predicate<T> =>
  new Predicate((event) =>
    event.type === 'update' ? test(event.oldObject) || test(event.newObject) : test(event.object),
  );

/** Passes events of objects in one of the namespaces. */
export function inNamespaces<T = KubernetesObject>(...namespaces: string[]): Predicate<T> {
  const wanted = new Set<string | undefined>(namespaces);
  return where((object) => wanted.has(object.metadata.namespace));
}

/** Passes events of these types only. */
export function onlyOn<T = KubernetesObject>(...types: ObjectEvent['type'][]): Predicate<T> {
  const wanted = new Set(types);
  return new Predicate((event) => wanted.has(event.type));
}

/** Passes everything. */
export const always = <T = KubernetesObject>(): Predicate<T> => new Predicate(() => true);

/** Passes nothing. */
export const never = <T = KubernetesObject>(): Predicate<T> => new Predicate(() => false);
