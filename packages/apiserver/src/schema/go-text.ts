import type { JsonValue } from '../core/types.js';

/** How texts name the Go type of a value. */
export function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

/** A value as `%v` prints it. */
export function goPlain(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  return `map[${Object.keys(value)
    .sort()
    .map((key) => `${key}:${goPlain(value[key] as JsonValue)}`)
    .join(' ')}]`;
}

function syntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(syntax).join(', ')}}`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `map[string]interface {}{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${syntax(value[key] as JsonValue)}`)
    .join(', ')}}`;
}

/** A value as the texts of SA-11 show it, short form. */
export const goValue = (value: JsonValue): string => `&{${goPlain(value)}}`;

/** A value as the texts of SA-11 show it, long form. */
export const goSyntax = (value: JsonValue): string => `&value.valueUnstructured{Value:${syntax(value)}}`;
