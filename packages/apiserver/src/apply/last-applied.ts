import type { JsonObject, KubeObject, TypingNode } from '../core/types.js';
import { compare } from './compare.js';
import { FieldSet } from './field-set.js';
import { fieldsOf } from './fields.js';

/** Where client-side apply keeps what it applied. */
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields that client-side apply set and that still have the value it gave them (SA-7). */
export function lastAppliedFields(typing: TypingNode, live: KubeObject, apiVersion: string): FieldSet {
  const text = live.metadata.annotations?.[lastAppliedAnnotation];
  if (!text) return new FieldSet();
  let applied: JsonObject;
  try {
    applied = JSON.parse(text) as JsonObject;
  } catch {
    return new FieldSet();
  }
  if (typeof applied !== 'object' || applied === null || applied.apiVersion !== apiVersion) return new FieldSet();
  const change = compare(typing, applied, live as unknown as JsonObject);
  return fieldsOf(typing, applied).minus(change.modified).minus(change.added).minus(change.removed);
}

/** Writes the annotation anew when the object has one. */
export function refreshLastApplied(object: KubeObject, patch: JsonObject): KubeObject {
  if (!object.metadata.annotations?.[lastAppliedAnnotation]) return object;
  const metadata = { ...(patch.metadata as JsonObject | undefined) };
  if (metadata.annotations) {
    const annotations = { ...(metadata.annotations as JsonObject) };
    delete annotations[lastAppliedAnnotation];
    if (Object.keys(annotations).length > 0) metadata.annotations = annotations;
    else delete metadata.annotations;
  }
  const text = `${JSON.stringify({ ...patch, metadata })}\n`;
  const annotations = { ...object.metadata.annotations, [lastAppliedAnnotation]: text };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
