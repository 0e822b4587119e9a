import { badRequest, failure } from '../core/errors.js';
import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';
import { jsonEqual } from '../core/json.js';
import { goPlain } from '../schema/go-text.js';
import { checkShape } from './shape-check.js';
import { unmarshalling } from './json-patch.js';
import { inServerOrder } from './list-order.js';
import { setMember } from './member.js';

const directive = '$patch';
const retainKeys = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

type Value = JsonValue | undefined;

/** Applies a strategic merge patch with its directives (PT-2). */
export function strategicPatch(document: JsonObject, body: JsonValue, typing: TypingNode): JsonObject {
  if (body === null) return document;
  if (!isObject(body)) throw badRequest(unmarshalling(body, 'map[string]interface {}'));
  checkShape(body, typing);
  return mergeMap(document, body, typing);
}

function isObject(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mergeMap(original: JsonObject, patch: JsonObject, typing: TypingNode | undefined): JsonObject {
  const what = patch[directive];
  if (what === 'replace') {
    const { [directive]: _, ...rest } = patch;
    return rest;
  }
  if (what === 'delete') return {};
  if (what !== undefined) {
    throw failure(500, '', `unknown patch type: ${goPlain(what)} in map: ${goPlain(patch)}`);
  }
  const out = retained(original, patch[retainKeys]);
  const names = new Set<string>();
  for (const key of Object.keys(patch)) names.add(fieldName(key));
  for (const name of names) {
    if (name === directive || name === retainKeys) continue;
    const next = mergeField(Object.hasOwn(out, name) ? out[name] : undefined, patch, name, typing?.field(name));
    if (next === undefined) delete out[name];
    else setMember(out, name, next);
  }
  return out;
}

function fieldName(key: string): string {
  if (key.startsWith(orderPrefix)) return key.slice(orderPrefix.length);
  return key.startsWith(deletePrefix) ? key.slice(deletePrefix.length) : key;
}

function retained(original: JsonObject, keep: Value): JsonObject {
  if (keep === undefined) return { ...original };
  if (!Array.isArray(keep)) throw badRequest('invalid patch format of retainKeys');
  return Object.fromEntries(Object.entries(original).filter(([key]) => keep.includes(key)));
}

function mergeField(original: Value, patch: JsonObject, name: string, typing: TypingNode | undefined): Value {
  const value = Object.hasOwn(patch, name) ? patch[name] : undefined;
  if (value === null) return undefined;
  const order = listOf(patch[orderPrefix + name]);
  const deleted = listOf(patch[deletePrefix + name]);
  if (isObject(value)) return isObject(original) ? mergeMap(original, value, typing) : taken(value);
  if (!Array.isArray(value) && !order && !deleted) return value;
  if (value !== undefined && !Array.isArray(value)) return value;
  const list = Array.isArray(original) ? original : undefined;
  if (value !== undefined && !typing?.patchMerge) return value.map(withoutDirectives);
  return mergeList(list, { items: value ?? [], order, deleted, key: typing?.patchMergeKey, item: typing?.item() });
}

/** A map where there was none is taken as it is: without nulls, and without the parts that carry a directive. */
function taken(patch: JsonObject): JsonObject | undefined {
  if (Object.hasOwn(patch, directive)) return undefined;
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key === retainKeys || fieldName(key) !== key) continue;
    const next = takenValue(value);
    if (next !== undefined) setMember(out, key, next);
  }
  return out;
}

function takenValue(value: Value): Value {
  if (isObject(value)) return taken(value);
  return Array.isArray(value) ? value.map(takenValue).filter((item) => item !== undefined) : value;
}

function listOf(value: Value): JsonValue[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw badRequest('invalid patch format of setElementOrder list');
  return value;
}

/** An item that is taken as it is may still carry directives inside. */
function withoutDirectives(item: JsonValue): JsonValue {
  return isObject(item) ? mergeMap({}, item, undefined) : item;
}

interface ListPatch {
  items: JsonValue[];
  order: JsonValue[] | undefined;
  deleted: JsonValue[] | undefined;
  key: string | undefined;
  item: TypingNode | undefined;
}

function mergeList(original: JsonValue[] | undefined, patch: ListPatch): JsonValue[] | undefined {
  const { key, order, deleted } = patch;
  let base = original ?? [];
  if (deleted) base = base.filter((v) => !deleted.some((d) => jsonEqual(d, v)));
  if (key === undefined) {
    const all: JsonValue[] = [];
    for (const item of [...base, ...patch.items]) if (!all.some((v) => jsonEqual(v, item))) all.push(item);
    const out = inServerOrder(all, { server: base, patch: order ?? patch.items, same: jsonEqual });
    return out.length > 0 || original ? out : undefined;
  }
  const replacing = patch.items.some((item) => isObject(item) && item[directive] === 'replace');
  let merged = replacing ? [] : [...base];
  const items: JsonValue[] = [];
  for (const item of patch.items) {
    if (!isObject(item)) throw badRequest('invalid patch: an item of a list of maps is not a map');
    const what = item[directive];
    if (what === 'replace') continue;
    const id = item[key];
    if (id === undefined) throw unkeyed(item, key);
    const matches = (v: JsonValue): boolean => isObject(v) && jsonEqual(v[key], id);
    if (what === 'delete') {
      merged = merged.filter((v) => !matches(v));
      continue;
    }
    const at = merged.findIndex(matches);
    const old = at < 0 ? {} : (merged[at] as JsonObject);
    const next = mergeMap(old, item, patch.item);
    if (at < 0) merged.push(next);
    else merged[at] = next;
    items.push(item);
  }
  const same = (a: JsonValue, b: JsonValue): boolean => isObject(a) && isObject(b) && jsonEqual(a[key], b[key]);
  const server = order ? orderInPlace(base, merged) : base;
  return inServerOrder(merged, { server, patch: order ?? items, same });
}

/**
 * A real server changes the list in place before it orders it: where the patch deletes items, new ones take their room
 * and count as the server's own. Without a deletion this is the order of `base`.
 */
function orderInPlace(base: readonly JsonValue[], merged: readonly JsonValue[]): JsonValue[] {
  return [...merged.slice(0, base.length), ...base.slice(merged.length)];
}

function unkeyed(item: JsonObject, key: string): Error {
  return failure(500, '', `map: ${goPlain(item)} does not contain declared merge key: ${key}`);
}
