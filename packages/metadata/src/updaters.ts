import type { Duration } from '@kubewright/api';
import type {
  ClassRecord,
  ControllerSettings,
  Misuse,
  PredicateRef,
  PrinterColumnOptions,
  PropertyRecord,
  ResourceOptions,
  ScaleOptions,
  SourceRecord,
} from './record.js';

type Update = (record: ClassRecord) => ClassRecord;

// Class decorators run from the last line up, members from the first line down: the former are put in front, so that a
// record lists everything in the order of the source text.

export const withResource =
  (resource: ResourceOptions): Update =>
  (record) => ({ ...record, resource });

export const withController =
  (controller: ControllerSettings): Update =>
  (record) => ({ ...record, controller });

export const withEvery =
  (every: Duration): Update =>
  (record) => ({ ...record, every });

export const withInjectable = (): Update => (record) => ({ ...record, injectable: true });

export const withPredicates =
  (predicates: readonly PredicateRef<never>[]): Update =>
  (record) => ({ ...record, predicates: [...predicates, ...record.predicates] });

export const withSource =
  (source: SourceRecord): Update =>
  (record) => ({
    ...record,
    sources: source.method === undefined ? [source, ...record.sources] : [...record.sources, source],
  });

export const withColumn =
  (column: PrinterColumnOptions): Update =>
  (record) => ({ ...record, columns: [column, ...record.columns] });

export const withScale =
  (scale: ScaleOptions): Update =>
  (record) => ({ ...record, scale });

export const withMisuse =
  (misuse: Misuse): Update =>
  (record) => ({ ...record, misuses: [...record.misuses, misuse] });

/** Adds facts of one property; columns add up, any other fact replaces its predecessor. */
export const withProperty =
  (name: string, facts: PropertyRecord): Update =>
  (record) => {
    const before = record.properties[name];
    const columns = [...(facts.columns ?? []), ...(before?.columns ?? [])];
    const merged = { ...before, ...facts, ...(columns.length > 0 && { columns }) };
    return { ...record, properties: { ...record.properties, [name]: merged } };
  };
