import { createRequire } from 'node:module';

/** A compiled pattern of the RE2 syntax of schemas. */
export interface Pattern {
  test(text: string): boolean;
}

const compiled = new Map<string, Pattern | string>();
const limit = 10_000;

/** Compiles a pattern; a text says why it is not one. Patterns come from schemas, so few of them are used again and again. */
export function compilePattern(pattern: string): Pattern | string {
  let found = compiled.get(pattern);
  if (found === undefined) {
    if (compiled.size >= limit) compiled.clear();
    compiled.set(pattern, (found = compile(pattern)));
  }
  return found;
}

function compile(pattern: string): Pattern | string {
  const native = toNative(pattern);
  if (native !== undefined) {
    try {
      return new RegExp(native);
    } catch {
      // The other engine says what is wrong, or knows the syntax.
    }
  }
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    const re = RE2JS.compile(pattern);
    return { test: (text) => re.matcher(text).find() };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The pattern in the syntax of RegExp, where both mean the same; undefined when it uses more: flags, Unicode classes, named
 * classes, look-around (which RE2 refuses).
 */
function toNative(pattern: string): string | undefined {
  if (/\(\?(?!:)|\[:\^?[a-z]+:\]|\\[pPQECAzkK]|\\x\{|[^ -~]/.test(pattern)) return undefined;
  let out = '';
  let inClass = false;
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '\\') {
      const next = pattern[++i];
      if (next === undefined || /[1-9]/.test(next)) return undefined;
      if (next === 's') out += inClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]';
      else if (next === 'S') {
        if (inClass) return undefined;
        out += '[^\\t\\n\\f\\r ]';
      } else out += char + next;
      continue;
    }
    if (inClass) {
      if (char === ']') inClass = false;
    } else if (char === '[') {
      inClass = true;
      out += char;
      if (pattern[i + 1] === '^') out += pattern[++i];
      // A bracket that stands first is a member of the class.
      if (pattern[i + 1] === ']') {
        i++;
        out += '\\]';
      }
      continue;
    } else if (char === '.') {
      out += '[^\\n]';
      continue;
    } else if (char === '{' && !/^\{\d+(,\d*)?\}/.test(pattern.slice(i))) return undefined;
    out += char;
  }
  return out;
}
