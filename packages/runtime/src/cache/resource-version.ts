const DECIMAL = /^(0|[1-9]\d*)$/;

/** Whether a resourceVersion can be ordered (L42). */
export function isOrderedVersion(version: string): boolean {
  return DECIMAL.test(version);
}

/** Orders decimal resourceVersions as text: by length, then by digits; never as JS numbers. Empty is before all. */
export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
