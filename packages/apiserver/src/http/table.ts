import { badRequest } from '../core/errors.js';
import type { JsonObject, JsonValue, KubeObject, ResourceDef, ResourceVersion, TableColumn } from '../core/types.js';
import { ageColumn, column, nameColumn, plainColumns } from '../kinds/columns.js';
import type { Exchange } from './exchange.js';

export type IncludeObject = 'None' | 'Metadata' | 'Object';
type MetaVersion = 'v1' | 'v1beta1';

/** QP-15; looked at only when a Table is asked for. */
export function includeObject(x: Exchange): IncludeObject {
  const value = x.query.get('includeObject') ?? '';
  if (value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

/** What a custom resource's scale shows. */
export const SCALE_COLUMNS: readonly TableColumn[] = [
  nameColumn,
  column<Scale>('Desired', ({ spec }) => spec?.replicas ?? 0, { type: 'integer' }),
  column<Scale>('Available', ({ status }) => status?.replicas ?? 0, { type: 'integer' }),
  { ...ageColumn, type: 'date' },
];

/** The columns of a version; a kind that declares none shows name and creation time (TV-2). */
const columnsOf = (version: ResourceVersion): readonly TableColumn[] =>
  version.columns.length > 0 ? version.columns : plainColumns;

/** PartialObjectMetadata of an object (TV-1). */
export const partial = (object: KubeObject, version: MetaVersion): JsonObject => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata as JsonObject,
});

export interface TableOptions {
  readonly include: IncludeObject;
  readonly metaVersion: MetaVersion;
  /** Wall clock in ms, for ages. */
  readonly now: number;
  /** False in all watch events but the first (WA-7). */
  readonly definitions: boolean;
}

/** A Table of `objects` (TV-1). */
export function table(
  objects: readonly KubeObject[],
  version: ResourceVersion,
  options: TableOptions & { metadata: JsonObject },
): JsonObject {
  const columns = columnsOf(version);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.metaVersion}`,
    metadata: options.metadata,
    columnDefinitions: options.definitions ? columns.map(definition) : null,
    rows: objects.map((object) => row(object, columns, options)),
  };
}

const definition = (column: TableColumn): JsonObject => ({
  name: column.name,
  type: column.type,
  format: column.format ?? '',
  description: column.description ?? '',
  priority: column.priority ?? 0,
});

function row(object: KubeObject, columns: readonly TableColumn[], options: TableOptions): JsonValue {
  const cells = columns.map((column) => column.cell(object, options.now));
  if (options.include === 'None') return { cells, object: null };
  return {
    cells,
    object: options.include === 'Object' ? (object as JsonObject) : partial(object, options.metaVersion),
  };
}

/** Name of a type as the Go server shows it in CN-3's refusals. */
export function goType(resource: ResourceDef, list: boolean): string {
  if (resource.custom) return `*unstructured.Unstructured${list ? 'List' : ''}`;
  return `*${resource.group.split('.')[0] || 'core'}.${list ? resource.listKind : resource.kind}`;
}
