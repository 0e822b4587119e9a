import type { JsonObject, JsonValue, ManagedFieldsEntry } from '../core/types.js';
import { FieldSet, fromFieldsV1 } from './field-set.js';

/** One owner of fields. Never changed; a new one is made when its set changes. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry this came from; reused while nothing changed. */
  readonly entry?: ManagedFieldsEntry;
}

/** By identity (SA-1). */
export type Managers = Map<string, Manager>;

/** Applied sets are told apart by name and subresource, updates also by version. The texts sort as managers do. */
export function identity(manager: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return JSON.stringify({
    manager: manager.name,
    operation: manager.operation,
    ...(manager.operation === 'Update' ? { apiVersion: manager.apiVersion } : {}),
    ...(manager.subresource ? { subresource: manager.subresource } : {}),
  });
}

// Stored entries are frozen and shared, so a set is decoded once per entry.
const decoded = new WeakMap<JsonObject, FieldSet>();

function decodeSet(fields: JsonObject | undefined): FieldSet | undefined {
  if (!fields) return new FieldSet();
  const known = decoded.get(fields);
  if (known) return known;
  const set = fromFieldsV1(fields);
  if (set && Object.isFrozen(fields)) decoded.set(fields, set);
  return set;
}

/** Reads managed fields; undefined when an entry is malformed. */
export function decodeManagers(entries: JsonValue | readonly ManagedFieldsEntry[] | undefined): Managers | undefined {
  const managers: Managers = new Map();
  if (!Array.isArray(entries)) return managers;
  for (const entry of entries as ManagedFieldsEntry[]) {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update') return undefined;
    if (!entry.apiVersion || entry.fieldsType !== 'FieldsV1') return undefined;
    const set = decodeSet(entry.fieldsV1);
    if (!set) return undefined;
    const manager: Manager = {
      name: entry.manager ?? '',
      operation: entry.operation,
      apiVersion: entry.apiVersion,
      subresource: entry.subresource || undefined,
      time: entry.time,
      set,
      entry,
    };
    managers.set(identity(manager), manager);
  }
  return managers;
}

/** Writes managed fields in their order; undefined when there are none. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  const all = [...managers.values()].sort(compareManagers).map(encodeManager);
  return all.length > 0 ? all : undefined;
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    order(a.operation, b.operation) ||
    order(a.time ?? '', b.time ?? '') ||
    order(a.name, b.name) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource ?? '', b.subresource ?? '')
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encodeManager(manager: Manager): ManagedFieldsEntry {
  if (manager.entry) return manager.entry;
  return {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: manager.set.toFieldsV1(),
    ...(manager.subresource ? { subresource: manager.subresource } : {}),
  };
}

/** Sets the fields of a manager; one without fields is dropped. Keeps the entry when neither set nor time changed. */
export function putManager(managers: Managers, manager: Manager): void {
  const id = identity(manager);
  if (manager.set.empty) {
    managers.delete(id);
    return;
  }
  const old = managers.get(id);
  const same =
    old?.entry && old.time === manager.time && old.apiVersion === manager.apiVersion && old.set.equals(manager.set);
  if (same) return;
  const { entry: _, ...rest } = manager;
  managers.set(id, rest);
}

const maxUpdateManagers = 10;

/** Collapses the oldest update managers into `ancient-changes`, one per version, until at most ten are left (SA-6). */
export function capManagers(managers: Managers): void {
  const updates = [...managers].filter(([, m]) => m.operation === 'Update');
  let count = updates.length;
  if (count <= maxUpdateManagers) return;
  updates.sort(([a, x], [b, y]) => order(x.time ?? '', y.time ?? '') || order(a, b));
  const firstOf = new Map<string, string>();
  for (const [id, manager] of updates) {
    if (count <= maxUpdateManagers) return;
    const first = firstOf.get(manager.apiVersion);
    if (first === undefined) {
      firstOf.set(manager.apiVersion, id);
      continue;
    }
    const bucket = {
      name: 'ancient-changes',
      operation: 'Update',
      apiVersion: manager.apiVersion,
      subresource: undefined,
    } as const;
    const bucketId = identity(bucket);
    const held = managers.get(bucketId) ?? managers.get(first);
    if (!managers.has(bucketId)) managers.delete(first);
    managers.delete(id);
    managers.set(bucketId, { ...bucket, time: manager.time, set: manager.set.union(held?.set ?? new FieldSet()) });
    count--;
  }
}
