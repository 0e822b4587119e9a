/**
 * A slow, careful reader of JSON text. It never builds a value (`JSON.parse` does); it says what is wrong with a text in the
 * words of the Go decoder, and finds what `JSON.parse` hides: keys given twice and integers that a double cannot hold.
 */
export interface JsonFindings {
  /** Go's words for the first syntax error. */
  readonly error?: string;
  readonly duplicates: readonly { readonly path: string; readonly key: string; readonly line: number }[];
  /** Integers outside ±(2^53−1), written without fraction or exponent (DE-18). */
  readonly bigIntegers: readonly { readonly path: string; readonly text: string }[];
}

const END = 'unexpected end of JSON input';
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

const shown = (c: string): string => (c === "'" ? `'\\''` : c === '"' ? `'"'` : `'${JSON.stringify(c).slice(1, -1)}'`);
const invalid = (c: string, where: string): Error => new Error(`invalid character ${shown(c)} ${where}`);

/** Scans `text`; `path` of a finding is written `spec.items[0].name`. */
export function scanJson(text: string): JsonFindings {
  const scan = new Scan(text);
  try {
    scan.document();
    return { duplicates: scan.duplicates, bigIntegers: scan.bigIntegers };
  } catch (error) {
    // A RangeError: the text is deeper than the stack.
    const why = error instanceof RangeError ? 'exceeded max depth' : (error as Error).message;
    return { error: why, duplicates: scan.duplicates, bigIntegers: scan.bigIntegers };
  }
}

class Scan {
  readonly duplicates: { path: string; key: string; line: number }[] = [];
  readonly bigIntegers: { path: string; text: string }[] = [];
  readonly #text: string;
  #at = 0;
  #line = 1;
  #counted = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value('');
    this.#space();
    const rest = this.#text[this.#at];
    if (rest !== undefined) throw invalid(rest, 'after top-level value');
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  #next(): string {
    this.#space();
    const c = this.#text[this.#at];
    if (c === undefined) throw new Error(END);
    return c;
  }

  #value(path: string): void {
    const c = this.#next();
    if (c === '{') this.#object(path);
    else if (c === '[') this.#array(path);
    else if (c === '"') this.#string();
    else if (c === '-' || (c >= '0' && c <= '9')) this.#number(path);
    else if (LITERALS[c]) this.#literal(LITERALS[c]);
    else throw invalid(c, 'looking for beginning of value');
  }

  #literal(word: string): void {
    for (let i = 0; i < word.length; i++) {
      const c = this.#text[this.#at + i];
      if (c === undefined) throw new Error(END);
      if (c !== word[i]) throw invalid(c, `in literal ${word} (expecting ${shown(word[i] ?? '')})`);
    }
    this.#at += word.length;
  }

  #object(path: string): void {
    const seen = new Set<string>();
    this.#at++;
    if (this.#next() === '}') return void this.#at++;
    for (;;) {
      const c = this.#next();
      if (c !== '"') throw invalid(c, 'looking for beginning of object key string');
      const start = this.#at;
      const key = this.#string();
      const child = path ? `${path}.${key}` : key;
      if (seen.has(key)) {
        this.duplicates.push({ path: child, key, line: this.#lineAt(start) });
      }
      seen.add(key);
      const colon = this.#next();
      if (colon !== ':') throw invalid(colon, 'after object key');
      this.#at++;
      this.#value(child);
      const after = this.#next();
      this.#at++;
      if (after === '}') return;
      if (after !== ',') throw invalid(after, 'after object key:value pair');
    }
  }

  /** Asked for places in ascending order only. */
  #lineAt(place: number): number {
    for (; this.#counted < place; this.#counted++) if (this.#text[this.#counted] === '\n') this.#line++;
    return this.#line;
  }

  #array(path: string): void {
    this.#at++;
    if (this.#next() === ']') return void this.#at++;
    for (let i = 0; ; i++) {
      this.#value(`${path}[${i}]`);
      const after = this.#next();
      this.#at++;
      if (after === ']') return;
      if (after !== ',') throw invalid(after, 'after array element');
    }
  }

  #string(): string {
    const start = this.#at++;
    for (; ; this.#at++) {
      const c = this.#text[this.#at];
      if (c === undefined) throw new Error(END);
      if (c === '"') break;
      if (c < ' ') throw invalid(c, 'in string literal');
      if (c !== '\\') continue;
      const escape = this.#text[++this.#at];
      if (escape === undefined) throw new Error(END);
      if (escape === 'u') {
        for (let i = 0; i < 4; i++) {
          const hex = this.#text[++this.#at];
          if (hex === undefined) throw new Error(END);
          if (!/[0-9a-f]/i.test(hex)) throw invalid(hex, String.raw`in \u hexadecimal character escape`);
        }
      } else if (!'"\\/bfnrt'.includes(escape)) throw invalid(escape, 'in string escape code');
    }
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #number(path: string): void {
    const start = this.#at;
    const digits = (where: string): void => {
      const c = this.#text[this.#at];
      if (c === undefined) throw new Error(END);
      if (c < '0' || c > '9') throw invalid(c, where);
      while (/[0-9]/.test(this.#text[this.#at] ?? '')) this.#at++;
    };
    if (this.#text[this.#at] === '-') this.#at++;
    if (this.#text[this.#at] === '0') this.#at++;
    else digits('in numeric literal');
    const whole = this.#at;
    if (this.#text[this.#at] === '.') {
      this.#at++;
      digits('after decimal point in numeric literal');
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
      if (/[+-]/.test(this.#text[this.#at] ?? '')) this.#at++;
      digits('in exponent of numeric literal');
    }
    const text = this.#text.slice(start, this.#at);
    if (whole === this.#at && !Number.isSafeInteger(Number(text))) this.bigIntegers.push({ path, text });
  }
}
