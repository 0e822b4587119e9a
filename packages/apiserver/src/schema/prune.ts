import type { JsonObject, JsonValue, Schema, SchemaSource } from '../core/types.js';

/** What a decoder found on its way through an object. */
export interface PruneReport {
  /** Paths of removed fields. */
  readonly unknown: string[];
  /** Called for the metadata of the root and of embedded resources. */
  readonly metadata?: (holder: JsonObject, path: string) => void;
}

const typeFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes fields that the schema does not know and nulls that it neither allows nor replaces by a default (CR-6). Changes
 * `object`. `apiVersion`, `kind` and `metadata` of the root stay.
 */
export function pruneInPlace(source: SchemaSource, object: JsonObject, report: PruneReport): void {
  const root = source.resolve(source.root);
  new Pruner(source, report).walk(object, { ...root, 'x-kubernetes-embedded-resource': true }, '');
  report.unknown.sort();
}

class Pruner {
  readonly #source: SchemaSource;
  readonly #report: PruneReport;

  constructor(source: SchemaSource, report: PruneReport) {
    this.#source = source;
    this.#report = report;
  }

  walk(value: JsonValue, schema: Schema | undefined, path: string): void {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      const items = schema?.items && this.#source.resolve(schema.items);
      const keep = schema?.['x-kubernetes-preserve-unknown-fields'] && !items;
      if (!keep) for (let i = 0; i < value.length; i++) this.walk(value[i] as JsonValue, items, `${path}[${i}]`);
      return;
    }
    this.#map(value, schema, path);
  }

  #map(map: JsonObject, schema: Schema | undefined, path: string): void {
    const embedded = schema?.['x-kubernetes-embedded-resource'] === true;
    if (embedded && map.metadata !== undefined) this.#report.metadata?.(map, path);
    for (const key of Object.keys(map)) {
      if (embedded && typeFields.has(key)) continue;
      const at = path ? `${path}.${key}` : key;
      const child = this.#child(schema, key);
      if (child === undefined) {
        if (schema?.['x-kubernetes-preserve-unknown-fields'] || schema?.additionalProperties === true) continue;
        if (path || !typeFields.has(key)) this.#report.unknown.push(at);
        delete map[key];
        continue;
      }
      const value = map[key] as JsonValue;
      if (value === null && !child.nullable) {
        if (child.default === undefined) delete map[key];
      } else this.walk(value, child, at);
    }
  }

  #child(schema: Schema | undefined, key: string): Schema | undefined {
    if (!schema) return undefined;
    const { properties, additionalProperties: rest } = schema;
    if (properties && Object.hasOwn(properties, key)) return this.#source.resolve(properties[key] as Schema);
    return typeof rest === 'object' ? this.#source.resolve(rest) : undefined;
  }
}
