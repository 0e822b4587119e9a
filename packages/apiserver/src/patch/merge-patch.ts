import { badRequest } from '../core/errors.js';
import type { JsonObject, JsonValue } from '../core/types.js';
import { undecodable } from './json-patch.js';
import { setMember } from './member.js';

/** Applies an RFC 7386 merge patch; shares structure with both arguments. */
export function mergePatch(document: JsonObject, body: JsonValue): JsonObject {
  if (body === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(body)) throw undecodable(body, 'map[string]interface {}');
  return merged(document, body);
}

function merged(target: JsonValue | undefined, patch: JsonObject): JsonObject {
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else setMember(out, key, isObject(value) ? merged(Object.hasOwn(out, key) ? out[key] : undefined, value) : value);
  }
  return out;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
