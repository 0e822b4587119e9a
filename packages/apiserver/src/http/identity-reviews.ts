import { SERVER } from '../auth/mirror.js';
import { ISSUER } from '../auth/service-account-tokens.js';
import type { BoundObject, ServiceAccountTokens } from '../auth/service-account-tokens.js';
import { badRequest, invalid, invalidValue } from '../core/errors.js';
import type { Clock, ObjectService, Principal } from '../core/types.js';
import { target } from './rest.js';
import type { Handler } from './router.js';
import { readReview, sendReview } from './review-body.js';

/** Looks up a bearer token; undefined when nobody has it. */
export type TokenLookup = (
  token: string,
  audiences?: readonly string[],
) => Promise<{ principal: Principal; audiences: readonly string[] } | undefined>;

const kind = (name: string) => ({ group: 'authentication.k8s.io', version: 'v1', kind: name });

const HOUR = 3600;
const MINIMUM = 600;
/** Longer lifetimes than this many seconds are refused. */
const MAXIMUM = 2 ** 32;

const timestamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');

const userInfo = (principal: Principal): object => ({
  username: principal.name,
  ...(principal.uid ? { uid: principal.uid } : {}),
  groups: principal.groups,
  ...(principal.extra ? { extra: principal.extra } : {}),
});

/** SelfSubjectReview and TokenReview: `plural.group` → handler of POST (AU-4). */
export function identityReviews(clock: Clock, lookup: TokenLookup): [string, Handler][] {
  const self: Handler = async (x) => {
    await readReview(x, kind('SelfSubjectReview'));
    const metadata = { creationTimestamp: timestamp(clock.now()) };
    await sendReview(x, kind('SelfSubjectReview'), { metadata, status: { userInfo: userInfo(x.principal) } });
  };
  const token: Handler = async (x) => {
    const review = await readReview(x, kind('TokenReview'));
    const spec = (review['spec'] ?? {}) as { token?: string; audiences?: string[] };
    if (!spec.token) throw badRequest('token is required for TokenReview in authentication');
    const audiences = spec.audiences?.length ? spec.audiences : [ISSUER];
    const found = await lookup(spec.token, audiences);
    const status = found
      ? { authenticated: true, user: userInfo(found.principal), audiences: found.audiences }
      : { user: {}, error: 'invalid bearer token' };
    await sendReview(x, kind('TokenReview'), { metadata: {}, spec, status });
  };
  return [
    ['selfsubjectreviews.authentication.k8s.io', self],
    ['tokenreviews.authentication.k8s.io', token],
  ];
}

/** `POST …/serviceaccounts/x/token` (AU-5). */
export function tokenRequests(objects: ObjectService, clock: Clock, tokens: ServiceAccountTokens): Handler {
  return async (x, at) => {
    const request = await readReview(x, kind('TokenRequest'));
    const account = await objects.get({ ...target(x, at), subresource: undefined }, { principal: x.principal });
    const spec = (request['spec'] ?? {}) as {
      audiences?: string[];
      expirationSeconds?: number;
      boundObjectRef?: BoundObject;
    };
    const seconds = spec.expirationSeconds ?? HOUR;
    const wrong =
      seconds < MINIMUM
        ? 'may not specify a duration less than 10 minutes'
        : seconds > MAXIMUM
          ? 'may not specify a duration larger than 2^32 seconds'
          : '';
    if (wrong) throw invalid(kind('TokenRequest'), '', [invalidValue('spec.expirationSeconds', seconds, wrong)]);
    const audiences = spec.audiences?.length ? spec.audiences : [ISSUER];
    const bound = await resolveBound(objects, spec.boundObjectRef, account.metadata.namespace ?? '');
    const { token, expires } = tokens.issue({ account, audiences, seconds, bound });
    const { name, namespace, uid } = account.metadata;
    await sendReview(x, kind('TokenRequest'), {
      metadata: { name, namespace, uid, creationTimestamp: timestamp(clock.now()) },
      spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec.boundObjectRef ?? null },
      status: { token, expirationTimestamp: expires },
    });
  };
}

const BOUND: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };

async function resolveBound(
  objects: ObjectService,
  ref: BoundObject | undefined,
  namespace: string,
): Promise<BoundObject | undefined> {
  if (!ref) return undefined;
  const resource = objects.registry.byResource('', BOUND[ref.kind] ?? '');
  if (!resource) {
    const group = (ref.apiVersion ?? '').includes('/') ? ref.apiVersion : `/${ref.apiVersion ?? ''}`;
    throw badRequest(`cannot bind token to object of type ${group}, Kind=${ref.kind}`);
  }
  const found = await objects.get(
    { resource, version: resource.storageVersion, name: ref.name, ...(resource.namespaced ? { namespace } : {}) },
    { principal: SERVER },
  );
  const uid = found.metadata.uid ?? '';
  if (ref.uid && ref.uid !== uid) {
    throw badRequest(
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  return { kind: ref.kind, name: ref.name, uid };
}
