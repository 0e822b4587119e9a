import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';
import { FieldSet } from './field-set.js';
import { asList, asMap, isLeafList, itemElement, shapeOf } from './shape.js';

/** The paths an applied object claims: its leaves, its list items, and containers that are empty or not declared. */
export function fieldsOf(typing: TypingNode, object: JsonObject): FieldSet {
  const set = new FieldSet();
  mapFields(typing, object, set);
  return set;
}

function mapFields(typing: TypingNode, map: JsonObject, set: FieldSet): void {
  for (const [name, value] of Object.entries(map)) {
    const child = typing.field(name);
    if (!child || value === undefined) continue;
    const element = `f:${name}`;
    fill(child, element, value, set);
    const emptyMap = value === null || (asMap(value) && Object.keys(value as JsonObject).length === 0);
    if (emptyMap || !typing.declares(name)) set.members.add(element);
  }
}

function fill(typing: TypingNode, element: string, value: JsonValue, set: FieldSet): void {
  const shape = shapeOf(typing, value);
  if (shape === 'scalar' || (shape === 'list' && isLeafList(typing)) || (shape === 'map' && typing.atomic)) {
    set.members.add(element);
    return;
  }
  const below = new FieldSet();
  if (shape === 'map') mapFields(typing, asMap(value) ?? {}, below);
  else listItems(typing, asList(value) ?? [], below);
  if (!below.empty) set.children.set(element, below);
}

function listItems(typing: TypingNode, items: JsonValue[], set: FieldSet): void {
  const elements = items.map((item) => itemElement(typing, item));
  items.forEach((item, index) => {
    const element = elements[index];
    if (element === undefined) return;
    if (elements.indexOf(element) === elements.lastIndexOf(element)) fill(typing.item(), element, item, set);
    set.members.add(element);
  });
}
