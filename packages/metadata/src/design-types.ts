import { type Class, lineage } from './class-type.js';

type Reflection = { getOwnMetadata?(key: string, target: object, property?: string): unknown };

// reflect-metadata puts this on Reflect; nothing is known of a class that was loaded before it, or built without
// emitDecoratorMetadata.
const own = (key: string, target: object, property?: string): unknown =>
  (Reflect as Reflection).getOwnMetadata?.(key, target, property);

/** What the compiler wrote down as the type of a property of this very class; undefined when nothing was written. */
export function designType(cls: Class, property: string): unknown {
  return own('design:type', cls.prototype as object, property);
}

/** Types of the constructor's parameters, and the class that declares the constructor. */
export interface ConstructorTypes {
  readonly declaredBy: Class;
  /** Number of parameters before the first with a default. */
  readonly length: number;
  /** Undefined: nothing was written down. */
  readonly types: readonly unknown[] | undefined;
}

/**
 * The constructor that `new cls()` really runs: the nearest one up the chain that declares parameters. A class without a
 * constructor of its own inherits its base's, dependencies included.
 */
export function constructorTypes(cls: Class): ConstructorTypes | undefined {
  for (const at of lineage(cls).reverse()) {
    const types = own('design:paramtypes', at) as unknown[] | undefined;
    if (types !== undefined || at.length > 0) return { declaredBy: at, length: at.length, types };
  }
  return undefined;
}
