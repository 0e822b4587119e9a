/** Quantities (`500m`, `1Gi`, `2e3`): parsing, canonical text, comparison. Amounts are integers of 10^-9, so nothing is lost. */

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const NANO = 9;
const BINARY: Readonly<Record<string, bigint>> = {
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
};
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const DECIMAL_SUFFIX: readonly (readonly [number, string])[] = [
  [18, 'E'],
  [15, 'P'],
  [12, 'T'],
  [9, 'G'],
  [6, 'M'],
  [3, 'k'],
  [0, ''],
  [-3, 'm'],
  [-6, 'u'],
  [-9, 'n'],
];

interface Quantity {
  /** In 10^-9. */
  nano: bigint;
  form: 'binary' | 'decimal' | 'exponent';
}

/** What Go says of a text that is no quantity. */
export const QUANTITY_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function parse(text: string): Quantity | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (!whole && !fraction) return undefined;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const binary = BINARY[suffix];
  const form = binary ? 'binary' : /^[eE][+-]?\d/.test(suffix) ? 'exponent' : 'decimal';
  const power = form === 'exponent' ? Number(suffix.slice(1)) : form === 'binary' ? 0 : (DECIMAL[suffix] ?? 0);
  const shift = NANO + power - fraction.length;
  if (Math.abs(shift) > 60) return undefined;
  let nano = digits * (binary ?? 1n);
  // What is finer than 10^-9 is rounded up, as amounts of resources always are.
  nano = shift >= 0 ? nano * 10n ** BigInt(shift) : ceilDiv(nano, 10n ** BigInt(-shift));
  return { nano: sign === '-' ? -nano : nano, form };
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

/** The canonical text (`0.5` → `500m`, `1024Mi` → `1Gi`), or undefined when the text is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const parsed = parse(text.trim());
  return parsed && write(parsed);
}

function write({ nano, form }: Quantity): string {
  if (nano === 0n) return '0';
  const sign = nano < 0n ? '-' : '';
  const amount = nano < 0n ? -nano : nano;
  const unit = 10n ** BigInt(NANO);
  // Binary suffixes are for whole numbers from 1024 on; everything else is written in decimal.
  if (form === 'binary' && amount % unit === 0n && amount / unit >= 1024n) return sign + writeBinary(amount / unit);
  for (const [power, suffix] of DECIMAL_SUFFIX) {
    const scale = 10n ** BigInt(power + NANO);
    if (amount % scale !== 0n) continue;
    return `${sign}${amount / scale}${form === 'exponent' ? (power ? `e${power}` : '') : suffix}`;
  }
  return `${sign}${amount}n`;
}

function writeBinary(whole: bigint): string {
  let best = `${whole}`;
  for (const [suffix, size] of Object.entries(BINARY)) if (whole % size === 0n) best = `${whole / size}${suffix}`;
  return best;
}

/** Whether a quantity is a whole number. */
export function isWhole(text: string): boolean {
  return (parse(text)?.nano ?? 1n) % 10n ** BigInt(NANO) === 0n;
}

/** The quantity rounded up to thousandths, as amounts of resources are stored. */
export function toMilli(text: string): string {
  const parsed = parse(text);
  const milli = 10n ** BigInt(NANO - 3);
  if (!parsed || parsed.nano % milli === 0n) return text;
  return write({
    nano: (parsed.nano > 0n ? ceilDiv(parsed.nano, milli) : parsed.nano / milli) * milli,
    form: parsed.form,
  });
}

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`; texts that are no quantity count as 0. */
export function compareQuantities(a: string, b: string): number {
  const left = parse(a)?.nano ?? 0n;
  const right = parse(b)?.nano ?? 0n;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum of quantities in canonical text, in the form of the first one. */
export function sumQuantities(texts: readonly string[]): string {
  let nano = 0n;
  let form: Quantity['form'] | undefined;
  for (const text of texts) {
    const parsed = parse(text);
    if (!parsed) continue;
    nano += parsed.nano;
    form ??= parsed.form;
  }
  return write({ nano, form: form ?? 'decimal' });
}

/** What is left of `a` without `b`, but not less than 0; in the form of `a`. */
export function remainderOf(a: string, b: string): string {
  const left = parse(a);
  const nano = (left?.nano ?? 0n) - (parse(b)?.nano ?? 0n);
  return write({ nano: nano > 0n ? nano : 0n, form: left?.form ?? 'decimal' });
}

/** The greater of two quantities. */
export const greaterQuantity = (a: string, b: string): string => (compareQuantities(a, b) < 0 ? b : a);
