/** Equality of JSON values: key order does not count, a property that is undefined counts as absent. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!jsonEqual(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let count = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    count++;
    if (!jsonEqual(value, right[key])) return false;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}

/** A private copy of a JSON value; undefined properties are left out. */
export function jsonCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonCopy) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) {
    const child = value[key];
    if (child === undefined) continue;
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: jsonCopy(child),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else copy[key] = jsonCopy(child);
  }
  return copy as T;
}

/** Freezes a JSON value and all below it. A frozen node is taken to be frozen below too: stored objects share structure. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else for (const key in value) deepFreeze(value[key]);
  return value;
}
