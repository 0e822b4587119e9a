import { negotiate, notAcceptable } from '../codec/negotiate.js';
import { badRequest } from '../core/errors.js';
import type { JsonObject, KubeObject } from '../core/types.js';
import { decodeBuiltin } from '../kinds/strategy.js';
import { readObject } from './body.js';
import type { Exchange } from './exchange.js';
import { writeOptions } from './query.js';

export interface BuiltinKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * Reads the body of a kind that is answered and not stored. Unknown and repeated fields are treated as on any write
 * (QP-12). Throws 400, 406, 415, 422.
 */
export async function readReview(x: Exchange, as: BuiltinKind): Promise<KubeObject> {
  // The answer is no stored object, so it has no table and no metadata to show.
  if (negotiate(x.accept, 'builtin').as !== undefined) throw notAcceptable('custom');
  const { fieldValidation } = writeOptions(x, 'CreateOptions');
  const body = await readObject(x, { kind: as.kind, custom: false }, fieldValidation === 'Strict');
  const { object, problems } = decodeBuiltin(body.value as JsonObject, as);
  const all = [...problems, ...(body.problems ?? [])];
  if (all.length > 0 && fieldValidation === 'Strict') {
    const head = `${as.kind} in version "${as.version}" cannot be handled as a ${as.kind}`;
    throw badRequest(`${head}: strict decoding error: ${all.join(', ')}`);
  }
  if (fieldValidation === 'Warn') for (const problem of all) x.warnings.add(problem);
  object.metadata ??= {};
  return object;
}

/** Answers a review with its kind first and the part the server filled in last. */
export function sendReview(x: Exchange, as: BuiltinKind, parts: Record<string, unknown>): Promise<void> {
  return x.json(201, { kind: as.kind, apiVersion: as.group ? `${as.group}/${as.version}` : as.version, ...parts });
}
