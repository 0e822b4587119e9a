import type { JsonValue, KubeObject, TableColumn } from '../core/types.js';
import { humanAge } from './human-duration.js';
import type { Container, LabelSelector, PodSpec } from './shapes.js';

/** Building blocks of printer columns (TV-1, TV-3). */

/** A column of text; `type` as in TV-3. */
export function column<T extends KubeObject>(
  name: string,
  cell: (object: T, now: number) => JsonValue,
  options: { type?: string; format?: string; wide?: boolean } = {},
): TableColumn {
  return {
    name,
    type: options.type ?? 'string',
    ...(options.format ? { format: options.format } : {}),
    priority: options.wide ? 1 : 0,
    cell: (object, now) => cell(object as T, now),
  };
}

export const nameColumn: TableColumn = column('Name', (object) => object.metadata.name ?? '', { format: 'name' });
export const ageColumn: TableColumn = column('Age', (object, now) => humanAge(object.metadata.creationTimestamp, now));
export const createdColumn: TableColumn = column('Created At', (object) => object.metadata.creationTimestamp ?? '', {
  type: 'date',
});

/** The columns of a kind nobody wrote columns for. */
export const plainColumns: readonly TableColumn[] = [nameColumn, createdColumn];

/** A text that may be missing. */
export const orNone = (value: string | number | null | undefined): string =>
  value === undefined || value === null || value === '' ? '<none>' : String(value);

/** `a=b,c=d`, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length ? pairs.sort().join(',') : '<none>';
}

/** A label selector in the syntax of `-l`; `<none>` selects nothing that a reader would look for. */
export function formatSelector(selector: LabelSelector | undefined): string {
  const parts = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  parts.sort();
  for (const { key, operator, values = [] } of selector?.matchExpressions ?? []) {
    if (operator === 'Exists') parts.push(key);
    else if (operator === 'DoesNotExist') parts.push(`!${key}`);
    else parts.push(`${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`);
  }
  return parts.length ? parts.join(',') : '<none>';
}

const names = (containers: readonly Container[] | null | undefined): string =>
  (containers ?? []).map((c) => c.name).join(',');
const images = (containers: readonly Container[] | null | undefined): string =>
  (containers ?? []).map((c) => c.image ?? '').join(',');

/** `+Containers, +Images` of a workload. */
export function containerColumns<T extends KubeObject>(spec: (object: T) => PodSpec | undefined): TableColumn[] {
  return [
    column<T>('Containers', (object) => names(spec(object)?.containers), { wide: true }),
    column<T>('Images', (object) => images(spec(object)?.containers), { wide: true }),
  ];
}
