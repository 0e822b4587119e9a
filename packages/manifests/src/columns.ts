import {
  defineSchema,
  type Class,
  type PrinterColumnOptions,
  type ResourceDefinition,
  isClass,
} from '@kubewright/metadata';
import type { Findings } from './findings.js';
import type { JsonSchema } from './json-schema.js';

/** A column as it stands in the CRD. */
export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

const TYPES = new Set(['integer', 'number', 'string', 'boolean', 'date']);
const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Columns of a resource: of properties in declaration order, then of the class, then `Age` (CRD-24). */
export function columnsOf(definition: ResourceDefinition, root: JsonSchema, findings: Findings): PrinterColumn[] {
  const found = [
    ...propertyColumns(definition.cls, '', root),
    ...definition.columns.map((options) => ({
      options,
      column: toColumn(options, options.jsonPath ?? '', options.type ?? 'string'),
    })),
  ];
  const columns = found
    .map((entry, index) => ({ ...entry, index }))
    .sort((a, b) => (a.options.order ?? 0) - (b.options.order ?? 0) || a.index - b.index)
    .map((entry) => entry.column);
  for (const column of columns) check(definition.cls.name, column, columns, findings);
  return columns.length === 0 || definition.options.ageColumn === false ? columns : [...columns, AGE];
}

interface Found {
  readonly options: PrinterColumnOptions;
  readonly column: PrinterColumn;
}

function propertyColumns(cls: Class, path: string, schema: JsonSchema): Found[] {
  const properties = defineSchema(cls).properties;
  const rank = (name: string): number => (path !== '' ? 0 : name === 'spec' ? -2 : name === 'status' ? -1 : 0);
  return [...properties]
    .sort((a, b) => rank(a.name) - rank(b.name))
    .flatMap((property) => {
      const node = schema.properties?.[property.name] ?? {};
      const at = `${path}.${property.name}`;
      const own = (property.facts.columns ?? []).map((options) => ({
        options,
        column: toColumn(options, options.jsonPath ?? at, options.type ?? typeOf(node)),
      }));
      const type = property.facts.type?.() ?? property.designType;
      const below = isClass(type) && !property.facts.each && node.properties ? propertyColumns(type, at, node) : [];
      return [...own, ...below];
    });
}

const typeOf = (node: JsonSchema): string => (node.format === 'date-time' ? 'date' : (node.type ?? 'string'));

function toColumn(options: PrinterColumnOptions, jsonPath: string, type: string): PrinterColumn {
  const { name, format, description, priority } = options;
  return {
    name,
    type,
    jsonPath,
    ...(format !== undefined && { format }),
    ...(description !== undefined && { description }),
    ...(priority !== undefined && priority !== 0 && { priority }),
  };
}

function check(owner: string, column: PrinterColumn, all: readonly PrinterColumn[], findings: Findings): void {
  const fault = (found: string, cause: string, fix: string): void =>
    findings.fault('KW_CRD_COLUMN_PATH', owner, { found: `has the column "${column.name}" ${found}`, cause, fix });
  if (!column.jsonPath.startsWith('.') || /\[\d/.test(column.jsonPath))
    fault(
      `with jsonPath "${column.jsonPath}"`,
      'a path starts with a dot and holds no list index',
      `jsonPath: '.spec.…'`,
    );
  if (!TYPES.has(column.type))
    fault(
      `of type ${column.type}`,
      `kubectl shows ${[...TYPES].join(', ')} only`,
      'put the column on a property of such a type',
    );
  if (all.filter((other) => other.name === column.name).length > 1)
    fault('twice', 'names of columns are unique', 'rename one of them');
}
