import { isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, stringify } from 'yaml';
import type { Document, ErrorCode, YAMLParseError } from 'yaml';
import type { JsonValue } from '../core/types.js';
import type { Parsed } from './text.js';
import { integerRange, isFloatField } from './text.js';

/** Loaded on first use only: the library costs start time (FX-7). */
export function readYaml(text: string): Parsed {
  const { document, lines } = parseIndented(text);
  const error = document.errors[0];
  if (error?.message.startsWith('Maximum call stack')) return { value: null, syntax: 'yaml: exceeded max depth' };
  if (error) return { value: null, syntax: `yaml: line ${error.linePos?.[0].line ?? 1}: ${goText(error, text)}` };
  const reader = new Reader(lines);
  const value = reader.value(document.contents, '');
  if (reader.excessive) return { value: null, syntax: 'yaml: document contains excessive aliasing' };
  if (reader.unknownAnchor !== undefined)
    return { value: null, syntax: `yaml: unknown anchor '${reader.unknownAnchor}' referenced` };
  return reader.problems.length > 0 ? { value, problems: reader.problems } : { value };
}

function parse(text: string): { document: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    version: '1.1',
    uniqueKeys: false,
    lineCounter: lines,
    merge: true,
    logLevel: 'silent',
    intAsBigInt: true,
  });
  return { document, lines };
}

const QUOTED_REPAIRS = 16;

/**
 * The Go decoder takes quoted text whose further lines are not indented, our parser does not. Such lines are indented, which
 * does not change the text, and all is read again.
 */
function parseIndented(text: string): { document: Document; lines: LineCounter } {
  const first = parse(text);
  let result = first;
  let current = text;
  for (let i = 0; i < QUOTED_REPAIRS; i++) {
    const error = result.document.errors[0];
    const quote = error?.message.match(/^Missing closing (['"])/)?.[1];
    if (!error || quote === undefined) return error ? first : result;
    const from = error.pos[0];
    const end = closingQuote(current, quote, from);
    if (end < 0) return first;
    const rest = current.slice(from, end).replace(/\n(?=[^\n])/g, `\n${' '.repeat(error.linePos?.[0].col ?? 1)}`);
    current = current.slice(0, from) + rest + current.slice(end);
    result = parse(current);
  }
  return first;
}

/** Where quoted text ends, or -1. */
function closingQuote(text: string, quote: string, from: number): number {
  const pattern = quote === "'" ? /''|'/g : /\\.|"/gs;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) if (match[0] === quote) return match.index;
  return -1;
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

/** Nodes that all aliases together may stand for: a short text with aliases of aliases can mean any amount of memory. */
const MAX_ALIASED = 100_000;

class Reader {
  readonly problems: string[] = [];
  unknownAnchor: string | undefined;
  readonly #lines: LineCounter;
  /** Nodes by their anchors, as met so far: an alias means the last one before it. */
  readonly #anchors = new Map<string, unknown>();
  #aliases = 0;
  #aliased = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  get excessive(): boolean {
    return this.#aliased > MAX_ALIASED;
  }

  value(node: unknown, path: string): JsonValue {
    if (isAlias(node)) {
      if (!this.#anchors.has(node.source)) this.unknownAnchor ??= node.source;
      this.#aliases++;
      const value = this.value(this.#anchors.get(node.source), path);
      this.#aliases--;
      return value;
    }
    if (this.#aliases > 0) this.#aliased++;
    if (this.excessive) return null;
    this.#anchor(node);
    // A date stays the text it was, as in the Go decoder.
    if (isScalar(node)) return this.#scalar(node.value instanceof Date ? node.source : node.value, path);
    if (isSeq(node)) return node.items.map((item, i) => this.value(item, `${path}[${i}]`));
    if (!isMap(node)) return null;
    const out: Record<string, JsonValue> = {};
    for (const pair of node.items) {
      if (!isPair(pair)) continue;
      this.#anchor(pair.key);
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
      const value = this.value(pair.value, path ? `${path}.${key}` : key);
      if (key === '__proto__')
        Object.defineProperty(out, key, { value, enumerable: true, writable: true, configurable: true });
      else out[key] = value;
    }
    return out;
  }

  #anchor(node: unknown): void {
    if (isNode(node) && 'anchor' in node && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
  }

  #scalar(value: unknown, path: string): JsonValue {
    if (typeof value === 'bigint') {
      const number = Number(value);
      if (!Number.isSafeInteger(number) && !isFloatField(path)) throw integerRange(path, String(value));
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
