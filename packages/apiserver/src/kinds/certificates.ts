import { jsonEqual } from '../core/json.js';
import { invalidValue } from '../core/errors.js';
import type { JsonValue, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn, orNone } from './columns.js';
import { defineKind } from './define.js';
import { humanDuration } from './human-duration.js';
import type { Condition } from './shapes.js';

interface Request extends KubeObject {
  spec: { signerName?: string; username?: string; uid?: string; groups?: string[]; expirationSeconds?: number };
  status?: { conditions?: Condition[]; certificate?: string };
}

/** The strongest condition first, as it is shown. */
const VERDICTS = ['Denied', 'Approved'];

function conditionOf({ status }: Request): string {
  const types = (status?.conditions ?? []).map(({ type }) => type);
  const verdict = VERDICTS.find((type) => types.includes(type)) ?? 'Pending';
  const failed = types.includes('Failed') ? ',Failed' : '';
  return `${verdict}${failed}${status?.certificate ? ',Issued' : ''}`;
}

/** CertificateSigningRequests: stored; there is no signer, and approving is not served. */
export const certificateSigningRequests = (): ResourceDef =>
  defineKind({
    group: 'certificates.k8s.io',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    status: true,
    traits: { statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      ageColumn,
      column<Request>('SignerName', ({ spec }) => orNone(spec.signerName)),
      column<Request>('Requestor', ({ spec }) => spec.username ?? ''),
      column<Request>('RequestedDuration', ({ spec }) =>
        spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
      ),
      column<Request>('Condition', conditionOf),
    ],
    fields: { 'spec.signerName': (object) => (object as Request).spec.signerName ?? '' },
    behaviour: {
      prepareCreate: (object, { principal }) => {
        const { spec } = object as Request;
        // Who asks is what the server knows, not what the body says.
        delete spec.uid;
        delete spec.groups;
        spec.username = principal.name;
        if (principal.groups.length > 0) spec.groups = [...principal.groups];
        if (principal.uid) spec.uid = principal.uid;
      },
      validateUpdate: (next, old) =>
        jsonEqual(next.spec, old.spec) ? [] : [invalidValue('spec', next.spec as JsonValue, 'field is immutable')],
    },
  });
