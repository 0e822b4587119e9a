import { badRequest, isStatusError } from '../core/errors.js';
import type { JsonObject, JsonValue } from '../core/types.js';
import { PROTOBUF_TYPE, unsupportedBody } from './negotiate.js';
import type { ProtoField, ProtoMessage, ProtoTable } from './proto-format.js';
import { readSpecial } from './proto-special.js';
import facts from './proto-table.json' with { type: 'json' };
import { WireReader } from './wire.js';

/** First bytes of every Kubernetes protobuf body: `k8s` and a zero (PB-1). */
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0]);
const JSON_SCHEMA = 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
const MAP = /^map<(.+)>$/;

/** Read with this module, that is when the first protobuf body comes. */
const BUILTIN = facts as unknown as ProtoTable;

/** Reads a protobuf body into the JSON form of its object. Throws 400 for broken bytes, 415 for kinds unknown (PB-6). */
export function decodeProtobuf(bytes: Buffer, table: ProtoTable = BUILTIN): JsonObject {
  if (!bytes.subarray(0, 4).equals(MAGIC)) {
    throw badRequest(`provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]`);
  }
  try {
    const envelope = readEnvelope(new WireReader(bytes, 4));
    const message = table.kinds[`${envelope.apiVersion}/${envelope.kind}`] ?? optionsOf(envelope.kind, table);
    if (message === undefined || (envelope.contentType !== '' && envelope.contentType !== PROTOBUF_TYPE))
      throw unsupportedBody();
    const object = new Decoder(table).message(message, new WireReader(envelope.raw));
    return { kind: envelope.kind, apiVersion: envelope.apiVersion, ...object };
  } catch (error) {
    if (isStatusError(error)) throw error;
    const why = error instanceof RangeError ? 'unexpected EOF' : (error as Error).message;
    throw badRequest(`the body of the request is not a valid protobuf message: ${why}`);
  }
}

/** DeleteOptions come under the group version of what is deleted. */
function optionsOf(kind: string, table: ProtoTable): string | undefined {
  return kind === 'DeleteOptions' ? table.kinds['v1/DeleteOptions'] : undefined;
}

interface Envelope {
  apiVersion: string;
  kind: string;
  contentType: string;
  raw: Buffer;
}

function readEnvelope(reader: WireReader): Envelope {
  const out: Envelope = { apiVersion: '', kind: '', contentType: '', raw: Buffer.alloc(0) };
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === 2) readTypeMeta(reader.message(), out);
    else if (field === 2 && wire === 2) out.raw = reader.bytes();
    else if (field === 4 && wire === 2) out.contentType = reader.string();
    else reader.skip(wire);
  }
  return out;
}

function readTypeMeta(reader: WireReader, out: Envelope): void {
  while (!reader.done) {
    const { field, wire } = reader.tag();
    if (field === 1 && wire === 2) out.apiVersion = reader.string();
    else if (field === 2 && wire === 2) out.kind = reader.string();
    else reader.skip(wire);
  }
}

class Decoder {
  readonly #facts: ProtoTable;

  constructor(facts: ProtoTable) {
    this.#facts = facts;
  }

  message(name: string, reader: WireReader): JsonObject {
    const out: JsonObject = {};
    const fields = this.#facts.messages[name];
    if (fields === undefined || typeof fields === 'string') throw unsupportedBody();
    this.#into(out, fields, reader);
    return out;
  }

  #into(out: JsonObject, fields: ProtoMessage, reader: WireReader): void {
    while (!reader.done) {
      const { field, wire } = reader.tag();
      const known = fields[field];
      if (!known) {
        reader.skip(wire);
        continue;
      }
      const [name, type, flags = ''] = known;
      const map = MAP.exec(type);
      if (map) this.#entry((out[name] ??= {}) as JsonObject, map[1] as string, reader.message());
      else if (flags.includes('i')) this.#inline(out, type, reader.message());
      else if (flags.includes('r')) this.#item((out[name] ??= []) as JsonValue[], { type, wire, reader });
      else this.#field(out, known, reader);
    }
  }

  #inline(out: JsonObject, type: string, reader: WireReader): void {
    const fields = this.#facts.messages[type];
    if (fields !== undefined && typeof fields !== 'string') this.#into(out, fields, reader);
  }

  /** Numbers may come packed; everything else comes one by one. List elements keep their zeros (PB-5). */
  #item(list: JsonValue[], at: { type: string; wire: number; reader: WireReader }): void {
    const packed = at.wire === 2 && at.type !== 'string' && at.type !== 'bytes' && isScalar(at.type);
    const reader = packed ? at.reader.message() : at.reader;
    do list.push(this.#value(at.type, reader) ?? null);
    while (packed && !reader.done);
  }

  /** Map values keep their zeros (PB-5). */
  #entry(map: JsonObject, type: string, reader: WireReader): void {
    let key = '';
    let value: JsonValue | undefined;
    while (!reader.done) {
      const { field, wire } = reader.tag();
      if (field === 1 && wire === 2) key = reader.string();
      else if (field === 2) value = this.#value(type, reader);
      else reader.skip(wire);
    }
    map[key] = value ?? zero(type);
  }

  /** A zero is "not given" unless Go has a pointer there (PB-5). */
  #field(out: JsonObject, [name, type, flags = '']: ProtoField, reader: WireReader): void {
    const value = this.#value(type, reader);
    if (value === undefined) return;
    if (flags.includes('p') || !isZero(value)) out[name] = value;
  }

  #value(type: string, reader: WireReader): JsonValue | undefined {
    switch (type) {
      case 'string':
        return reader.string();
      case 'bytes':
        return reader.bytes().toString('base64');
      case 'bool':
        return reader.unsigned() !== 0;
      case 'int':
        return reader.signed();
      case 'sint':
        return reader.zigzag();
      case 'double':
        return reader.double();
      case 'float':
        return reader.float();
      case 'fixed32':
        return reader.fixed32();
      case 'fixed64':
        return reader.fixed64();
      default: {
        const special = this.#facts.messages[type];
        return typeof special === 'string'
          ? readSpecial(special, reader.message(), (schema) => this.message(JSON_SCHEMA, schema))
          : this.message(type, reader.message());
      }
    }
  }
}

const SCALARS = new Set(['string', 'bytes', 'bool', 'int', 'sint', 'double', 'float', 'fixed32', 'fixed64']);
const isScalar = (type: string): boolean => SCALARS.has(type);

const zero = (type: string): JsonValue =>
  type === 'string' || type === 'bytes' ? '' : type === 'bool' ? false : isScalar(type) ? 0 : {};

function isZero(value: JsonValue): boolean {
  if (value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
