import { badRequest } from './errors.js';
import type { KubeObject, ResourceDef, ResourceVersion } from './types.js';

/** A parsed field selector. `name` and `namespace` are the values that must hold exactly, where the selector says so. */
export interface FieldSelector {
  readonly name?: string;
  readonly namespace?: string;
  matches(object: KubeObject): boolean;
}

interface Term {
  field: string;
  value: string;
  equal: boolean;
}

/** Splits at commas that are not escaped. */
function split(text: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') term += text[i++] as string;
    else if (text[i] === ',') {
      terms.push(term);
      term = '';
      continue;
    }
    term += text[i] ?? '';
  }
  terms.push(term);
  return terms;
}

function unescape(text: string): string {
  let value = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c === '\\') {
      const next = text[++i];
      if (next !== '\\' && next !== ',' && next !== '=') {
        throw badRequest(`invalid field selector: invalid escape sequence: \\${next ?? ''}`);
      }
      value += next;
    } else if (c === ',' || c === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${c.charCodeAt(0)}`);
    } else value += c;
  }
  return value;
}

function parseTerm(text: string): Term {
  const found = /^((?:\\.|[^\\=!]|!(?!=))*)(==|!=|=)([^]*)$/.exec(text);
  if (!found) throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
  return { field: found[1] as string, equal: found[2] !== '!=', value: unescape(found[3] as string) };
}

const META: Readonly<Record<string, (object: KubeObject) => string>> = {
  'metadata.name': (object) => object.metadata.name ?? '',
  'metadata.namespace': (object) => object.metadata.namespace ?? '',
};

function refuse(resource: ResourceDef, version: ResourceVersion, field: string): Error {
  return resource.custom || Object.keys(version.fields).length > 0
    ? badRequest(`field label not supported: ${field}`)
    : badRequest(`${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** Parses a field selector for objects at `version` (QP-2); undefined when it selects everything. Throws 400. */
export function parseFieldSelector(
  text: string | undefined,
  resource: ResourceDef,
  version: ResourceVersion,
): FieldSelector | undefined {
  if (!text) return undefined;
  const checks: ((object: KubeObject) => boolean)[] = [];
  let name: string | undefined;
  let namespace: string | undefined;
  for (const part of split(text)) {
    if (part === '') continue;
    const { field, value, equal } = parseTerm(part);
    const read = META[field] ?? version.fields[field];
    if (!read) throw refuse(resource, version, field);
    if (equal && field === 'metadata.name') name = value;
    if (equal && field === 'metadata.namespace') namespace = value;
    checks.push((object) => (read(object) === value) === equal);
  }
  if (!checks.length) return undefined;
  return {
    ...(name !== undefined ? { name } : {}),
    ...(namespace !== undefined ? { namespace } : {}),
    matches: (object) => checks.every((check) => check(object)),
  };
}
