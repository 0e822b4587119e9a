import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';
import { setMember } from '../patch/member.js';
import type { FieldSet } from './field-set.js';
import { asList, asMap, isLeafList, itemElement, shapeOf } from './shape.js';

type Value = JsonValue | undefined;

/** `right` laid over `left`: maps and keyed lists are merged, leaves of `right` win. Shares structure with both. */
export function merge(typing: TypingNode, left: JsonObject, right: JsonObject): JsonObject {
  return mergeMaps(typing, left, right);
}

function mergeMaps(typing: TypingNode, left: JsonObject, right: JsonObject): JsonObject {
  const out: JsonObject = { ...left };
  for (const [name, value] of Object.entries(right)) {
    const merged = mergeValue(typing.field(name), Object.hasOwn(left, name) ? left[name] : undefined, value);
    if (merged !== undefined) setMember(out, name, merged);
  }
  return out;
}

function mergeValue(typing: TypingNode | undefined, left: Value, right: Value): Value {
  if (right === undefined) return left;
  if (!typing || left === undefined) return right;
  const shape = shapeOf(typing, right);
  if (shape === 'map') {
    const [a, b] = [asMap(left), asMap(right)];
    if (typing.atomic || !hasKeys(a) || !b) return right;
    return Object.keys(b).length === 0 ? left : mergeMaps(typing, a as JsonObject, b);
  }
  if (shape === 'list' && !isLeafList(typing)) {
    const [a, b] = [asList(left), asList(right)];
    if (!a?.length || !b) return right;
    return b.length === 0 ? left : mergeLists(typing, a, b);
  }
  return right;
}

function hasKeys(map: JsonObject | undefined): boolean {
  return map !== undefined && Object.keys(map).length > 0;
}

/**
 * Items of both lists. Items that both have stand in the order of the right list; items that only the left has keep their
 * place before the shared item that followed them.
 */
function mergeLists(typing: TypingNode, left: JsonValue[], right: JsonValue[]): JsonValue[] {
  const a = left.map((item) => itemElement(typing, item) ?? '');
  const b = right.map((item) => itemElement(typing, item) ?? '');
  const [leftIndex, rightIndex] = [firstIndex(a), firstIndex(b)];
  const shared = b.filter((element) => leftIndex.has(element));
  const taken = new Set<string>();
  const out: JsonValue[] = [];
  const take = (element: string, index: number): void => {
    taken.add(element);
    const at = leftIndex.get(element);
    // A duplicated item of the live object is replaced, not merged.
    const old = at === undefined || a.lastIndexOf(element) !== at ? undefined : left[at];
    out.push(mergeValue(typing.item(), old, right[index]) as JsonValue);
    if (shared[0] === element) shared.shift();
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [mine, theirs] = [a[i], b[j]];
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        take(theirs, j++);
        i++;
        continue;
      }
      if (rightIndex.has(mine) && shared[0] !== undefined && shared[0] !== mine) {
        i++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!rightIndex.has(mine)) {
        out.push(left[i++] as JsonValue);
        continue;
      }
      if (taken.has(mine)) i++;
    }
    if (theirs !== undefined) take(theirs, j++);
  }
  return out;
}

function firstIndex(elements: readonly string[]): Map<string, number> {
  const index = new Map<string, number>();
  elements.forEach((element, at) => {
    if (!index.has(element)) index.set(element, at);
  });
  return index;
}

/** The object without the items and fields whose paths are members of `set`. Containers that become empty vanish. */
export function removeFields(typing: TypingNode, object: JsonObject, set: FieldSet): JsonObject {
  return removeFromMap(typing, object, set) ?? {};
}

function removeValue(typing: TypingNode | undefined, value: JsonValue, set: FieldSet): Value {
  if (!typing) return value;
  const shape = shapeOf(typing, value);
  if (shape === 'scalar') return value;
  // A leaf of which the set names inner paths is gone as a whole; an empty one was not a container.
  if (shape === 'list') {
    const list = asList(value);
    if (!list?.length || isLeafList(typing)) return undefined;
    return removeFromList(typing, list, set);
  }
  const map = asMap(value);
  if (!map || Object.keys(map).length === 0 || typing.atomic) return undefined;
  return removeFromMap(typing, map, set);
}

function removeFromMap(typing: TypingNode, map: JsonObject, set: FieldSet): JsonObject | undefined {
  const out: JsonObject = {};
  let kept = false;
  for (const [name, value] of Object.entries(map)) {
    const element = `f:${name}`;
    if (set.members.has(element)) continue;
    const below = set.children.get(element);
    const left = below && !below.empty ? removeValue(typing.field(name), value, below) : value;
    if (left === undefined) continue;
    setMember(out, name, left);
    kept = true;
  }
  return kept ? out : undefined;
}

function removeFromList(typing: TypingNode, list: JsonValue[], set: FieldSet): JsonValue[] | undefined {
  const out: JsonValue[] = [];
  for (const item of list) {
    const element = itemElement(typing, item);
    if (element !== undefined && set.members.has(element)) continue;
    const below = element === undefined ? undefined : set.children.get(element);
    const left = below && !below.empty ? removeValue(typing.item(), item, below) : item;
    if (left !== undefined) out.push(left);
  }
  return out.length > 0 ? out : undefined;
}
