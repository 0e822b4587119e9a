import type { FieldSelector, StoredObject } from '@kubewright/api';
import { clientErrors } from './errors.js';
import type { ParsedSelector } from './label-selector.js';

const EVERYTHING: ParsedSelector<StoredObject> = { text: '', matches: () => true };
const PATH = /^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z][A-Za-z0-9]*)*$/;

/** Reads a field selector: `path=v`, `path==v`, `path!=v`, joined by commas (L6). `\` escapes `,`, `=` and itself. */
export function parseFieldSelector(selector: FieldSelector | undefined): ParsedSelector<StoredObject> {
  if (selector === undefined || selector === '') return EVERYTHING;
  const text = typeof selector === 'string' ? selector : textOf(selector);
  const terms = split(text);
  return { text, matches: (object) => terms.every((term) => term(object)) };
}

function textOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([path, value]) => `${path}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}

function split(text: string): ((object: StoredObject) => boolean)[] {
  const terms: ((object: StoredObject) => boolean)[] = [];
  let start = 0;
  while (start <= text.length) {
    let end = start;
    while (end < text.length && text[end] !== ',') end += text[end] === '\\' ? 2 : 1;
    if (end > start) terms.push(term(text, start, Math.min(end, text.length)));
    start = end + 1;
  }
  return terms;
}

function term(text: string, start: number, end: number): (object: StoredObject) => boolean {
  const part = text.slice(start, end);
  const match = /^([^=!\\]+)(!=|==|=)((?:[^\\=]|\\[\\,=])*)$/.exec(part);
  if (!match) throw clientErrors.selector('field selector', text, start + 1, 'path=value or path!=value');
  const path = match[1] as string;
  if (!PATH.test(path))
    throw clientErrors.selector('field selector', text, start + 1, 'a field path such as metadata.name');
  const value = (match[3] as string).replace(/\\(.)/g, '$1');
  const steps = path.split('.');
  return match[2] === '!='
    ? (object) => fieldText(object, steps) !== value
    : (object) => fieldText(object, steps) === value;
}

/** A missing field is the empty text, as the server sees it. */
function fieldText(object: unknown, steps: readonly string[]): string {
  let value: unknown = object;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return '';
    value = (value as Record<string, unknown>)[step];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
