import type { KubernetesObject } from '@kubewright/api';
import { bootstrapError, type Class, define, type Fault, isChannel } from '@kubewright/metadata';
import { type Grant, grantsOf, mergeGrants, type PolicyRule } from './rbac-rules.js';

/** What rights are derived from; the value of `defineOperator` fits. */
export interface RbacSource {
  /** Of the operator. */
  readonly name?: string;
  readonly controllers: readonly Class[];
  /** Namespaces that are watched. Default: all. */
  readonly namespaces?: readonly string[];
}

export interface RbacManifests {
  /** ServiceAccount, roles, bindings, in the order they are applied. */
  readonly objects: readonly KubernetesObject[];
  /** What each rule is for; `toYaml` writes it before the rule (RBAC-3). */
  readonly comments: ReadonlyMap<object, string>;
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** ServiceAccount, roles and bindings that the controllers need, and nothing more. */
export function rbacFor(source: RbacSource, options: { readonly namespace?: string } = {}): RbacManifests {
  const { name = 'kubewright-operator', namespaces } = source;
  const { namespace = `${name}-system` } = options;
  const { controllers, faults } = define({ controllers: source.controllers });
  const unnamed = controllers.flatMap(({ cls, sources }) =>
    sources.filter(({ kind, ref }) => !kind && !isChannel(ref)).map(({ label }) => noPlural(cls.name, label)),
  );
  if (faults.length + unnamed.length > 0) throw bootstrapError([...faults, ...unnamed]);

  const grants = controllers.flatMap((controller) => grantsOf(controller, namespaces));
  const comments = new Map<object, string>();
  const objects: KubernetesObject[] = [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }];
  const account = { kind: 'ServiceAccount', name, namespace };
  // Array.sort always puts undefined last: the rights for the whole cluster have the empty name here.
  for (const scope of [...new Set(grants.map((grant) => grant.namespace ?? ''))].sort()) {
    const rules = rulesOf(
      grants.filter((grant) => (grant.namespace ?? '') === scope),
      comments,
    );
    objects.push(...roleAndBinding({ name: `${name}-manager`, scope: scope || undefined, rules, account }));
  }
  return { objects, comments };
}

function rulesOf(grants: readonly Grant[], comments: Map<object, string>): PolicyRule[] {
  return mergeGrants(grants).map(({ rule, reasons }) => {
    comments.set(rule, reasons.join(', '));
    return rule;
  });
}

interface Role {
  readonly name: string;
  /** Undefined: for the whole cluster. */
  readonly scope: string | undefined;
  readonly rules: readonly PolicyRule[];
  readonly account: object;
}

function roleAndBinding({ name, scope, rules, account }: Role): KubernetesObject[] {
  const apiVersion = `${RBAC_GROUP}/v1`;
  const metadata = { name, ...(scope !== undefined && { namespace: scope }) };
  const kind = scope === undefined ? 'ClusterRole' : 'Role';
  const binding = { roleRef: { apiGroup: RBAC_GROUP, kind, name }, subjects: [account] };
  return [
    { apiVersion, kind, metadata, rules },
    { apiVersion, kind: `${kind}Binding`, metadata, ...binding },
  ] as KubernetesObject[];
}

const noPlural = (owner: string, label: string): Fault => ({
  code: 'KW_RBAC_PLURAL',
  owner,
  found: `${label.slice(label.indexOf('@'))} names a kind without plural and scope`,
  expected: 'both, as rights are written for plurals',
  fix: `kind({ group, version, kind, plural: '…', scope: 'Namespaced' })`,
});
