import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject, Wire } from '@kubewright/api';
import { fieldAt, parseFieldPath } from './field-path.js';
import { Predicate } from './predicate.js';

type Differs<T> = (old: Wire<T>, next: Wire<T>) => boolean;
type Texts = Readonly<Record<string, string>> | undefined;

/** Creates, deletes and generic events pass; an update passes when the two states differ in the given sense. */
const onUpdate = <T>(differs: Differs<T>): Predicate<T> =>
  new Predicate((event) => event.type !== 'update' || differs(event.oldObject, event.newObject));

/** Updates pass when the resourceVersion changed: drops what a relist repeats. */
export const resourceVersionChanged = <T = KubernetesObject>(): Predicate<T> =>
  onUpdate((old, next) => old.metadata.resourceVersion !== next.metadata.resourceVersion);

/** Updates pass when `metadata.generation` changed: in most kinds the spec did, the status alone did not. */
export const generationChanged = <T = KubernetesObject>(): Predicate<T> =>
  onUpdate(
    ({ metadata: old }, { metadata: next }) =>
      old.generation === undefined ||
      next.generation === undefined ||
      old.generation !== next.generation ||
      old.uid !== next.uid ||
      (old.deletionTimestamp === undefined && next.deletionTimestamp !== undefined),
  );

/** Updates pass when labels changed; with `keys`, when one of these did. */
export const labelsChanged = <T = KubernetesObject>(...keys: string[]): Predicate<T> =>
  onUpdate((old, next) => textsDiffer(old.metadata.labels, next.metadata.labels, keys));

/** Updates pass when annotations changed; with `keys`, when one of these did. */
export const annotationsChanged = <T = KubernetesObject>(...keys: string[]): Predicate<T> =>
  onUpdate((old, next) => textsDiffer(old.metadata.annotations, next.metadata.annotations, keys));

/** Updates pass when `metadata.finalizers` changed. */
export const finalizersChanged = <T = KubernetesObject>(): Predicate<T> =>
  onUpdate((old, next) => !isDeepStrictEqual(old.metadata.finalizers ?? [], next.metadata.finalizers ?? []));

/** Updates pass when `spec` changed. */
export const specChanged = <T = KubernetesObject>(): Predicate<T> => fieldChanged('spec');

/** Updates pass when `status` changed. */
export const statusChanged = <T = KubernetesObject>(): Predicate<T> => fieldChanged('status');

/** Updates pass when the value at one of the paths changed; missing equals undefined. A wrong path throws here. */
export function fieldChanged<T = KubernetesObject>(...paths: string[]): Predicate<T> {
  const parsed = paths.map(parseFieldPath);
  return onUpdate((old, next) => parsed.some((path) => !isDeepStrictEqual(fieldAt(old, path), fieldAt(next, path))));
}

function textsDiffer(old: Texts, next: Texts, keys: readonly string[]): boolean {
  const all = keys.length > 0 ? keys : Object.keys({ ...old, ...next });
  return all.some((key) => old?.[key] !== next?.[key]);
}
