import type { Class } from './class-type.js';

/** One class-validator decorator on one property. */
export interface ValidationRule {
  /** `isInt`, `min`, `isOptional`, …; `nested`, `validateIf` and `allow` for the three that have no name there. */
  readonly name: string;
  /** The rule holds for the items of a list, not for the list. */
  readonly each: boolean;
  readonly constraints: readonly unknown[];
  readonly groups: readonly string[];
  readonly always: boolean;
}

/** The part of class-validator's metadata that is read here. */
interface StoredRule {
  readonly type: string;
  readonly name?: string;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[];
  readonly groups?: readonly string[];
  readonly always?: boolean;
  readonly each?: boolean;
}

interface Storage {
  readonly validationMetadatas: ReadonlyMap<unknown, readonly StoredRule[]>;
}

const UNNAMED: Readonly<Record<string, string>> = {
  nestedValidation: 'nested',
  conditionalValidation: 'validateIf',
  whitelistValidation: 'allow',
  promiseValidation: 'promise',
};

/**
 * Rules that stand on this very class, as ordered in the source text (decorators run from the last to the first). class-validator keeps them in one global
 * storage that all its copies share; reading it there costs nothing when no class uses class-validator, where importing
 * it would cost 150 ms.
 */
export function validationRules(cls: Class): ReadonlyMap<string, readonly ValidationRule[]> {
  const storage = (globalThis as { classValidatorMetadataStorage?: Storage }).classValidatorMetadataStorage;
  const rules = new Map<string, ValidationRule[]>();
  for (const stored of storage?.validationMetadatas.get(cls) ?? []) {
    const list = rules.get(stored.propertyName) ?? [];
    list.unshift({
      name: stored.name ?? UNNAMED[stored.type] ?? stored.type,
      each: stored.each ?? false,
      constraints: stored.constraints ?? [],
      groups: stored.groups ?? [],
      always: stored.always ?? false,
    });
    rules.set(stored.propertyName, list);
  }
  return rules;
}
