import { forbiddenField, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject } from '../core/types.js';
import { checkCount, checkLabels, checkSelector, checkShare, isEmptySelector, matchesSelector } from './label-rules.js';
import { checkTemplateRestartPolicy, validatePodSpec } from './pod-validation.js';
import type { PodTemplateSpec, Workload } from './shapes.js';

/** Checks that Deployments, ReplicaSets, StatefulSets and DaemonSets share (DF-4). */

/** The Pod template at `path`. */
export function checkTemplate(
  template: PodTemplateSpec | undefined,
  path: string,
  restartPolicies: readonly string[],
): FieldError[] {
  return [
    ...checkLabels(`${path}.labels`, template?.metadata?.labels),
    ...validatePodSpec(template?.spec, `${path}.spec`),
    ...checkTemplateRestartPolicy(template?.spec, `${path}.spec`, restartPolicies),
  ];
}

/** Kinds as the text about deadlines names them. */
const DEADLINE_KINDS: Readonly<Record<string, string>> = {
  deployment: 'ReplicaSet',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
};

/** Selector, template and counts. `kind` is the word in the text about an empty selector. */
export function validateWorkload(object: KubeObject, kind: string): FieldError[] {
  const { spec } = object as Workload;
  const { selector, template } = spec;
  const errors = [
    ...checkCount('spec.replicas', spec.replicas),
    ...checkCount('spec.minReadySeconds', spec.minReadySeconds),
  ];
  errors.push(...checkCount('spec.revisionHistoryLimit', spec.revisionHistoryLimit));
  if (selector && isEmptySelector(selector))
    errors.push(invalidValue('spec.selector', selector, `empty selector is invalid for ${kind}`));
  const problems = checkSelector('spec.selector', selector);
  errors.push(...problems);
  if (problems.length && kind === 'deployment')
    errors.push(invalidValue('spec.selector', selector, 'invalid label selector'));
  const labels = template?.metadata?.labels;
  if (!problems.length && (!selector || !matchesSelector(selector, labels))) {
    errors.push(
      invalidValue('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    );
  }
  if (template?.spec?.activeDeadlineSeconds !== undefined) {
    errors.push(
      forbiddenField(
        'spec.template.spec.activeDeadlineSeconds',
        `activeDeadlineSeconds in ${DEADLINE_KINDS[kind]} is not Supported`,
      ),
    );
  }
  return [...errors, ...checkTemplate(template, 'spec.template', ['Always'])];
}

/** A selector is for life. */
export function checkSelectorFixed(next: KubeObject, old: KubeObject): FieldError[] {
  const a = (next as Workload).spec.selector;
  return jsonEqual(a, (old as Workload).spec.selector) ? [] : [invalidValue('spec.selector', a, 'field is immutable')];
}

const isZeroShare = (value: number | string | undefined): boolean => value === 0 || value === '0%';

/** Strategy and deadlines of a Deployment. */
export function validateRollout({ spec }: Workload): FieldError[] {
  const errors: FieldError[] = [];
  const { type, rollingUpdate } = spec.strategy ?? {};
  if (type === 'Recreate' && rollingUpdate) {
    errors.push(
      forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'"),
    );
  } else if (type === 'RollingUpdate') {
    if (!rollingUpdate)
      errors.push(required('spec.strategy.rollingUpdate', 'this should be defaulted and never be nil'));
    const at = 'spec.strategy.rollingUpdate';
    errors.push(...checkShare(`${at}.maxSurge`, rollingUpdate?.maxSurge, false));
    errors.push(...checkShare(`${at}.maxUnavailable`, rollingUpdate?.maxUnavailable, true));
    if (isZeroShare(rollingUpdate?.maxSurge) && isZeroShare(rollingUpdate?.maxUnavailable)) {
      errors.push(
        invalidValue(`${at}.maxUnavailable`, rollingUpdate?.maxUnavailable, 'may not be 0 when `maxSurge` is 0'),
      );
    }
  }
  const deadline = spec.progressDeadlineSeconds;
  errors.push(...checkCount('spec.progressDeadlineSeconds', deadline));
  if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) {
    errors.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}
