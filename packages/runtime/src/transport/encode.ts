import { transportErrors } from './errors.js';
import { microTime, wholeSeconds } from './time-format.js';

/** MicroTime members by `group/Kind`, as paths from the root (T20). */
const MICRO_TIMES: Readonly<Record<string, readonly string[]>> = {
  'coordination.k8s.io/Lease': ['spec.acquireTime', 'spec.renewTime'],
  'coordination.k8s.io/LeaseCandidate': ['spec.pingTime', 'spec.renewTime'],
  '/Event': ['eventTime', 'series.lastObservedTime'],
  'events.k8s.io/Event': ['eventTime', 'series.lastObservedTime'],
};

const TWO_53 = 2 ** 53;
const TWO_64 = 2 ** 64;
/** Deeper than any object the API server takes (it stops at 10,000 for JSON); a cycle ends here. */
const MAX_DEPTH = 1_000;

/**
 * The bytes of an outgoing object: JSON as it stands, dates in the API's form, `undefined` members left out. Throws for
 * values that JSON cannot say and for numbers that were rounded when they were read (T20–T22).
 */
export function encodeBody(body: unknown, kind?: { readonly group: string; readonly kind: string }): string {
  const state: Scan = { dates: false };
  if (!isSendable(body, state, 0)) throw explain(body, '', []);
  const micro = kind && MICRO_TIMES[`${kind.group}/${kind.kind}`];
  return JSON.stringify(state.dates || micro ? prepared(body, '', micro ?? []) : body);
}

interface Scan {
  dates: boolean;
}

function isSendable(value: unknown, scan: Scan, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !isRounded(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isSendable(value[i], scan, depth + 1)) return false;
    return true;
  }
  if (value instanceof Date) {
    scan.dates = true;
    return !Number.isNaN(value.getTime());
  }
  if (value instanceof Map || value instanceof Set) return false;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined || !Object.hasOwn(value, key)) continue;
    if (!isSendable(member, scan, depth + 1)) return false;
  }
  return true;
}

function isRounded(value: number): boolean {
  const size = Math.abs(value);
  return size >= TWO_53 && size < TWO_64 && Number.isInteger(value);
}

/** The slow second pass that finds what the first one refused. */
function explain(value: unknown, path: string, above: readonly unknown[]): Error {
  const where = path === '' ? 'the body' : path;
  if (typeof value === 'number')
    return isRounded(value) ? transportErrors.unsafeInteger(where) : transportErrors.value(where, String(value));
  if (typeof value !== 'object')
    return transportErrors.value(where, value === undefined ? 'undefined' : `a ${typeof value}`);
  if (value instanceof Date) return transportErrors.value(where, 'an invalid Date');
  if (value instanceof Map || value instanceof Set) return transportErrors.value(where, `a ${value.constructor.name}`);
  if (above.includes(value)) return transportErrors.value(where, 'a cycle');
  for (const [key, member] of Object.entries(value as object)) {
    if (member === undefined && !Array.isArray(value)) continue;
    if (above.length <= MAX_DEPTH && isSendable(member, { dates: false }, above.length + 1)) continue;
    return explain(member, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, [
      ...above,
      value,
    ]);
  }
  return transportErrors.value(where, 'nested too deeply');
}

/** A copy with every date as text. */
function prepared(value: unknown, path: string, micro: readonly string[]): unknown {
  if (value instanceof Date) return micro.includes(path) ? microTime(value) : wholeSeconds(value);
  if (typeof value === 'string') return micro.includes(path) ? microTime(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => prepared(item, `${path}[]`, micro));
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const text = prepared(member, path === '' ? key : `${path}.${key}`, micro);
    // A key of this name would otherwise set the prototype of the copy (T23).
    if (key === '__proto__') Object.defineProperty(copy, key, { value: text, enumerable: true });
    else copy[key] = text;
  }
  return copy;
}
