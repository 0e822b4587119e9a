import type { JsonValue } from '../core/types.js';
import type { SchemaOr, SpecialMessage } from './proto-format.js';
import type { WireReader } from './wire.js';

/** Messages whose JSON form is not an object (PB-3). `undefined`: the value is not there. `schema` reads a JSON schema. */
export function readSpecial(
  kind: SpecialMessage,
  reader: WireReader,
  schema: (reader: WireReader) => JsonValue,
): JsonValue | undefined {
  switch (kind) {
    case 'schema-or-array':
    case 'schema-or-bool':
    case 'schema-or-strings':
      return schemaOr(kind, reader, schema);
    case 'quantity':
      return text(reader);
    case 'time':
    case 'microtime':
      return time(reader, kind === 'microtime');
    case 'duration':
      return goDuration(numbers(reader).get(1) ?? 0);
    case 'intorstring':
      return intOrString(reader);
    case 'raw':
      return raw(reader);
    case 'list':
      return list(reader);
  }
}

function schemaOr(kind: SchemaOr, reader: WireReader, schema: (reader: WireReader) => JsonValue): JsonValue {
  let single: JsonValue | undefined;
  let allows = false;
  const several: JsonValue[] = [];
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (wire === 0) allows = reader.unsigned() !== 0;
    else if (field === 2 && kind === 'schema-or-strings') several.push(reader.string());
    else if (field === 2 && kind === 'schema-or-array') several.push(schema(reader.message()));
    else if (wire === 2) single = schema(reader.message());
    else reader.skip(wire);
  }
  return several.length > 0 ? several : (single ?? (kind === 'schema-or-bool' ? allows : several));
}

function text(reader: WireReader): string {
  let out = '';
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === 2) out = reader.string();
    else reader.skip(wire);
  }
  return out;
}

function numbers(reader: WireReader): Map<number, number> {
  const out = new Map<number, number>();
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (wire === 0) out.set(field, reader.signed());
    else reader.skip(wire);
  }
  return out;
}

/** An empty message is Go's zero time, which JSON writes as null. */
function time(reader: WireReader, micro: boolean): string | undefined {
  const parts = numbers(reader);
  const seconds = parts.get(1);
  if (seconds === undefined) return undefined;
  const base = new Date(seconds * 1000).toISOString().slice(0, 19);
  const micros = Math.floor((parts.get(2) ?? 0) / 1000);
  return micro ? `${base}.${String(micros).padStart(6, '0')}Z` : `${base}Z`;
}

function intOrString(reader: WireReader): JsonValue {
  let type = 0;
  let int = 0;
  let string = '';
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === 0) type = reader.unsigned();
    else if (field === 2 && wire === 0) int = reader.signed();
    else if (field === 3 && wire === 2) string = reader.string();
    else reader.skip(wire);
  }
  return type === 0 ? int : string;
}

function raw(reader: WireReader): JsonValue | undefined {
  let bytes = '';
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === 2) bytes = reader.string();
    else reader.skip(wire);
  }
  return bytes === '' ? undefined : (JSON.parse(bytes) as JsonValue);
}

function list(reader: WireReader): string[] {
  const out: string[] = [];
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === 2) out.push(reader.string());
    else reader.skip(wire);
  }
  return out;
}

const UNITS: readonly (readonly [string, number])[] = [
  ['ns', 1],
  ['µs', 1e3],
  ['ms', 1e6],
];

/** A duration in nanoseconds as Go prints it: `1h0m5s`, `1.5s`, `250ms`. */
export function goDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s';
  const sign = nanoseconds < 0 ? '-' : '';
  const total = Math.abs(nanoseconds);
  if (total < 1e9) {
    const [unit, size] = UNITS.findLast(([, s]) => total >= s) ?? ['ns', 1];
    return `${sign}${total / size}${unit}`;
  }
  const hours = Math.floor(total / 3.6e12);
  const minutes = Math.floor((total % 3.6e12) / 6e10);
  const seconds = (total % 6e10) / 1e9;
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`;
}
