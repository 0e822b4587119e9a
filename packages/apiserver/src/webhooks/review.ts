import { failure } from '../core/errors.js';
import type { StatusError } from '../core/errors.js';
import type { AdmissionAttributes, JsonValue, StatusDetails } from '../core/types.js';
import { isNamespace } from './match.js';
import type { Webhook } from './types.js';

const VERSIONS = ['v1', 'v1beta1'];

/** What a webhook answered, once it was found to be in order. */
export interface Verdict {
  readonly allowed: boolean;
  readonly warnings: readonly string[];
  readonly patch: JsonValue[] | undefined;
  readonly result: Result;
}

interface Result {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: StatusDetails;
}

interface Response {
  uid?: string;
  allowed?: boolean;
  patch?: string;
  patchType?: string;
  status?: Result;
  warnings?: string[];
}

/** The first version of AdmissionReview that both sides know (AD-3). */
export function reviewVersion(hook: Webhook): string {
  const version = (hook.admissionReviewVersions ?? []).find((v) => VERSIONS.includes(v));
  if (version) return version;
  throw new Error('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
}

export interface ReviewRequest {
  readonly uid: string;
  readonly attributes: AdmissionAttributes;
  /** Version the webhook sees the objects at; they are already converted. */
  readonly version: string;
  readonly reviewVersion: string;
}

/** AD-5 */
export function admissionReview({ uid, attributes: at, version, reviewVersion: review }: ReviewRequest): unknown {
  const { resource, principal, subresource } = at;
  const { group, plural, kind } = resource;
  const namespace = isNamespace(at) ? at.name : at.namespace;
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${review}`,
    request: {
      uid,
      kind: { group, version, kind },
      resource: { group, version, resource: plural },
      ...(subresource === undefined ? {} : { subResource: subresource }),
      requestKind: { group, version: at.version, kind },
      requestResource: { group, version: at.version, resource: plural },
      ...(subresource === undefined ? {} : { requestSubResource: subresource }),
      ...(at.name ? { name: at.name } : {}),
      ...(namespace ? { namespace } : {}),
      operation: at.operation,
      userInfo: {
        username: principal.name,
        ...(principal.uid ? { uid: principal.uid } : {}),
        groups: principal.groups,
        ...(principal.extra ? { extra: principal.extra } : {}),
      },
      object: at.object ?? null,
      oldObject: at.oldObject ?? null,
      dryRun: at.dryRun,
      options: at.options,
    },
  };
}

/** Checks an answer (AD-6); throws an Error whose text follows `failed calling webhook "w": `. */
export function readVerdict(
  answer: unknown,
  request: { uid: string; reviewVersion: string; mutating: boolean },
): Verdict {
  const { kind, apiVersion, response } = (answer ?? {}) as { kind?: string; apiVersion?: string; response?: Response };
  const wanted = `admission.k8s.io/${request.reviewVersion}`;
  if (kind !== 'AdmissionReview' || !apiVersion?.startsWith('admission.k8s.io/')) {
    const version = apiVersion ?? '';
    throw new Error(
      `failed to call webhook: no kind ${JSON.stringify(kind ?? '')} is registered for version ${JSON.stringify(version)} in scheme "embedded"`,
    );
  }
  const bad = (why: string): Error => new Error(`received invalid webhook response: ${why}`);
  const strict = request.reviewVersion === 'v1';
  if (strict && apiVersion !== wanted)
    throw bad(`expected webhook response of ${wanted}, Kind=AdmissionReview, got ${apiVersion}, Kind=AdmissionReview`);
  if (!response) throw bad('webhook response was absent');
  if (strict && response.uid !== request.uid) {
    throw bad(`expected response.uid=${JSON.stringify(request.uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  return {
    allowed: response.allowed === true,
    warnings: response.warnings ?? [],
    patch: readPatch(response, { strict, mutating: request.mutating, bad }),
    result: response.status ?? {},
  };
}

function readPatch(
  { patch, patchType }: Response,
  on: { strict: boolean; mutating: boolean; bad: (why: string) => Error },
): JsonValue[] | undefined {
  if (!on.mutating && on.strict) {
    if (patch) throw on.bad('validating webhook may not return response.patch');
    if (patchType) throw on.bad('validating webhook may not return response.patchType');
  }
  if (!patch) {
    if (patchType && on.strict) throw on.bad('webhook returned response.patchType but not response.patch');
    return undefined;
  }
  if (on.strict && !patchType) throw on.bad('webhook returned response.patch but not response.patchType');
  if (patchType && patchType !== 'JSONPatch')
    throw on.bad(`webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`);
  try {
    const operations = JSON.parse(Buffer.from(patch, 'base64').toString()) as JsonValue;
    if (Array.isArray(operations)) return operations;
  } catch {
    // Told below.
  }
  throw on.bad('response.patch is not a base64 encoded JSON patch');
}

/** The refusal a client sees (AD-7). */
export function denied(hook: Webhook, { result }: Verdict): StatusError {
  const head = `admission webhook ${JSON.stringify(hook.name)} denied the request`;
  const why = result.message ? `: ${result.message}` : result.reason ? `: ${result.reason}` : ' without explanation';
  return failure(Math.max(result.code ?? 0, 400), result.reason ?? '', `${head}${why}`, result.details);
}
