/** Scalar forms of built-in kinds that are more than a JSON type: times, base64. Each answers the form that is stored. */

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,](\d+))?(?:Z|[+-]\d{2}:\d{2})$/;

/** A reason why a text cannot be read, in the words of a Go decoder. */
export class Unreadable extends Error {
  override readonly name: string = 'Unreadable';
}

function instant(text: string): { seconds: string; fraction: string } {
  const match = RFC3339.exec(text);
  const ms = match ? Date.parse(text) : NaN;
  if (!match || Number.isNaN(ms)) {
    throw new Unreadable(
      `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
    );
  }
  return { seconds: new Date(ms).toISOString().slice(0, 19), fraction: match[1] ?? '' };
}

/** RFC 3339 in UTC, whole seconds. */
export function goTime(text: string): string {
  return `${instant(text).seconds}Z`;
}

/** RFC 3339 in UTC with six decimals; a text with fewer or more is not taken. */
export function goMicroTime(text: string): string {
  const { seconds, fraction } = instant(text);
  if (fraction.length === 6) return `${seconds}.${fraction}Z`;
  const rest = JSON.stringify(text.slice(19));
  throw new Unreadable(
    `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${rest} as ".000000"`,
  );
}

/** Standard base64 with padding; line ends are taken out. */
export function goBase64(text: string): string {
  const compact = text.replace(/[\r\n]/g, '');
  if (compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return compact;
  const wrong = compact.search(/[^A-Za-z0-9+/]/);
  throw new Unreadable(`illegal base64 data at input byte ${wrong < 0 ? Math.floor(compact.length / 4) * 4 : wrong}`);
}
