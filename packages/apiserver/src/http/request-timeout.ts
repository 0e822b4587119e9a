import { badRequest } from '../core/errors.js';

const DURATION = /^[+-]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;
const UNIT = /^[+-]?(\d+\.?\d*|\.\d+)([^\d.]*)/;

/** Why Go cannot read a text as a duration. */
function problem(text: string): string {
  const quoted = JSON.stringify(text);
  const [, , unit] = UNIT.exec(text) ?? [];
  if (unit === undefined) return `time: invalid duration ${quoted}`;
  if (unit === '') return `time: missing unit in duration ${quoted}`;
  return `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
}

/** The time that a caller gives a request: a broken one is refused; no answer takes so long that a good one would matter. */
export function checkTimeout(text: string | null): void {
  if (!text || DURATION.test(text)) return;
  throw badRequest(`invalid timeout specified in the request URL - ${problem(text)}`);
}
