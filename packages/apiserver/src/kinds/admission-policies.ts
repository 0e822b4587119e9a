import type { KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, formatSelector, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import type { LabelSelector } from './shapes.js';

/** Admission policies in CEL and what binds them to requests. */

const GROUP = 'admissionregistration.k8s.io';

interface MatchResources {
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: { scope?: string }[];
  excludeResourceRules?: { scope?: string }[];
}
interface Policy extends KubeObject {
  spec?: {
    failurePolicy?: string;
    matchConstraints?: MatchResources;
    paramKind?: { apiVersion?: string; kind?: string };
    validations?: unknown[];
    mutations?: unknown[];
  };
}
interface Binding extends KubeObject {
  spec?: {
    policyName?: string;
    matchResources?: MatchResources;
    paramRef?: { name?: string; namespace?: string; selector?: LabelSelector };
  };
}

function defaultMatch(match: MatchResources | undefined): void {
  if (!match) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= '*';
}

const paramKindOf = ({ spec }: Policy): string =>
  spec?.paramKind ? `${spec.paramKind.apiVersion}/${spec.paramKind.kind}` : '<unset>';

function paramRefOf({ spec }: Binding): string {
  const ref = spec?.paramRef;
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector ? formatSelector(ref.selector) : '<unset>';
}

const policy = (kind: string, list: 'validations' | 'mutations'): ResourceDef =>
  defineKind({
    group: GROUP,
    kind,
    plural: `${kind.slice(0, -1).toLowerCase()}ies`,
    categories: ['api-extensions'],
    namespaced: false,
    status: list === 'validations',
    traits: { generation: 'spec', unconditionalUpdate: false },
    columns: [
      nameColumn,
      column<Policy>(list === 'validations' ? 'Validations' : 'Mutations', ({ spec }) => spec?.[list]?.length ?? 0, {
        type: 'integer',
      }),
      column<Policy>('ParamKind', paramKindOf),
      ageColumn,
    ],
    behaviour: {
      defaults: (object) => {
        const { spec } = object as Policy;
        if (!spec) return;
        spec.failurePolicy ??= 'Fail';
        defaultMatch(spec.matchConstraints);
      },
    },
  });

const binding = (kind: string): ResourceDef =>
  defineKind({
    group: GROUP,
    kind,
    plural: `${kind.toLowerCase()}s`,
    categories: ['api-extensions'],
    namespaced: false,
    traits: { generation: 'spec', unconditionalUpdate: false },
    columns: [
      nameColumn,
      column<Binding>('PolicyName', ({ spec }) => spec?.policyName ?? ''),
      column<Binding>('ParamRef', paramRefOf),
      ageColumn,
    ],
    behaviour: { defaults: (object) => defaultMatch((object as Binding).spec?.matchResources) },
  });

/** Both kinds of policies and their bindings. */
export const admissionPolicies = (): ResourceDef[] => [
  policy('ValidatingAdmissionPolicy', 'validations'),
  binding('ValidatingAdmissionPolicyBinding'),
  policy('MutatingAdmissionPolicy', 'mutations'),
  binding('MutatingAdmissionPolicyBinding'),
];
