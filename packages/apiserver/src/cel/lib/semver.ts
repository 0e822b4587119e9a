import type { Environment } from '@marcbachmann/cel-js';

/** A semantic version. */
class Semver {
  readonly parts: readonly [bigint, bigint, bigint];
  readonly pre: readonly string[];

  constructor(parts: readonly [bigint, bigint, bigint], pre: readonly string[]) {
    this.parts = parts;
    this.pre = pre;
  }

  static parse(text: string): Semver {
    const found =
      /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
        text,
      );
    if (!found) throw new Error(`Semver parse error during conversion from string: ${JSON.stringify(text)}`);
    const [major, minor, patch] = found.slice(1, 4).map(BigInt) as [bigint, bigint, bigint];
    return new Semver([major, minor, patch], found[4]?.split('.') ?? []);
  }

  compareTo(other: Semver): bigint {
    for (const i of [0, 1, 2] as const)
      if (this.parts[i] !== other.parts[i]) return this.parts[i] > other.parts[i] ? 1n : -1n;
    if (this.pre.length === 0 || other.pre.length === 0)
      return BigInt(Number(other.pre.length > 0) - Number(this.pre.length > 0));
    for (let i = 0; i < Math.max(this.pre.length, other.pre.length); i++) {
      const order = comparePart(this.pre[i], other.pre[i]);
      if (order !== 0) return BigInt(order);
    }
    return 0n;
  }
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return BigInt(a) > BigInt(b) ? 1 : -1;
  if (x !== y) return x ? -1 : 1;
  return a > b ? 1 : -1;
}

/** A `v` in front, missing parts and leading zeros are mended when asked for. */
function normalized(text: string): string {
  const [core = '', ...rest] = text.replace(/^v/, '').split(/(?=[-+])/);
  const parts = core.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest.join('');
}

const canParse = (text: string): boolean => {
  try {
    return Semver.parse(text) !== undefined;
  } catch {
    return false;
  }
};

/** `semver`, `isSemver` and comparison of versions. */
export function registerSemver(env: Environment): void {
  const type = 'kubernetes.Semver';
  env.registerType(type, Semver);
  env.registerOperator(`${type} == ${type}`, (a: Semver, b: Semver) => a.compareTo(b) === 0n);
  env.registerFunction(`semver(string): ${type}`, (text: string) => Semver.parse(text));
  env.registerFunction(`semver(string, bool): ${type}`, (text: string, mend: boolean) =>
    Semver.parse(mend ? normalized(text) : text),
  );
  env.registerFunction('isSemver(string): bool', canParse);
  env.registerFunction('isSemver(string, bool): bool', (text: string, mend: boolean) =>
    canParse(mend ? normalized(text) : text),
  );
  env.registerFunction(`${type}.major(): int`, (v: Semver) => v.parts[0]);
  env.registerFunction(`${type}.minor(): int`, (v: Semver) => v.parts[1]);
  env.registerFunction(`${type}.patch(): int`, (v: Semver) => v.parts[2]);
  env.registerFunction(`${type}.compareTo(${type}): int`, (a: Semver, b: Semver) => a.compareTo(b));
  env.registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Semver, b: Semver) => a.compareTo(b) > 0n);
  env.registerFunction(`${type}.isLessThan(${type}): bool`, (a: Semver, b: Semver) => a.compareTo(b) < 0n);
}
