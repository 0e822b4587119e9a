import { failure } from '../core/errors.js';
import type { StatusError } from '../core/errors.js';
import type { PatchType } from '../core/types.js';

/** One clause of an `Accept` or `Content-Type` header. Types and parameter names are lower case. */
export interface MediaType {
  readonly type: string;
  readonly params: Readonly<Record<string, string>>;
}

/** How an answer is written. `as` undefined = the object itself. */
export interface Representation {
  readonly format: 'json' | 'yaml';
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** Version of meta.k8s.io for `as`. */
  readonly asVersion: 'v1' | 'v1beta1';
}

export const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const KNOWN: ReadonlySet<string> = new Set([JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE, '*/*', 'application/*']);
const PLAIN: Representation = { format: 'json', as: undefined, asVersion: 'v1' };
const YAML: Representation = { format: 'yaml', as: undefined, asVersion: 'v1' };
const ACCEPTED = `${JSON_TYPE}, ${YAML_TYPE}, ${PROTOBUF_TYPE}`;

const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Headers repeat: a client sends the same few values all the time. */
const parsed = new Map<string, readonly MediaType[]>();

/** The clauses of a header, the more wanted first (`q`), otherwise in their order. */
export function parseMediaTypes(header: string): readonly MediaType[] {
  const known = parsed.get(header);
  if (known) return known;
  const clauses = header.split(',').flatMap((clause) => {
    const [type = '', ...rest] = clause.split(';').map((part) => part.trim());
    if (!type) return [];
    const params: Record<string, string> = {};
    for (const part of rest) {
      const at = part.indexOf('=');
      if (at > 0)
        params[part.slice(0, at).trim().toLowerCase()] = part
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1');
    }
    const quality = Number(params['q'] ?? 1);
    return [{ type: type.toLowerCase(), params, quality: Number.isFinite(quality) ? quality : 1 }];
  });
  const sorted = clauses.sort((a, b) => b.quality - a.quality);
  if (parsed.size > 200) parsed.clear();
  parsed.set(header, sorted);
  return sorted;
}

function object(clause: MediaType): Representation | undefined {
  const as = clause.params['as'];
  if (as === undefined) return PLAIN;
  const version = clause.params['v'] ?? 'v1';
  if (clause.params['g'] !== undefined && clause.params['g'] !== 'meta.k8s.io') return undefined;
  if (version !== 'v1' && version !== 'v1beta1') return undefined;
  return as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
    ? { format: 'json', as, asVersion: version }
    : undefined;
}

/** What kind of endpoint answers: custom resources and built-ins refuse in different words (CN-4). */
export type EndpointKind = 'custom' | 'builtin' | 'builtin-list';

/** The first clause of `Accept` that can be served (CN-3); nothing sent means JSON. Throws 406 (CN-4). */
export function negotiate(accept: string | undefined, endpoint: EndpointKind): Representation {
  if (!accept || accept === JSON_TYPE || accept === '*/*') return PLAIN;
  let known = false;
  for (const clause of parseMediaTypes(accept)) {
    known ||= KNOWN.has(clause.type);
    if (clause.type === JSON_TYPE || clause.type === '*/*' || clause.type === 'application/*') {
      const found = object(clause);
      if (found) return found;
    } else if (clause.type === YAML_TYPE && clause.params['as'] === undefined) return YAML;
  }
  // A known type in a form that is not served is refused in the same words everywhere.
  throw notAcceptable(known ? 'custom' : endpoint);
}

export function notAcceptable(endpoint: EndpointKind): StatusError {
  if (endpoint === 'custom') {
    return failure(406, 'NotAcceptable', `only the following media types are accepted: ${ACCEPTED}`);
  }
  const watch = endpoint === 'builtin-list' ? `, ${JSON_TYPE};stream=watch, ${PROTOBUF_TYPE};stream=watch` : '';
  return failure(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${ACCEPTED}${watch}`, {});
}

/** CN-1 */
export function unsupportedBody(accepted: string = ACCEPTED): StatusError {
  return failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}

export type BodyFormat = 'json' | 'yaml' | 'protobuf';

/** Format of a request body; a missing Content-Type is JSON (FX-5). Throws 415. */
export function bodyFormat(contentType: string | undefined): BodyFormat {
  if (!contentType || contentType === JSON_TYPE) return 'json';
  switch (parseMediaTypes(contentType)[0]?.type) {
    case JSON_TYPE:
      return 'json';
    case YAML_TYPE:
      return 'yaml';
    case PROTOBUF_TYPE:
      return 'protobuf';
    default:
      throw unsupportedBody();
  }
}

/** CN-2. Custom resources take no strategic patches. */
export function patchType(contentType: string | undefined, custom: boolean): PatchType {
  const type = PATCH_TYPES[parseMediaTypes(contentType ?? '')[0]?.type ?? ''];
  if (custom) {
    if (type && type !== 'strategic') return type;
    throw unsupportedBody('application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml');
  }
  if (!type) throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  return type;
}
