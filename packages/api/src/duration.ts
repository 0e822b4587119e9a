/** Milliseconds, or text such as `1h30m`, `500ms`, `2d` (units ms, s, m, h, d). */
export type Duration = number | string;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy;

/** Milliseconds of a duration. Throws RangeError for anything that is neither a finite number nor such text. */
export function parseDuration(duration: Duration): number {
  if (typeof duration === 'number') {
    if (!Number.isFinite(duration)) throw new RangeError(`duration ${duration} is not a finite number of milliseconds`);
    return duration;
  }
  PART.lastIndex = 0;
  let total = 0;
  let end = 0;
  for (let match = PART.exec(duration); match; match = PART.exec(duration)) {
    total += Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0);
    end = PART.lastIndex;
  }
  if (end === 0 || end !== duration.length)
    throw new RangeError(
      `"${duration}" is not a duration; write for example "90s", "1h30m" or milliseconds as a number`,
    );
  return total;
}
