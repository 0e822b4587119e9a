import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';
import { elementText } from './field-set.js';
import { goSyntax, goType, goValue } from '../schema/go-text.js';
import { itemElement } from './shape.js';

/** Where an applied object does not fit its schema, each as `<path>: <why>` (SA-11). */
export function checkApplied(typing: TypingNode, object: JsonObject): string[] {
  const problems: string[] = [];
  checkMap(typing, object, '', problems);
  return problems;
}

function checkMap(typing: TypingNode, map: JsonObject, path: string, problems: string[]): void {
  for (const [name, value] of Object.entries(map)) {
    const child = typing.field(name);
    if (!child) {
      problems.push(`${path}.${name}: field not declared in schema`);
      return;
    }
    check(child, value, `${path}.${name}`, problems);
  }
}

function check(typing: TypingNode, value: JsonValue, path: string, problems: string[]): void {
  if (value === null || typing.kind === 'untyped') return;
  if (typing.kind === 'scalar') {
    const why = scalarProblem(typing.type, value);
    if (why) problems.push(`${path}: ${why}`);
  } else if (typing.kind === 'list') {
    if (Array.isArray(value)) checkList(typing, value, path, problems);
    else problems.push(`${path}: expected list, got ${goValue(value)}`);
  } else if (typeof value === 'object' && !Array.isArray(value)) checkMap(typing, value, path, problems);
  else problems.push(`${path}: expected map, got ${goValue(value)}`);
}

function scalarProblem(type: string | undefined, value: JsonValue): string | undefined {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got ${goSyntax(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${goValue(value)}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got ${goValue(value)}` : undefined;
  }
}

function checkList(typing: TypingNode, list: JsonValue[], path: string, problems: string[]): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    let at = `[${index}]`;
    if (typing.list) {
      const element = itemElement(typing, item);
      if (element === undefined) {
        problems.push(`${path}: element ${index}: ${itemProblem(typing, item)}`);
        return;
      }
      at = elementText(element);
      if (seen.has(element)) problems.push(`${path}: duplicate entries for key ${at}`);
      seen.add(element);
    }
    check(typing.item(), item, path + at, problems);
  }
}

function itemProblem(typing: TypingNode, item: JsonValue): string {
  if (typing.list === 'set') {
    if (item === null) return "associative list without keys has an element that's an explicit null";
    return Array.isArray(item)
      ? 'not supported: associative list with lists as elements'
      : "associative list without keys has an element that's a map type";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (typeof item !== 'object' || Array.isArray(item)) {
    return 'associative list with keys may not have non-map elements';
  }
  const keys = typing.list?.keys ?? [];
  return `associative list with keys has an element that omits all key fields [${keys
    .map((key) => JSON.stringify(key))
    .join(' ')}] (and doesn't have default values for any key fields)`;
}
