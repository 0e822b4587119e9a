import type { Schema } from '../../core/types.js';
import { escapedName, resourceFields } from '../values.js';

/** A value as its schema bounds it. */
export interface Declared {
  /** `dyn`: the type is only known when the expression runs. `opaque`: an address, a quantity and the like. */
  readonly kind:
    | 'bool'
    | 'int'
    | 'double'
    | 'string'
    | 'bytes'
    | 'duration'
    | 'timestamp'
    | 'list'
    | 'map'
    | 'struct'
    | 'opaque'
    | 'dyn';
  /** The most items, entries, characters or bytes. */
  readonly maxElements: number;
  /** The fewest bytes it takes as JSON. */
  readonly minBytes: number;
  readonly fields?: ReadonlyMap<string, Declared>;
  /** Of items or values. */
  readonly element?: Declared;
}

/** The largest request, in bytes: what no schema bounds, this does. */
export const requestBytes: number = 3 * 1024 * 1024;

const simple = (kind: Declared['kind'], minBytes: number, maxElements = 0): Declared => ({
  kind,
  minBytes,
  maxElements,
});

/** Values that expressions make, whose size their type does not tell. */
export const types: Readonly<Record<Exclude<Declared['kind'], 'map' | 'struct'> | 'strings', Declared>> = {
  bool: simple('bool', 4),
  int: simple('int', 1),
  double: simple('double', 1),
  string: simple('string', 2),
  bytes: simple('bytes', 2),
  duration: simple('duration', 3),
  timestamp: simple('timestamp', 21),
  opaque: simple('opaque', 1),
  dyn: simple('dyn', 1),
  list: { ...simple('list', 2), element: simple('dyn', 1) },
  strings: { ...simple('list', 2), element: simple('string', 2) },
};

const known = new WeakMap<Schema, { declared: Declared | undefined }>();

/** The bounds of a schema; undefined when expressions do not see such values. `resource`: has apiVersion, kind and metadata. */
export function declaredBy(schema: Schema, resource = false): Declared | undefined {
  if (resource) return read(schema, true);
  const found = known.get(schema);
  if (found) return found.declared;
  const declared = read(schema, schema['x-kubernetes-embedded-resource'] === true);
  known.set(schema, { declared });
  return declared;
}

function read(schema: Schema, resource: boolean): Declared | undefined {
  if (schema['x-kubernetes-int-or-string']) return simple('dyn', 1, textLength(schema));
  switch (resource ? 'object' : schema.type) {
    case 'array':
      return list(schema);
    case 'object':
      return typeof schema.additionalProperties === 'object' ? map(schema) : struct(schema, resource);
    case 'string':
      return text(schema);
    case 'boolean':
      return types.bool;
    case 'number':
      return types.double;
    case 'integer':
      return types.int;
    default:
      return undefined;
  }
}

function list(schema: Schema): Declared | undefined {
  const element = schema.items && declaredBy(schema.items);
  if (!element) return undefined;
  const fit = Math.floor((requestBytes - 2) / (element.minBytes + 1));
  return { ...simple('list', 2, bound(schema.maxItems) ?? fit), element };
}

function map(schema: Schema): Declared | undefined {
  const element = declaredBy(schema.additionalProperties as Schema);
  if (!element) return undefined;
  const fit = Math.floor((requestBytes - 2) / (element.minBytes + 6));
  return { ...simple('map', 2, bound(schema.maxProperties) ?? fit), element };
}

function struct(schema: Schema, resource: boolean): Declared {
  const fields = new Map<string, Declared>();
  let minBytes = 2;
  const properties = resource ? { ...schema.properties, ...resourceFields } : (schema.properties ?? {});
  for (const [name, property] of Object.entries(properties)) {
    const declared = declaredBy(property);
    if (!declared) continue;
    const escaped = escapedName(name);
    if (escaped !== undefined) fields.set(escaped, declared);
    // Defaults are filled in later, so a request need not have them.
    if (schema.required?.includes(name) && property.default === undefined)
      minBytes += Buffer.byteLength(name) + declared.minBytes + 4;
  }
  return { ...simple('struct', minBytes), fields };
}

function text(schema: Schema): Declared {
  switch (schema.format) {
    case 'byte':
      return simple('bytes', 2, bound(schema.maxLength) ?? requestBytes - 2);
    case 'duration':
      return simple('duration', 3, 32);
    case 'date':
      return simple('timestamp', 12, 12);
    case 'date-time':
      return simple('timestamp', 21, 32);
    default:
      return simple('string', 2, textLength(schema));
  }
}

/** A character takes up to four bytes. */
function textLength(schema: Schema): number {
  const bounded = bound(schema.maxLength);
  if (bounded !== undefined) return bounded * 4;
  if (schema['x-kubernetes-int-or-string'] || !schema.enum?.length) return requestBytes - 2;
  return Math.max(0, ...schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

const bound = (limit: number | undefined): number | undefined => (limit === undefined ? undefined : Math.max(0, limit));
