import { jsonEqual } from '../core/json.js';
import type { JsonValue } from '../core/types.js';
import type { PodTemplateSpec } from '../kinds/shapes.js';

/** Label that tells the ReplicaSets of a Deployment apart. */
export const HASH_LABEL = 'pod-template-hash';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** JSON with sorted keys. */
function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.keys(value)
    .sort()
    .filter((key) => value[key] !== undefined);
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A short name for a template; `collisions` makes another one for the same template. */
export function templateHash(template: PodTemplateSpec, collisions = 0): string {
  const digits = String(fnv(`${canonical(template as unknown as JsonValue)}${collisions || ''}`));
  return digits.replaceAll(/\d/g, (digit) => ALPHABET.charAt(Number(digit) + 7));
}

/** Whether two templates are the same apart from the hash label. */
export function sameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return jsonEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const labels = { ...template.metadata?.labels };
  delete labels[HASH_LABEL];
  return { ...template, metadata: { ...template.metadata, labels } };
}
