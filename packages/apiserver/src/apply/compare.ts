import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';
import { jsonEqual } from '../core/json.js';
import { FieldSet } from './field-set.js';
import { asList, asMap, isLeafList, itemElement, shapeOf, type Shape } from './shape.js';

/** What changed between two objects, as sets of paths. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Value = JsonValue | undefined;

/** Compares two objects of one type. An added or removed container counts itself and all that is in it. */
export function compare(typing: TypingNode, left: JsonObject, right: JsonObject): Comparison {
  const result: Comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  mapFields(typing, left, right, result);
  prune(result.added);
  prune(result.modified);
  prune(result.removed);
  return result;
}

/** Descending made sets for paths where nothing differed. */
function prune(set: FieldSet): void {
  for (const [element, child] of set.children) {
    prune(child);
    if (child.empty) set.children.delete(element);
  }
}

interface Pair {
  readonly left: Value;
  readonly right: Value;
}

function mapFields(
  typing: TypingNode,
  left: JsonObject | undefined,
  right: JsonObject | undefined,
  at: Comparison,
): void {
  const field = (name: string): void => {
    const child = typing.field(name);
    if (child) node(child, `f:${name}`, { left: left?.[name], right: right?.[name] }, at);
  };
  for (const name of Object.keys(left ?? {})) field(name);
  for (const name of Object.keys(right ?? {})) if (left?.[name] === undefined) field(name);
}

function node(typing: TypingNode, element: string, pair: Pair, at: Comparison): void {
  const { left, right } = pair;
  if (left === right) return;
  const [before, after] = [shapeOf(typing, left ?? right), shapeOf(typing, right ?? left)];
  let leaf = false;
  if (left !== undefined) leaf = shaped(before, typing, { pair, element }, at);
  if (right !== undefined && (left === undefined || before !== after))
    leaf = shaped(after, typing, { pair, element }, at);
  if (leaf) return;
  if (left === undefined) at.added.members.add(element);
  else if (right === undefined) at.removed.members.add(element);
}

/** Answers whether the value was one leaf. */
function shaped(
  shape: Shape,
  typing: TypingNode,
  { pair, element }: { pair: Pair; element: string },
  at: Comparison,
): boolean {
  const { left, right } = pair;
  if (shape === 'scalar') return leafChange(element, pair, at);
  if (shape === 'list') {
    const [a, b] = [asList(left), asList(right)];
    if (isLeafList(typing) || (!a?.length && !b?.length)) return leafChange(element, pair, at);
    listItems(typing, a ?? [], b ?? [], below(at, element));
    return false;
  }
  const [a, b] = [asMap(left), asMap(right)];
  if (typing.atomic || (isEmpty(a) && isEmpty(b))) return leafChange(element, pair, at);
  mapFields(typing, a, b, below(at, element));
  return false;
}

function leafChange(element: string, { left, right }: Pair, at: Comparison): boolean {
  if (left === undefined) at.added.members.add(element);
  else if (right === undefined) at.removed.members.add(element);
  else if (!jsonEqual(left, right)) at.modified.members.add(element);
  return true;
}

function below(at: Comparison, element: string): Comparison {
  return { added: at.added.child(element), modified: at.modified.child(element), removed: at.removed.child(element) };
}

function listItems(typing: TypingNode, left: JsonValue[], right: JsonValue[], at: Comparison): void {
  const [a, b] = [byElement(typing, left), byElement(typing, right)];
  const item = typing.item();
  for (const element of new Set([...a.keys(), ...b.keys()])) {
    const [mine, theirs] = [a.get(element) ?? [], b.get(element) ?? []];
    if (mine.length <= 1 && theirs.length <= 1) node(item, element, { left: mine[0], right: theirs[0] }, at);
    else if (mine.length >= 2 && theirs.length >= 2) {
      if (!jsonEqual(mine, theirs)) at.modified.members.add(element);
    } else if (mine.length >= 2) {
      if (theirs.length > 0) node(item, element, { left: undefined, right: theirs[0] }, at);
      at.removed.members.add(element);
    } else {
      if (mine.length > 0) node(item, element, { left: mine[0], right: undefined }, at);
      at.added.members.add(element);
    }
  }
}

/** Stored lists may hold duplicates; they are compared as one. */
function byElement(typing: TypingNode, items: JsonValue[]): Map<string, JsonValue[]> {
  const found = new Map<string, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(typing, item);
    if (element === undefined) continue;
    const same = found.get(element);
    if (same) same.push(item);
    else found.set(element, [item]);
  }
  return found;
}

function isEmpty(map: JsonObject | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}
