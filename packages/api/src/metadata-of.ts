import type { KindRef, KindToken, KubernetesObject } from './object.js';

const SOURCE = Symbol.for('kubewright.metadataOf');

/**
 * Names a kind for reads of `apiVersion`, `kind` and `metadata` alone, which any cache of the kind can answer; where none
 * can, only the metadata is fetched (L22).
 */
export function metadataOf(kind: KindRef<unknown>): KindToken<KubernetesObject> {
  return Object.freeze({ group: '', version: '', kind: 'PartialObjectMetadata', [SOURCE]: kind });
}

/** The kind that {@link metadataOf} was asked for; undefined for any other reference. */
export function metadataSource(ref: KindRef<unknown>): KindRef<unknown> | undefined {
  return (ref as { readonly [SOURCE]?: KindRef<unknown> })[SOURCE];
}
