import { badRequest } from '../core/errors.js';
import { bodyFormat, unsupportedBody } from '../codec/negotiate.js';
import { parseJson, parseYaml } from '../codec/text.js';
import type { Parsed } from '../codec/text.js';
import type { Body, JsonObject, JsonValue, PatchType } from '../core/types.js';
import type { Exchange } from './exchange.js';

/** What a body should be: `kind` is named in the refusals of ER-11. */
export interface Expected {
  readonly kind: string;
  readonly custom: boolean;
}

const META_STRUCT = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
const SHOWN = 30;

/** The first bytes of a body: as they are when it begins like an object, else in hexadecimal (ER-11). */
function excerpt(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const head = bytes.subarray(0, SHOWN);
  return `${bytes[0] === 0x7b ? head.toString() : head.toString('hex')}${bytes.length > SHOWN ? ' ...' : ''}`;
}

const goType = (value: JsonValue): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;

const isObject = (value: JsonValue): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Why apiVersion and kind cannot be read; undefined when they can. */
function kindProblem(value: JsonValue): string | undefined {
  const prefix = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (value === null) return undefined;
  if (!isObject(value)) return `${prefix} ${goType(value)} into Go value of type ${META_STRUCT}`;
  for (const field of ['apiVersion', 'kind']) {
    const got = value[field];
    if (got !== undefined && got !== null && typeof got !== 'string') {
      return `${prefix} ${goType(got)} into Go struct field .${field} of type string`;
    }
  }
  return undefined;
}

async function parse(bytes: Buffer, format: 'json' | 'yaml'): Promise<Parsed> {
  const parsed = format === 'json' ? parseJson(bytes.toString()) : await parseYaml(bytes.toString());
  if (parsed.syntax === undefined || parsed.syntax.startsWith('yaml:')) return parsed;
  return { ...parsed, syntax: `couldn't get version/kind; json parse error: ${parsed.syntax}` };
}

/** Reads the object of a create or an update in any format the server takes. Throws 400, 413, 415. */
export async function readObject(x: Exchange, expected: Expected, strict: boolean): Promise<Body> {
  const format = bodyFormat(x.header('content-type'));
  if (format === 'protobuf') {
    if (expected.custom) throw unsupportedBody();
    return readProtobuf(await x.body());
  }
  const bytes = await x.body();
  const parsed = await parse(bytes, format);
  const unrecognized = (why: string): Error =>
    badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${excerpt(bytes)})`);
  if (parsed.syntax !== undefined) throw unrecognized(parsed.syntax);
  const problem = kindProblem(parsed.value);
  if (problem !== undefined) throw unrecognized(problem);
  const value = parsed.value ?? {};
  if (expected.custom && !(value as JsonObject)['kind']) {
    const text = format === 'json' ? bytes.toString() : JSON.stringify(value);
    throw unrecognized(`Object 'Kind' is missing in '${text}'`);
  }
  if (!parsed.problems) return { value };
  return { value, problems: format === 'yaml' && strict ? [yamlErrors(parsed.problems)] : parsed.problems };
}

/** What the Go decoder makes of several errors in YAML. */
const yamlErrors = (problems: readonly string[]): string =>
  `yaml: unmarshal errors:${problems.map((p) => `\n  ${p}`).join('')}`;

async function readProtobuf(bytes: Buffer): Promise<Body> {
  const { decodeProtobuf } = await import('../codec/protobuf.js');
  return { value: decodeProtobuf(bytes) };
}

/** Reads a patch; what it may hold is for the patch and apply ports to say. Throws 400, 413 (ER-12, SA-12). */
export async function readPatch(x: Exchange, type: PatchType, strict: boolean): Promise<Body> {
  const bytes = await x.body();
  const text = bytes.toString();
  if (type !== 'apply') {
    const parsed = parseJson(text);
    if (parsed.syntax !== undefined) throw badRequest('invalid JSON patch');
    return { value: parsed.value, ...(parsed.problems ? { problems: parsed.problems } : {}) };
  }
  const parsed = await parseYaml(text);
  if (parsed.syntax !== undefined) {
    const step = text.startsWith('{') ? 'error decoding patch: error converting YAML to JSON' : 'error encoding patch';
    throw badRequest(
      `${step}: ${parsed.syntax.startsWith('yaml:') ? parsed.syntax : `yaml: line 1: ${parsed.syntax}`}`,
    );
  }
  const value = parsed.value ?? {};
  if (!isObject(value)) {
    const why = `json: cannot unmarshal ${goType(value)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  if (parsed.problems && strict) {
    throw badRequest(`error strict decoding patch: error converting YAML to JSON: ${yamlErrors(parsed.problems)}`);
  }
  return { value, ...(parsed.problems ? { problems: parsed.problems } : {}) };
}

/** Body of a DELETE; undefined when there is none (QP-14). */
export async function readDeleteOptions(x: Exchange): Promise<JsonObject | undefined> {
  const bytes = await x.body();
  if (bytes.length === 0) return undefined;
  const format = bodyFormat(x.header('content-type'));
  const { value } = format === 'protobuf' ? await readProtobuf(bytes) : await parse(bytes, format).then(throwSyntax);
  const problem = kindProblem(value);
  if (problem !== undefined) throw badRequest(problem);
  if (!isObject(value)) return {};
  const kind = value['kind'];
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    const version = (value['apiVersion'] ?? '') as string;
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "embedded"`,
    );
  }
  return value;
}

function throwSyntax(parsed: Parsed): Parsed {
  if (parsed.syntax !== undefined) throw badRequest(parsed.syntax);
  return parsed;
}
