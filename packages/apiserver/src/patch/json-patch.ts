import { badRequest, failure } from '../core/errors.js';
import type { JsonObject, JsonValue } from '../core/types.js';
import { jsonEqual } from '../core/json.js';
import { setMember } from './member.js';

const maxOperations = 10_000;

/** An operation that cannot be done; the client learns no more than that (ER-12). */
class Rejected extends Error {}

/** Applies RFC 6902 operations (PT-1). Containers on the way are copied; `document` stays as it is. */
export function jsonPatch(document: JsonObject, body: JsonValue): JsonObject {
  if (body === null) return document;
  if (!Array.isArray(body)) throw undecodable(body, '[]handlers.jsonPatchOp');
  if (body.length > maxOperations) {
    const text = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${body.length}`;
    throw failure(413, 'RequestEntityTooLarge', text);
  }
  let result: JsonValue = document;
  try {
    for (const operation of body) {
      if (!isObject(operation)) throw undecodable(operation, 'handlers.jsonPatchOp');
      result = applyOperation(result, operation);
    }
    if (!isObject(result)) throw new Rejected();
    return result;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    throw failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

function applyOperation(document: JsonValue, operation: JsonObject): JsonValue {
  const path = pointer(operation.path);
  const value = operation.value ?? null;
  switch (operation.op) {
    case 'add':
      return change(document, path, (parent, key) => insert(parent, key, value));
    case 'replace':
      // Only this operation takes the whole document.
      return path.length === 0 ? value : change(document, path, (parent, key) => put(parent, key, value));
    case 'remove':
      return change(document, path, drop);
    case 'move': {
      const from = pointer(operation.from);
      const moved = read(document, from);
      if (moved === undefined) throw new Rejected();
      return change(change(document, from, drop), path, (parent, key) => insert(parent, key, moved));
    }
    case 'copy': {
      const from = pointer(operation.from);
      if (from.length === 0) throw new Rejected();
      // A missing member is copied as null.
      const copied = read(document, from) ?? null;
      return change(document, path, (parent, key) => insert(parent, key, copied));
    }
    case 'test':
      // A missing member equals null.
      if (!jsonEqual(read(document, path) ?? null, value)) throw new Rejected();
      return document;
    default:
      throw new Rejected();
  }
}

function pointer(path: JsonValue | undefined): string[] {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) throw new Rejected();
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Index of an existing element; negative ones count from the end. */
function indexOf(list: JsonValue[], token: string, limit: number): number {
  if (!/^-?(0|[1-9]\d*)$/.test(token)) throw new Rejected();
  const index = Number(token);
  const from = index < 0 ? index + limit : index;
  if (from < 0 || from >= limit) throw new Rejected();
  return from;
}

function read(document: JsonValue, path: string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const [depth, token] of path.entries()) {
    if (Array.isArray(value)) value = value[indexOf(value, token, value.length)];
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token];
    else if (depth === path.length - 1 && isObject(value)) return undefined;
    else throw new Rejected();
  }
  return value;
}

type Edit = (parent: JsonObject | JsonValue[], key: string) => void;

/** `edit` gets a copy of the parent of the path's end. */
function change(node: JsonValue, path: string[], edit: Edit): JsonValue {
  const [token, ...rest] = path;
  if (token === undefined) throw new Rejected();
  if (!isObject(node) && !Array.isArray(node)) throw new Rejected();
  const copy: JsonObject | JsonValue[] = Array.isArray(node) ? [...node] : { ...node };
  if (rest.length === 0) {
    edit(copy, token);
    return copy;
  }
  if (Array.isArray(copy)) {
    const index = indexOf(copy, token, copy.length);
    copy[index] = change(copy[index] as JsonValue, rest, edit);
    return copy;
  }
  if (!Object.hasOwn(copy, token)) throw new Rejected();
  setMember(copy, token, change(copy[token] as JsonValue, rest, edit));
  return copy;
}

function insert(parent: JsonObject | JsonValue[], key: string, value: JsonValue): void {
  if (!Array.isArray(parent)) setMember(parent, key, value);
  else if (key === '-') parent.push(value);
  else parent.splice(indexOf(parent, key, parent.length + 1), 0, value);
}

function put(parent: JsonObject | JsonValue[], key: string, value: JsonValue): void {
  if (Array.isArray(parent)) parent[indexOf(parent, key, parent.length)] = value;
  else setMember(parent, key, value);
}

function drop(parent: JsonObject | JsonValue[], key: string): void {
  if (Array.isArray(parent)) parent.splice(indexOf(parent, key, parent.length), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw new Rejected();
}

/** 400 for a patch of the wrong JSON type. */
export function undecodable(body: JsonValue, wanted: string): Error {
  return badRequest(`error decoding patch: ${unmarshalling(body, wanted)}`);
}

/** The words of the Go decoder for a value of the wrong JSON type. */
export function unmarshalling(body: JsonValue, wanted: string): string {
  const type = Array.isArray(body)
    ? 'array'
    : body === null
      ? 'null'
      : typeof body === 'boolean'
        ? 'bool'
        : typeof body;
  return `json: cannot unmarshal ${type} into Go value of type ${wanted}`;
}
