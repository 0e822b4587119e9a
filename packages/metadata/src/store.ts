import type { Class } from './class-type.js';
import type { ClassRecord } from './record.js';

const KEY: unique symbol = Symbol.for('kubewright:metadata') as never;
const EMPTY: ClassRecord = Object.freeze({ predicates: [], sources: [], columns: [], properties: {}, misuses: [] });

type Carrier = { [KEY]?: ClassRecord };

/** What was written on the class itself; an empty record when nothing was. Bases have records of their own. */
export function recordOf(cls: Class): ClassRecord {
  return Object.hasOwn(cls, KEY) ? ((cls as Carrier)[KEY] ?? EMPTY) : EMPTY;
}

/** Whether any decorator of ours stands on the class or a member of it. */
export function hasRecord(cls: Class): boolean {
  return Object.hasOwn(cls, KEY);
}

/** The only way to write: replaces the record by what the updater makes of it. */
export function updateRecord(cls: Class, update: (record: ClassRecord) => ClassRecord): void {
  const value = Object.freeze(update(recordOf(cls)));
  Object.defineProperty(cls, KEY, { value, configurable: true, enumerable: false });
}
