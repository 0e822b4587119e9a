import type { JsonObject, JsonValue } from '../core/types.js';

/** Sets a member; plain assignment to `__proto__` would change the prototype instead. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
