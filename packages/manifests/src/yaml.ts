import { Document, isMap, isScalar, isSeq, type Pair, Scalar, visit } from 'yaml';

const FIRST_KEYS = ['apiVersion', 'kind', 'metadata', 'spec', 'data'];
const PLAIN = /^[A-Za-z_/.](?:[A-Za-z0-9_./-]| (?=[A-Za-z0-9_./-]))*$/;
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|~|\.inf|\.nan)$/i;
const NUMBERISH = /^[-+]?(?:\.?\d[\d_.,:eExXoOa-fA-F+-]*|\.inf|\.nan)$/;
// Controls and the line separators that some readers take for line ends.
// oxlint-disable-next-line no-control-regex -- finding control characters is what it is for
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * Objects as YAML documents: the same bytes for the same input everywhere (GEN-1…4). Keys are sorted (at the root
 * apiVersion, kind, metadata, spec, data come first), and every string that a YAML 1.1 or 1.2 reader could take for something else is quoted.
 * `comments` are written before the objects they are for.
 */
export function toYaml(objects: object | readonly object[], comments: ReadonlyMap<object, string> = new Map()): string {
  return [objects]
    .flat()
    .map((object) => one(object, comments))
    .join('---\n');
}

function one(object: unknown, comments: ReadonlyMap<object, string>): string {
  const document = new Document(object, { version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false });
  comment(document.contents, object, comments);
  visit(document, {
    Map: (_key, map) => {
      map.items.sort(map === document.contents ? byRootKey : byKey);
    },
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string') scalar.type = styleOf(scalar.value);
      if (typeof scalar.value === 'number') scalar.value = checked(scalar.value);
    },
  });
  return document.toString({
    lineWidth: 0,
    indent: 2,
    indentSeq: false,
    minContentWidth: 0,
    doubleQuotedMinMultiLineLength: Infinity,
  });
}

/** Puts each comment before the node of the object it is for. */
function comment(node: unknown, value: unknown, comments: ReadonlyMap<object, string>): void {
  if (typeof value !== 'object' || value === null || comments.size === 0) return;
  const text = comments.get(value);
  if (text !== undefined && isMap(node)) node.commentBefore = ` ${text}`;
  const entries = Object.entries(value);
  if (isSeq(node)) node.items.forEach((item, index) => comment(item, entries[index]?.[1], comments));
  else if (isMap(node)) for (const [key, member] of entries) comment(node.get(key, true), member, comments);
}

function styleOf(text: string): Scalar.Type {
  if (text.includes('\n') && !UNSAFE.test(text) && !/^\s|[ \t]$|[ \t]\n|\n[ \t]/.test(text)) return 'BLOCK_LITERAL';
  return PLAIN.test(text) && !WORDS.test(text) && !NUMBERISH.test(text) ? 'PLAIN' : 'QUOTE_DOUBLE';
}

function checked(value: number): number {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new RangeError(
      `${value} cannot be written: numbers in manifests are finite and at most ±${Number.MAX_SAFE_INTEGER}`,
    );
  return value === 0 ? 0 : value;
}

const byKey = (a: Pair, b: Pair): number => (keyOf(a) < keyOf(b) ? -1 : 1);
const byRootKey = (a: Pair, b: Pair): number => rank(keyOf(a)) - rank(keyOf(b)) || byKey(a, b);

const keyOf = (pair: Pair): string => String(isScalar(pair.key) ? pair.key.value : isMap(pair.key) ? '' : pair.key);
const rank = (key: string): number => {
  const index = FIRST_KEYS.indexOf(key);
  return index < 0 ? FIRST_KEYS.length : index;
};
