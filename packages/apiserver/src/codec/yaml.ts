import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml';
import type { Document, ErrorCode, YAMLParseError } from 'yaml';
import type { JsonValue } from '../core/types.js';
import type { Parsed } from './text.js';
import { integerRange } from './text.js';

/** Loaded on first use only: the library costs start time (FX-7). */
export function readYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.1',
    uniqueKeys: false,
    lineCounter: lines,
    merge: true,
    logLevel: 'silent',
    intAsBigInt: true,
  });
  const error = document.errors[0];
  if (error) return { value: null, syntax: `yaml: line ${error.linePos?.[0].line ?? 1}: ${goText(error, text)}` };
  const reader = new Reader(document, lines);
  const value = reader.value(document.contents, '');
  if (reader.unknownAnchor !== undefined)
    return { value: null, syntax: `yaml: unknown anchor '${reader.unknownAnchor}' referenced` };
  return reader.problems.length > 0 ? { value, problems: reader.problems } : { value };
}

const GO_TEXTS: readonly (readonly [ErrorCode, string])[] = [
  ['BLOCK_AS_IMPLICIT_KEY', 'mapping values are not allowed in this context'],
  ['TAB_AS_INDENT', 'found character that cannot start any token'],
  ['BAD_SCALAR_START', 'found character that cannot start any token'],
  ['BAD_DQ_ESCAPE', 'found unknown escape character'],
  ['BAD_INDENT', 'did not find expected key'],
  ['UNEXPECTED_TOKEN', 'did not find expected node content'],
];

/** The words of the Go decoder for the commonest errors; others keep those of our parser. */
function goText({ code, message, pos }: YAMLParseError, text: string): string {
  const flow = /Flow (sequence|map) .*end with a/.exec(message);
  if (flow) {
    if (/[[{,:]\s*$/.test(text.slice(0, pos[0]))) return 'did not find expected node content';
    return `did not find expected ',' or '${flow[1] === 'map' ? '}' : ']'}'`;
  }
  if (message.startsWith('Missing closing')) return 'found unexpected end of stream';
  if (message.startsWith('Implicit map keys need')) return "could not find expected ':'";
  const known = GO_TEXTS.find(([c]) => c === code);
  return known?.[1] ?? message.split('\n')[0]?.replace(/ at line \d.*$/, '') ?? message;
}

class Reader {
  readonly problems: string[] = [];
  unknownAnchor: string | undefined;
  readonly #document: Document;
  readonly #lines: LineCounter;

  constructor(document: Document, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  value(node: unknown, path: string): JsonValue {
    if (isAlias(node)) {
      const anchored = node.resolve(this.#document);
      if (anchored === undefined) this.unknownAnchor ??= node.source;
      return this.value(anchored, path);
    }
    // A date stays the text it was, as in the Go decoder.
    if (isScalar(node)) return this.#scalar(node.value instanceof Date ? node.source : node.value, path);
    if (isSeq(node)) return node.items.map((item, i) => this.value(item, `${path}[${i}]`));
    if (!isMap(node)) return null;
    const out: Record<string, JsonValue> = {};
    for (const pair of node.items) {
      if (!isPair(pair)) continue;
      const key = isScalar(pair.key) ? keyText(pair.key.value) : String(pair.key);
      // A merge key comes as a symbol.
      if (isScalar(pair.key) && typeof pair.key.value === 'symbol') {
        for (const merged of isSeq(pair.value) ? pair.value.items : [pair.value]) {
          const from = this.value(merged, path);
          if (from !== null && typeof from === 'object' && !Array.isArray(from)) {
            for (const [k, v] of Object.entries(from)) if (!(k in out)) out[k] = v;
          }
        }
        continue;
      }
      if (Object.hasOwn(out, key)) {
        const bare = isScalar(pair.key) && typeof pair.key.value === 'boolean';
        const line = this.#lines.linePos((isScalar(pair.key) ? pair.key.range?.[0] : undefined) ?? 0).line;
        this.problems.push(`line ${line}: key ${bare ? key : JSON.stringify(key)} already set in map`);
      }
      out[key] = this.value(pair.value, path ? `${path}.${key}` : key);
    }
    return out;
  }

  #scalar(value: unknown, path: string): JsonValue {
    if (typeof value === 'bigint') {
      const number = Number(value);
      if (!Number.isSafeInteger(number)) throw integerRange(path, String(value));
      return number;
    }
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    return null;
  }
}

/** Keys become strings as in the Go decoder: `on` is `true`, `010` is `8`. */
const keyText = (key: unknown): string => (typeof key === 'string' ? key : String(key as number | boolean | null));

export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 });
}
