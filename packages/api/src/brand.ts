/**
 * Marks instances of a class so that another copy of this package recognises them; `instanceof` would not (two versions
 * in one process). The mark is invisible to `JSON.stringify`, `Object.keys` and `util.inspect`.
 */
export function brand(target: object, name: string): void {
  Object.defineProperty(target, Symbol.for(`kubewright:${name}`), { value: true });
}

/** Whether {@link brand} marked the value, or its class, with that name. */
export function isBranded(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Symbol.for(`kubewright:${name}`) in value;
}
