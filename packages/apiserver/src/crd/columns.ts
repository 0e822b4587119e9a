import type { JsonValue, KubeObject, TableColumn } from '../core/types.js';
import { humanDuration } from '../kinds/human-duration.js';
import { compileJsonPath, type JsonPath } from './json-path.js';
import type { CrdColumn } from './types.js';

const nameText = 'Name of the object, unique in its namespace.';

/** Columns of a custom resource: its name, then what the definition says, by default its age (TV-2). */
export function customColumns(declared: readonly CrdColumn[] | undefined): TableColumn[] {
  const columns = declared?.length
    ? declared
    : [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];
  return [
    { name: 'Name', type: 'string', format: 'name', description: nameText, priority: 0, cell: nameOf },
    ...columns.map(customColumn),
  ];
}

const nameOf = (object: KubeObject): JsonValue => object.metadata.name ?? '';

function customColumn(declared: CrdColumn): TableColumn {
  const { name, type, format, description, priority, jsonPath } = declared;
  // Paths are checked when the definition is created; one that cannot be read shows nothing.
  const compiled = compileJsonPath(jsonPath);
  const path: JsonPath = typeof compiled === 'string' ? () => [] : compiled;
  return {
    name,
    type,
    format: format ?? '',
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
    cell: (object, now) => cell(type, path(object), now),
  };
}

function cell(type: string, values: JsonValue[], now: number): JsonValue {
  const [value] = values;
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date': {
      if (typeof value !== 'string') return null;
      const at = Date.parse(value);
      return Number.isNaN(at) ? '<invalid>' : humanDuration(now - at);
    }
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}
