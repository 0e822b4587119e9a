import type { Attributes, Authorizer } from '../auth/ports.js';
import { badRequest, invalid, invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, Principal } from '../core/types.js';
import type { Exchange } from './exchange.js';
import type { Handler } from './router.js';
import { readReview, sendReview } from './review-body.js';

interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
}

interface AccessSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

const kind = (name: string) => ({ group: 'authorization.k8s.io', version: 'v1', kind: name });

/** The reviews of authorization.k8s.io: `plural.group` → handler of POST (AU-4). */
export function accessReviews(authorizer: Authorizer): [string, Handler][] {
  const access =
    (name: string, who: (spec: AccessSpec, x: Exchange) => Principal): Handler =>
    async (x) => {
      const review = await readReview(x, kind(name));
      const spec = (review['spec'] ?? {}) as AccessSpec;
      check(review, spec, { self: name.startsWith('Self'), namespace: x.info.namespace });
      const { allowed, reason } = await authorizer.authorize(who(spec, x), attributesOf(spec));
      const status = { allowed, ...(reason ? { reason } : {}) };
      await sendReview(x, kind(name), { metadata: review.metadata, spec, status });
    };
  const self = (_spec: AccessSpec, x: Exchange): Principal => x.principal;
  const other = (spec: AccessSpec): Principal => ({
    name: spec.user ?? '',
    ...(spec.uid ? { uid: spec.uid } : {}),
    groups: spec.groups ?? [],
    ...(spec.extra ? { extra: spec.extra } : {}),
  });
  const rules: Handler = async (x) => {
    const review = await readReview(x, kind('SelfSubjectRulesReview'));
    const namespace = ((review['spec'] ?? {}) as { namespace?: string }).namespace ?? '';
    if (!namespace) throw badRequest('no namespace on request');
    const found = await authorizer.rules(x.principal, namespace);
    const status = { ...found, incomplete: false };
    await sendReview(x, kind('SelfSubjectRulesReview'), { metadata: {}, spec: {}, status });
  };
  return [
    ['selfsubjectaccessreviews.authorization.k8s.io', access('SelfSubjectAccessReview', self)],
    ['subjectaccessreviews.authorization.k8s.io', access('SubjectAccessReview', other)],
    ['localsubjectaccessreviews.authorization.k8s.io', access('LocalSubjectAccessReview', other)],
    ['selfsubjectrulesreviews.authorization.k8s.io', rules],
  ];
}

function check(review: KubeObject, spec: AccessSpec, at: { self: boolean; namespace: string | undefined }): void {
  const errors: FieldError[] = [];
  if (Boolean(spec.resourceAttributes) === Boolean(spec.nonResourceAttributes)) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidValue('spec', spec.resourceAttributes ? spec : null, why));
  }
  if (!at.self && !spec.user && !spec.groups?.length) {
    errors.push(invalidValue('spec.user', '', 'at least one of user or group must be specified'));
  }
  const { namespace, managedFields: _, ...rest } = review.metadata;
  if (Object.keys(rest).length > 0) errors.push(invalidValue('metadata', review.metadata, 'must be empty'));
  if (at.namespace !== undefined && (spec.resourceAttributes?.namespace ?? '') !== at.namespace) {
    const got = spec.resourceAttributes?.namespace ?? '';
    errors.push(invalidValue('spec.resourceAttributes.namespace', got, 'must match metadata.namespace'));
  } else if (at.namespace === undefined && namespace) {
    errors.push(invalidValue('metadata', review.metadata, 'must be empty'));
  }
  // A real server leaves the kind out of this text.
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function attributesOf(spec: AccessSpec): Attributes {
  const resource = spec.resourceAttributes;
  return {
    verb: resource?.verb ?? spec.nonResourceAttributes?.verb ?? '',
    resourceRequest: resource !== undefined,
    group: resource?.group ?? '',
    version: resource?.version ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource || undefined,
    namespace: resource?.namespace || undefined,
    name: resource?.name || undefined,
    path: spec.nonResourceAttributes?.path ?? '',
  };
}
