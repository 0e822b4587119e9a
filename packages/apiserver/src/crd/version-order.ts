const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const ranks: Readonly<Record<string, number>> = { alpha: 1, beta: 2 };

/** Order of versions, the preferred first: v2 > v1 > v1beta2 > v1beta1 > v1alpha1 > other names, alphabetically (DI-4). */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [form.exec(a), form.exec(b)];
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const rank = (found: RegExpExecArray): number => ranks[found[2] ?? ''] ?? 3;
  return rank(y) - rank(x) || Number(y[1]) - Number(x[1]) || Number(y[3] ?? 0) - Number(x[3] ?? 0);
}
