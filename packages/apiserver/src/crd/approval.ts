import { invalidValue, required } from '../core/errors.js';
import type { FieldError } from '../core/types.js';
import type { Statement } from './conditions.js';

const annotation = 'api-approved.kubernetes.io';
const field = `metadata.annotations[${annotation}]`;
const reference = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups that belong to the Kubernetes community. */
export function isProtectedGroup(group: string): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}

/** What the condition of a definition in a protected group says; undefined for other groups. */
export function approvalStatement(
  group: string,
  annotations: Readonly<Record<string, string>> | undefined,
): Statement | undefined {
  if (!isProtectedGroup(group)) return undefined;
  const value = annotations?.[annotation] ?? '';
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const [problem] = isApproved(annotations);
  if (value.startsWith('unapproved')) {
    return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${JSON.stringify(value)}` };
  }
  if (!problem) return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` };
  const reason = value === '' ? 'MissingAnnotation' : 'InvalidAnnotation';
  return { type, status: 'False', reason, message: problem.message.replace(/^.*?: (?=protected)/, '') };
}

/** A definition in a protected group says who approved it (CR-3). */
export function isApproved(annotations: Readonly<Record<string, string>> | undefined): FieldError[] {
  const value = annotations?.[annotation] ?? '';
  if (value === '')
    return [required(field, `protected groups must have approval annotation "${annotation}", ${reference}`)];
  if (value.startsWith('unapproved')) return [];
  if (URL.canParse(value) && new URL(value).host !== '') return [];
  const why = `protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", ${reference}`;
  return [invalidValue(field, value, why)];
}
