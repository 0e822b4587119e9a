import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';

/** What a value is under a type: untyped nodes take the shape of the value. */
export type Shape = 'scalar' | 'list' | 'map';

/** The shape a node gives a value; null and absent values take that of the type. */
export function shapeOf(typing: TypingNode, value: JsonValue | undefined): Shape {
  switch (typing.kind) {
    case 'scalar':
      return 'scalar';
    case 'list':
      return 'list';
    case 'untyped':
      if (Array.isArray(value)) return 'list';
      return value === null || value === undefined || typeof value === 'object' ? 'map' : 'scalar';
    default:
      return 'map';
  }
}

/** Whether a list or map is one leaf under its type. Lists without a type always are. */
export function isLeafList(typing: TypingNode): boolean {
  return typing.kind === 'untyped' || typing.atomic || typing.list === undefined;
}

export function asMap(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

export function asList(value: JsonValue | undefined): JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/**
 * The element of a list item: `k:{…}` by its keys (an absent key takes its default, SA-3) or `v:…` by value. Undefined when
 * the item cannot be told apart.
 */
export function itemElement(typing: TypingNode, item: JsonValue): string | undefined {
  if (typing.list === 'set') return item === null || typeof item === 'object' ? undefined : `v:${JSON.stringify(item)}`;
  const map = asMap(item);
  if (!typing.list || !map) return undefined;
  const key: JsonObject = {};
  let found = false;
  for (const name of sortedKeys(typing.list)) {
    const value = map[name] ?? typing.item().field(name)?.default ?? undefined;
    if (value === undefined) continue;
    key[name] = value;
    found = true;
  }
  return found ? `k:${JSON.stringify(key)}` : undefined;
}

const sorted = new WeakMap<object, readonly string[]>();

function sortedKeys(list: { readonly keys: readonly string[] }): readonly string[] {
  let keys = sorted.get(list);
  if (!keys) sorted.set(list, (keys = [...list.keys].sort()));
  return keys;
}
