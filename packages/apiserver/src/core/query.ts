import { badRequest, failure, forbiddenField, invalid, notSupported } from './errors.js';
import type { StatusError } from './errors.js';
import type { FieldError, ListOptions, WatchOptions } from './types.js';

const LIST_OPTIONS = { group: 'meta.k8s.io', kind: 'ListOptions' };

/** How a list is read: `exact` serves the state at `revision`, `newer` the latest once `revision` was reached. */
export type ListPlan =
  | { readonly mode: 'latest' }
  | { readonly mode: 'newer' | 'exact'; readonly revision: number }
  | { readonly mode: 'continue'; readonly revision: number; readonly after: string };

/** Where a watch begins: `initial` sends the current objects first, `from` replays what came after a revision. */
export type WatchPlan =
  | { readonly mode: 'initial'; readonly revision: number }
  | { readonly mode: 'now' }
  | { readonly mode: 'from'; readonly revision: number };

/** A resourceVersion as a number; undefined when empty. Throws what lists answer, or what gets and watches do (QP-5). */
export function parseRevision(text: string | undefined, how: 'list' | 'other'): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const why = `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw how === 'list' ? badRequest(`invalid resource version: ${why}`) : failure(500, '', why);
}

function refuseOptions(errors: FieldError[]): void {
  if (errors.length) throw invalid(LIST_OPTIONS, '', errors);
}

const MATCHES = ['Exact', 'NotOlderThan', ''];

/** Checks the options of a list (QP-3 … QP-5). */
export function planList(options: ListOptions): ListPlan {
  const match = options.resourceVersionMatch || undefined;
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  if (match !== undefined) {
    const path = 'resourceVersionMatch';
    if (!options.resourceVersion)
      errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continue)
      errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
    if (!MATCHES.includes(match)) errors.push(notSupported(path, match, MATCHES));
    if (match === 'Exact' && options.resourceVersion === '0') {
      errors.push(forbiddenField(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  refuseOptions(errors);
  if (options.continue) {
    if (options.resourceVersion && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const { revision, start } = parseContinue(options.continue);
    return { mode: 'continue', revision, after: start };
  }
  const revision = parseRevision(options.resourceVersion, 'list');
  if (revision === undefined) return { mode: 'latest' };
  if (revision === 0) return { mode: 'newer', revision: 0 };
  const exact = match === 'Exact' || (match === undefined && (options.limit ?? 0) > 0);
  return { mode: exact ? 'exact' : 'newer', revision };
}

/** Checks the options of a watch (QP-5, QP-7, QP-9). */
export function planWatch(options: WatchOptions): WatchPlan {
  const match = options.resourceVersionMatch || undefined;
  const path = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (options.sendInitialEvents === undefined) {
    if (match !== undefined)
      errors.push(
        forbiddenField(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
  } else {
    if (match !== 'NotOlderThan') {
      errors.push(forbiddenField(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    }
    if (match !== undefined && match !== 'NotOlderThan') errors.push(notSupported(path, match, ['NotOlderThan']));
  }
  if (options.continue)
    errors.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
  refuseOptions(errors);
  const revision = parseRevision(options.resourceVersion, 'other') ?? 0;
  if (options.sendInitialEvents) return { mode: 'initial', revision };
  if (revision > 0) return { mode: 'from', revision };
  return options.sendInitialEvents === undefined ? { mode: 'initial', revision: 0 } : { mode: 'now' };
}

// ---- continue tokens ------------------------------------------------------------------------------------------------

const TOKEN_VERSION = 'meta.k8s.io/v1';

/** `start` is the key to go on from, relative to the listed collection, with a leading slash and a closing NUL. Revision −1 = the latest. */
export function formatContinue(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start: `/${start}\0` })).toString('base64url');
}

function parseContinue(token: string): { revision: number; start: string } {
  const refuse = (why: string): StatusError => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const bad = /[^A-Za-z0-9_-]/.exec(token);
  if (bad) throw refuse(`illegal base64 data at input byte ${bad.index}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    const [first = ''] = Buffer.from(token, 'base64url').toString('utf8').trimStart();
    const readable = first !== '' && !'{["-0123456789tfn'.includes(first);
    throw refuse(
      readable ? `invalid character '${first}' looking for beginning of value` : 'unexpected end of JSON input',
    );
  }
  if (typeof parsed !== 'object' || parsed === null) throw refuse('the decoded token is not an object');
  const { v, rv, start } = parsed as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== TOKEN_VERSION) throw refuse(`server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== 'number' || !Number.isInteger(rv) || rv === 0) {
    throw refuse(`incorrect encoded start resourceVersion (version ${TOKEN_VERSION})`);
  }
  if (typeof start !== 'string' || start === '') throw refuse(`encoded start key empty (version ${TOKEN_VERSION})`);
  return { revision: rv, start: start.replace(/^\//, '').replace(/\0$/, '') };
}

// ---- answers about revisions ----------------------------------------------------------------------------------------

/** QP-4: a revision that has not been reached in time. */
export function tooLarge(revision: number, current: number): StatusError {
  const message = `Too large resource version: ${revision}, current: ${current}`;
  return failure(504, 'Timeout', `Timeout: ${message}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** WA-3 */
export const watchTooOld = (revision: number, oldest: number): StatusError =>
  failure(410, 'Expired', `too old resource version: ${revision} (${oldest})`);

/** QP-4 */
export const listTooOld = (): StatusError =>
  failure(410, 'Expired', 'The resourceVersion for the provided list is too old.');

/** QP-3: carries a token that goes on from the same key at the latest state. */
export function continueTooOld(start: string): StatusError {
  const error = failure(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue ' +
      'parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided ' +
      'token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was ' +
      'returned and now may show up in the list.',
  );
  error.status.metadata = { continue: formatContinue(-1, start) };
  return error;
}
