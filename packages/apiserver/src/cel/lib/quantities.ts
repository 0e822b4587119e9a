import type { Environment } from '@marcbachmann/cel-js';

const nano = 1_000_000_000n;
const suffixes: Readonly<Record<string, bigint>> = {
  n: 1n,
  u: 1_000n,
  m: 1_000_000n,
  '': nano,
  k: nano * 1_000n,
  M: nano * 1_000_000n,
  G: nano * 1_000_000_000n,
  T: nano * 10n ** 12n,
  P: nano * 10n ** 15n,
  E: nano * 10n ** 18n,
  Ki: nano << 10n,
  Mi: nano << 20n,
  Gi: nano << 30n,
  Ti: nano << 40n,
  Pi: nano << 50n,
  Ei: nano << 60n,
};

/** A resource quantity in billionths; smaller parts are rounded up, as the API does. */
class Quantity {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  static parse(text: string): Quantity {
    const parts = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/.exec(text);
    if (!parts)
      throw new Error(`quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`);
    const [, sign, digits = '0', exponent, suffix = ''] = parts;
    const [whole = '0', fraction = ''] = digits.split('.');
    let scaled = BigInt(`${whole || '0'}${fraction}`) * (suffixes[suffix] as bigint);
    const power = (exponent ? Number(exponent.slice(1)) : 0) - fraction.length;
    if (power >= 0) scaled *= 10n ** BigInt(power);
    else {
      const divisor = 10n ** BigInt(-power);
      scaled = (scaled + divisor - 1n) / divisor;
    }
    return new Quantity(sign === '-' ? -scaled : scaled);
  }
}

/** `quantity`, `isQuantity` and arithmetic with quantities. */
export function registerQuantities(env: Environment): void {
  const type = 'kubernetes.Quantity';
  env.registerType(type, Quantity);
  env.registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.nanos === b.nanos);
  env.registerFunction(`quantity(string): ${type}`, (text: string) => Quantity.parse(text));
  env.registerFunction('isQuantity(string): bool', (text: string) => {
    try {
      return Quantity.parse(text) !== undefined;
    } catch {
      return false;
    }
  });
  env.registerFunction(`${type}.sign(): int`, (q: Quantity) => (q.nanos > 0n ? 1n : q.nanos < 0n ? -1n : 0n));
  env.registerFunction(`${type}.isInteger(): bool`, (q: Quantity) => q.nanos % nano === 0n);
  env.registerFunction(`${type}.asInteger(): int`, (q: Quantity) => {
    if (q.nanos % nano !== 0n) throw new Error('cannot convert value to integer');
    return q.nanos / nano;
  });
  env.registerFunction(`${type}.asApproximateFloat(): double`, (q: Quantity) => Number(q.nanos) / Number(nano));
  env.registerFunction(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos + b.nanos));
  env.registerFunction(`${type}.add(int): ${type}`, (a: Quantity, b: bigint) => new Quantity(a.nanos + b * nano));
  env.registerFunction(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos - b.nanos));
  env.registerFunction(`${type}.sub(int): ${type}`, (a: Quantity, b: bigint) => new Quantity(a.nanos - b * nano));
  env.registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos > b.nanos);
  env.registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos < b.nanos);
  env.registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) =>
    a.nanos > b.nanos ? 1n : a.nanos < b.nanos ? -1n : 0n,
  );
}
