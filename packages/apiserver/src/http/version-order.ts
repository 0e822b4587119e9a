/** Compares version names by kube priority: GA before beta before alpha, higher numbers first, other names last (DI-4). */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [priority(a), priority(b)];
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
}

function priority(name: string): readonly [stage: number, major: number, minor: number] | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name);
  if (!match) return undefined;
  return [match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0, Number(match[1]), Number(match[3] ?? 0)];
}
