type Json = Record<string, unknown>;

const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A deep copy that may be changed; objects from the cache are frozen (L23). */
export function mutable<T>(object: T): T {
  return structuredClone(object);
}

/** Freezes a value and all below it; a value whose top is frozen already is taken as done. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const key in value) deepFreeze(value[key]);
  return Object.freeze(value);
}

/** Equality of plain JSON; an `undefined` member equals a missing one. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => deepEqual(item, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  for (const key in a) if (a[key] !== undefined && !(Object.hasOwn(b, key) && deepEqual(a[key], b[key]))) return false;
  for (const key in b) if (b[key] !== undefined && (!Object.hasOwn(a, key) || a[key] === undefined)) return false;
  return true;
}

/** Whether a JSON merge patch (RFC 7396) would leave `target` as it is. */
export function mergeChangesNothing(target: unknown, patch: unknown): boolean {
  if (!isMap(patch)) return deepEqual(target, patch);
  if (!isMap(target)) return false;
  for (const key in patch) {
    const part = patch[key];
    if (part === undefined) continue;
    const value = Object.hasOwn(target, key) ? target[key] : undefined;
    if (part === null ? value !== undefined : !mergeChangesNothing(value, part)) return false;
  }
  return true;
}

/** The JSON merge patch that turns `before` into `after`; undefined if there is nothing to change. */
export function mergeDiff(before: unknown, after: unknown): unknown {
  if (!isMap(before) || !isMap(after)) return deepEqual(before, after) ? undefined : after;
  const patch: Json = Object.create(null) as Json;
  for (const key in after) {
    const next = after[key];
    if (next === undefined) continue;
    const part = Object.hasOwn(before, key) && before[key] !== undefined ? mergeDiff(before[key], next) : next;
    if (part !== undefined) patch[key] = part;
  }
  for (const key in before)
    if (before[key] !== undefined && (!Object.hasOwn(after, key) || after[key] === undefined)) patch[key] = null;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The paths that a merge patch changes, without values: `spec.replicas`, `metadata.labels["a/b"]`. */
export function changedPaths(patch: unknown, path = ''): string[] {
  if (!isMap(patch)) return [path];
  const paths: string[] = [];
  for (const key in patch) {
    const step = /^\w+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`;
    paths.push(...changedPaths(patch[key], path + step));
  }
  return paths;
}

/** JSON patch operations that turn `before` into `after`; lists are replaced whole. */
export function jsonPatchDiff(before: unknown, after: unknown, path = ''): object[] {
  if (!isMap(before) || !isMap(after)) return deepEqual(before, after) ? [] : [{ op: 'replace', path, value: after }];
  const operations: object[] = [];
  for (const key in before)
    if (before[key] !== undefined && (!Object.hasOwn(after, key) || after[key] === undefined))
      operations.push({ op: 'remove', path: `${path}/${pointer(key)}` });
  for (const key in after) {
    const value = after[key];
    if (value === undefined) continue;
    const at = `${path}/${pointer(key)}`;
    if (Object.hasOwn(before, key) && before[key] !== undefined)
      operations.push(...jsonPatchDiff(before[key], value, at));
    else operations.push({ op: 'add', path: at, value });
  }
  return operations;
}

const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
