/** Any class, abstract ones included. */
export type Class<T = unknown> = abstract new (...args: never[]) => T;

/** Whether a value is a class (not an arrow function, not a plain function). */
export function isClass(value: unknown): value is Class {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/** `() => T`: a type named late, so that the order in which modules load does not matter. */
export type Thunk<T> = () => T;

/** The value itself, or what the thunk answers. Classes are values. */
export function resolveThunk<T>(value: T | Thunk<T>): T {
  return typeof value === 'function' && !isClass(value) && !('prototype' in value)
    ? (value as Thunk<T>)()
    : (value as T);
}

/** A class and its bases, base first, without `Object`'s own. */
export function lineage(cls: Class): Class[] {
  const chain: Class[] = [];
  for (let at: unknown = cls; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at))
    chain.unshift(at as Class);
  return chain;
}
