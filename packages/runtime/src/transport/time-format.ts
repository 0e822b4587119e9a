const FRACTION = /\.(\d+)(?=Z|[+-])|(?=Z$|[+-]\d\d:\d\d$)/;

/** A time for a MicroTime member: six digits of a second, `2026-01-02T03:04:05.123000Z`. Text that is no time stays. */
export function microTime(time: Date | string): string {
  if (time instanceof Date) return `${time.toISOString().slice(0, -1)}000Z`;
  if (Number.isNaN(Date.parse(time))) return time;
  return time.replace(FRACTION, (_all, digits: string | undefined) => `.${(digits ?? '').padEnd(6, '0').slice(0, 6)}`);
}

/** A time for every other member: `2026-01-02T03:04:05Z`. */
export function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
