import { badRequest } from '../core/errors.js';
import type { StatusError } from '../core/errors.js';
import type { Body, JsonValue } from '../core/types.js';
import { scanJson } from './json-scan.js';

/** A parsed text. `syntax` is set instead of a value when it cannot be read. */
export interface Parsed extends Body {
  readonly syntax?: string;
}

/**
 * Objects and lists within each other, at most. Go's decoders take 10,000; what walks a value here calls itself once or more
 * a level.
 */
const MAX_DEPTH = 500;
const TOO_DEEP = 'exceeded max depth';

/** Sixteen digits in a row: nothing shorter can leave ±(2^53−1). */
const LONG_NUMBER = /\d{16}/;
const BACKSLASH = 92;
const COLON = 58;

/**
 * Reads JSON. `JSON.parse` does the work; the text is looked at again only when it may hold a key twice (it has more colons
 * behind strings than the value has keys) or a number too long for a double.
 */
export function parseJson(text: string): Parsed {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return { value: null, syntax: scanJson(text).error ?? 'unexpected end of JSON input' };
  }
  const keys = keysInValue(value, 0);
  if (keys === undefined) return { value: null, syntax: TOO_DEEP };
  const suspicious = keysInText(text) !== keys;
  if (!suspicious && !LONG_NUMBER.test(text)) return { value };
  const found = scanJson(text);
  const big = found.bigIntegers.find(({ path }) => !isFloatField(path));
  if (big) throw integerRange(big.path, big.text);
  if (found.duplicates.length === 0) return { value };
  return { value, problems: found.duplicates.map((d) => `duplicate field ${JSON.stringify(d.path)}`) };
}

/** Bounds in the schema of a definition are floating point numbers, however many digits they have. */
export const isFloatField = (path: string): boolean =>
  /^spec\.versions\[\d+\]\.schema\.openAPIV3Schema\..*\.(maximum|minimum|multipleOf)$/.test(path);

/** DE-18 */
export function integerRange(path: string, text: string): StatusError {
  return badRequest(
    `${path || 'body'}: Invalid value: ${text}: integers outside of ±9007199254740991 (2^53−1) are not supported by the embedded server`,
  );
}

function keysInText(text: string): number {
  let keys = 0;
  let at = text.indexOf('"');
  while (at >= 0) {
    let end = text.indexOf('"', at + 1);
    while (end > 0 && escaped(text, end)) end = text.indexOf('"', end + 1);
    if (end < 0) return keys;
    let after = end + 1;
    while (text.charCodeAt(after) <= 32) after++;
    if (text.charCodeAt(after) === COLON) keys++;
    at = text.indexOf('"', after);
  }
  return keys;
}

function escaped(text: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === BACKSLASH) at--;
  return (quote - 1 - at) % 2 === 1;
}

/** Undefined: the value is too deep. */
function keysInValue(value: JsonValue, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MAX_DEPTH) return undefined;
  const list = Array.isArray(value);
  let keys = 0;
  for (const item of list ? value : Object.values(value)) {
    const below = keysInValue(item, depth + 1);
    if (below === undefined) return undefined;
    keys += list ? below : below + 1;
  }
  return keys;
}

/**
 * Reads YAML 1.1 (CN-5). Text that is JSON takes the JSON parser; keys given twice are then reported in YAML's words with
 * their line.
 */
export async function parseYaml(text: string): Promise<Parsed> {
  if (text.trimStart().startsWith('{')) {
    const json = parseJson(text);
    if (json.syntax === TOO_DEEP) return { value: null, syntax: `yaml: ${TOO_DEEP}` };
    if (json.syntax === undefined) {
      if (!json.problems) return json;
      const problems = scanJson(text).duplicates.map(
        (d) => `line ${d.line}: key ${JSON.stringify(d.key)} already set in map`,
      );
      return { value: json.value, problems };
    }
  }
  const { readYaml } = await import('./yaml.js');
  try {
    const parsed = readYaml(text);
    return keysInValue(parsed.value, 0) === undefined ? { value: null, syntax: `yaml: ${TOO_DEEP}` } : parsed;
  } catch (error) {
    // The reader calls itself for each level.
    if (error instanceof RangeError) return { value: null, syntax: `yaml: ${TOO_DEEP}` };
    throw error;
  }
}
