import type { Environment } from '@marcbachmann/cel-js';

/** String functions the engine lacks: charAt, replace, reverse, format. */
export function registerStrings(env: Environment): void {
  env.registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
    const characters = Array.from(text);
    const at = Number(index);
    if (at < 0 || at > characters.length) throw new Error(`index out of range: ${at}`);
    return characters[at] ?? '';
  });
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.split(from).join(to),
  );
  env.registerFunction('string.replace(string, string, int): string', replaceSome);
  env.registerFunction('string.reverse(): string', (text: string) => Array.from(text).reverse().join(''));
  env.registerFunction('string.format(list<dyn>): string', format);
}

function replaceSome(text: string, from: string, to: string, count: bigint): string {
  if (count < 0n) return text.split(from).join(to);
  const parts = text.split(from);
  const keep = Math.min(Number(count), parts.length - 1);
  const head = parts.slice(0, keep + 1).join(to);
  return [head, ...parts.slice(keep + 1)].join(from);
}

function format(pattern: string, values: unknown[]): string {
  let next = 0;
  return pattern.replace(
    /%(?:%|(?:\.(\d+))?([sdfexXob]))/g,
    (whole, digits: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%';
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      return formatOne(values[next++], verb, digits === undefined ? 6 : Number(digits), whole);
    },
  );
}

function formatOne(value: unknown, verb: string, digits: number, whole: string): string {
  switch (verb) {
    case 's':
      return show(value);
    case 'd':
      return String(value);
    case 'f':
      return Number(value).toFixed(digits);
    case 'e':
      return Number(value)
        .toExponential(digits)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : BigInt(value as bigint).toString(2);
    case 'o':
      return BigInt(value as bigint).toString(8);
    case 'x':
    case 'X': {
      const hex = typeof value === 'string' ? Buffer.from(value).toString('hex') : BigInt(value as bigint).toString(16);
      return verb === 'X' ? hex.toUpperCase() : hex;
    }
    default:
      throw new Error(`unrecognized formatting clause ${JSON.stringify(whole)}`);
  }
}

function show(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace(/\.000Z$/, 'Z');
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const map = value as Record<string, unknown>;
    return `{${Object.keys(map)
      .sort()
      .map((key) => `${key}: ${show(map[key])}`)
      .join(', ')}}`;
  }
  return (value as { toString(): string }).toString();
}
