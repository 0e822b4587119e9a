import { failure } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import { parseApiVersion } from '../core/registry.js';
import type { JsonObject, KubeObject, ObjectMeta } from '../core/types.js';
import type { Converter } from './strategy.js';
import type { CustomResourceDefinition } from './types.js';

/** Posts JSON to a webhook and answers its parsed reply; rejects with an Error that says why it could not. */
export interface ConversionClient {
  call(request: {
    config: NonNullable<NonNullable<CustomResourceDefinition['spec']['conversion']>['webhook']>['clientConfig'] &
      object;
    body: unknown;
    seconds: number;
  }): Promise<unknown>;
}

const timeoutSeconds = 30;
const knownReviews = ['v1', 'v1beta1'];

/** Converts the objects of a definition by its webhook (VE-2). */
export function webhookConverter(
  crd: CustomResourceDefinition,
  deps: { client: ConversionClient; uuid(): string },
): Converter {
  const { group, conversion } = crd.spec;
  const config = conversion?.webhook?.clientConfig ?? {};
  const version = conversion?.webhook?.conversionReviewVersions.find((v) => knownReviews.includes(v)) ?? 'v1';
  return async (object, to) => {
    const desired = `${group}/${to}`;
    const uid = deps.uuid();
    const request = { uid, desiredAPIVersion: desired, objects: [object] };
    const review = { kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}`, request };
    let answer: unknown;
    try {
      answer = await deps.client.call({ config, body: review, seconds: timeoutSeconds });
    } catch (error) {
      throw refuse(object, `failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    const [converted, ...more] = objectsOf(answer, object, { uid, apiVersion: review.apiVersion });
    if (!converted || more.length > 0) {
      throw refuse(object, `returned ${converted ? more.length + 1 : 0} objects, expected 1`);
    }
    return checked(converted, object, desired);
  };
}

function refuse({ apiVersion, kind }: KubeObject, why: string): Error {
  const { group, version } = parseApiVersion(apiVersion);
  return failure(500, '', `conversion webhook for ${group}/${version}, Kind=${kind} ${why}`);
}

interface Review {
  apiVersion?: string;
  kind?: string;
  response?: { uid?: string; result?: { status?: string; message?: string }; convertedObjects?: KubeObject[] };
}

function objectsOf(answer: unknown, object: KubeObject, expected: { uid: string; apiVersion: string }): KubeObject[] {
  const review = (answer ?? {}) as Review;
  const { response } = review;
  if (review.kind !== 'ConversionReview' || review.apiVersion !== expected.apiVersion) {
    const name = ({ apiVersion = '', kind = '' }: Review): string => `${apiVersion}, Kind=${kind}`;
    const wanted = name({ apiVersion: expected.apiVersion, kind: 'ConversionReview' });
    throw refuse(object, `failed: expected webhook response of ${wanted}, got ${name(review)}`);
  }
  if (!response) throw refuse(object, 'failed: no response provided');
  // The older review did not ask for the uid.
  if (expected.apiVersion.endsWith('/v1') && response.uid !== expected.uid) {
    throw refuse(
      object,
      `failed: expected response.uid=${JSON.stringify(expected.uid)}, got ${JSON.stringify(response.uid ?? '')}`,
    );
  }
  const { status = '', message } = response.result ?? {};
  if (status !== 'Success')
    throw refuse(object, `failed: ${message || `response.result.status was '${status}', not 'Success'`}`);
  return response.convertedObjects ?? [];
}

/** The converted object with the metadata of the old one: labels and annotations may change, nothing else. */
function checked(converted: KubeObject, object: KubeObject, desired: string): KubeObject {
  const where = 'returned invalid converted object at index 0';
  if (converted.apiVersion !== desired) {
    throw refuse(
      object,
      `${where}: invalid groupVersion (expected ${desired}, received ${converted.apiVersion ?? ''})`,
    );
  }
  if (converted.kind !== object.kind) {
    throw refuse(object, `${where}: invalid kind (expected ${object.kind}, received ${converted.kind ?? ''})`);
  }
  const [before, after]: [ObjectMeta, ObjectMeta | undefined] = [object.metadata, converted.metadata];
  if (!after)
    throw refuse(object, 'returned invalid metadata in object at index 0: missing metadata in converted object');
  for (const key of ['name', 'namespace', 'uid'] as const) {
    if (jsonEqual(before[key] ?? '', after[key] ?? '')) continue;
    const label = key === 'uid' ? 'UID' : key;
    throw refuse(object, `${where}: must have the same ${label}: ${before[key] ?? ''} != ${after[key] ?? ''}`);
  }
  const { labels: _l, annotations: _a, ...kept } = before;
  const metadata: ObjectMeta = { ...kept };
  if (after.labels) metadata.labels = after.labels;
  if (after.annotations) metadata.annotations = after.annotations;
  return { ...(converted as unknown as JsonObject), metadata } as unknown as KubeObject;
}
