import { invalidValue, notSupported, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef, TableColumn } from '../core/types.js';
import { ageColumn, column, createdColumn, nameColumn } from './columns.js';
import { defineKind } from './define.js';

/** Roles and bindings. */

const GROUP = 'rbac.authorization.k8s.io';

interface Rule {
  verbs?: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  nonResourceURLs?: string[];
}

interface Role extends KubeObject {
  rules?: Rule[] | null;
}

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
  apiGroup?: string;
}

interface Binding extends KubeObject {
  roleRef?: { apiGroup?: string; kind?: string; name?: string };
  subjects?: Subject[];
}

const traits = { names: 'path', createOnUpdate: true } as const;

function checkRules(object: KubeObject, namespaced: boolean): FieldError[] {
  return ((object as Role).rules ?? []).flatMap((rule, i) => {
    const at = `rules[${i}]`;
    const errors: FieldError[] = [];
    if (!rule.verbs?.length) errors.push(required(`${at}.verbs`));
    if (rule.nonResourceURLs?.length) {
      if (namespaced)
        errors.push(
          invalidValue(
            `${at}.nonResourceURLs`,
            rule.nonResourceURLs,
            'namespaced rules cannot apply to non-resource URLs',
          ),
        );
      if (rule.apiGroups?.length || rule.resources?.length) {
        errors.push(
          invalidValue(
            `${at}.nonResourceURLs`,
            rule.nonResourceURLs,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        );
      }
      return errors;
    }
    if (!rule.apiGroups?.length)
      errors.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'));
    if (!rule.resources?.length)
      errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'));
    return errors;
  });
}

function checkBinding(object: KubeObject, namespaced: boolean): FieldError[] {
  const { roleRef = {}, subjects = [] } = object as Binding;
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== GROUP) errors.push(notSupported('roleRef.apiGroup', roleRef.apiGroup ?? '', [GROUP]));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.kind ?? '')) errors.push(notSupported('roleRef.kind', roleRef.kind, kinds));
  for (const [i, subject] of subjects.entries()) {
    const at = `subjects[${i}]`;
    if (subject.kind === 'ServiceAccount') {
      if (subject.apiGroup) errors.push(notSupported(`${at}.apiGroup`, subject.apiGroup, ['']));
      if (!subject.namespace) errors.push(required(`${at}.namespace`));
    } else if (subject.kind === 'User' || subject.kind === 'Group') {
      if (subject.apiGroup !== GROUP) errors.push(notSupported(`${at}.apiGroup`, subject.apiGroup ?? '', [GROUP]));
    } else if (subject.kind) errors.push(notSupported(`${at}.kind`, subject.kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}

function bindingDefaults(object: KubeObject): void {
  const binding = object as Binding;
  if (binding.roleRef) binding.roleRef.apiGroup ||= GROUP;
  for (const subject of binding.subjects ?? []) {
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = GROUP;
  }
}

function checkRoleRefFixed(next: KubeObject, old: KubeObject): FieldError[] {
  const { roleRef } = next as Binding;
  if (jsonEqual(roleRef, (old as Binding).roleRef)) return [];
  // The value is shown in the form of the server's internal type.
  const shown = { APIGroup: roleRef?.apiGroup ?? '', Kind: roleRef?.kind ?? '', Name: roleRef?.name ?? '' };
  return [invalidValue('roleRef', shown, 'field is immutable')];
}

const subjects = (kind: string) => (object: Binding) =>
  (object.subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map((subject) => (kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${subject.name}` : subject.name))
    .join(', ');

const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  column<Binding>('Role', ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`),
  ageColumn,
  column<Binding>('Users', subjects('User'), { wide: true }),
  column<Binding>('Groups', subjects('Group'), { wide: true }),
  column<Binding>('ServiceAccounts', subjects('ServiceAccount'), { wide: true }),
];

const role = (kind: 'Role' | 'ClusterRole', namespaced: boolean): ResourceDef =>
  defineKind({
    group: GROUP,
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    traits,
    columns: [nameColumn, createdColumn],
    behaviour: { validate: (object) => checkRules(object, namespaced) },
  });

const binding = (kind: 'RoleBinding' | 'ClusterRoleBinding', namespaced: boolean): ResourceDef =>
  defineKind({
    group: GROUP,
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced,
    traits,
    columns: bindingColumns,
    behaviour: {
      checkedHere: /^roleRef\.kind$/,
      defaults: bindingDefaults,
      validate: (object) => checkBinding(object, namespaced),
      validateUpdate: checkRoleRefFixed,
    },
  });

/** Role, RoleBinding, ClusterRole, ClusterRoleBinding. */
export const rbacKinds = (): ResourceDef[] => [
  role('Role', true),
  binding('RoleBinding', true),
  role('ClusterRole', false),
  binding('ClusterRoleBinding', false),
];
