import type { KubeObject, ObjectService, Principal } from '../core/types.js';
import { matchesLabels } from './labels.js';
import { Mirror } from './mirror.js';
import type { Attributes, Authorizer, Decision, NonResourceRule, ResourceRule } from './ports.js';

const GROUP = 'rbac.authorization.k8s.io';

interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** The role a binding grants. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A rule that applies to a principal, and why. */
interface Grant {
  readonly rule: Rule;
  readonly reason: string;
}

/** Role-based access control (AU-3). Members of `system:masters` may do everything. */
export class RbacAuthorizer implements Authorizer {
  readonly #roles: Mirror;
  readonly #clusterRoles: Mirror;
  readonly #roleBindings: Mirror;
  readonly #clusterRoleBindings: Mirror;

  constructor(objects: ObjectService) {
    this.#roles = new Mirror(objects, GROUP, 'roles');
    this.#clusterRoles = new Mirror(objects, GROUP, 'clusterroles');
    this.#roleBindings = new Mirror(objects, GROUP, 'rolebindings');
    this.#clusterRoleBindings = new Mirror(objects, GROUP, 'clusterrolebindings');
  }

  async authorize(principal: Principal, attributes: Attributes): Promise<Decision> {
    if (principal.groups.includes('system:masters')) return { allowed: true, reason: '' };
    await this.#open();
    for (const { rule, reason } of this.#grants(
      principal,
      attributes.resourceRequest ? attributes.namespace : undefined,
    )) {
      if (allows(rule, attributes)) return { allowed: true, reason };
    }
    return { allowed: false, reason: '' };
  }

  async rules(
    principal: Principal,
    namespace: string,
  ): Promise<{ resourceRules: readonly ResourceRule[]; nonResourceRules: readonly NonResourceRule[] }> {
    await this.#open();
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    if (principal.groups.includes('system:masters')) {
      resourceRules.push({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
      nonResourceRules.push({ verbs: ['*'], nonResourceURLs: ['*'] });
    }
    for (const { rule } of this.#grants(principal, namespace)) {
      const verbs = [...(rule.verbs ?? [])];
      if (rule.resources?.length) {
        const names = rule.resourceNames?.length ? { resourceNames: [...rule.resourceNames] } : {};
        resourceRules.push({ verbs, apiGroups: [...(rule.apiGroups ?? [])], resources: [...rule.resources], ...names });
      }
      if (rule.nonResourceURLs?.length) nonResourceRules.push({ verbs, nonResourceURLs: [...rule.nonResourceURLs] });
    }
    return { resourceRules, nonResourceRules };
  }

  /** The rules of the role that a binding in `namespace` refers to; undefined when there is no such role. */
  async rulesOf(ref: RoleRef, namespace: string | undefined): Promise<readonly Rule[] | undefined> {
    await this.#open();
    const role = this.#role(ref, namespace);
    return role && [...this.#rulesOf(role)];
  }

  #role(ref: RoleRef, namespace: string | undefined): KubeObject | undefined {
    return ref.kind === 'Role' ? this.#roles.get(ref.name, namespace) : this.#clusterRoles.get(ref.name);
  }

  async #open(): Promise<void> {
    const mirrors = [this.#roles, this.#clusterRoles, this.#roleBindings, this.#clusterRoleBindings];
    await Promise.all(mirrors.map((mirror) => mirror.open()));
  }

  *#grants(principal: Principal, namespace: string | undefined): Generator<Grant> {
    for (const binding of this.#clusterRoleBindings.values()) {
      const name = `ClusterRoleBinding ${quoted(binding.metadata.name)}`;
      yield* this.#bound(binding, principal, name);
    }
    if (!namespace) return;
    for (const binding of this.#roleBindings.values()) {
      if (binding.metadata.namespace !== namespace) continue;
      yield* this.#bound(binding, principal, `RoleBinding ${quoted(`${binding.metadata.name}/${namespace}`)}`);
    }
  }

  *#bound(binding: KubeObject, principal: Principal, name: string): Generator<Grant> {
    const { namespace } = binding.metadata;
    const subject = ((binding['subjects'] ?? []) as Subject[]).find((s) => isSubject(s, principal, namespace ?? ''));
    if (!subject) return;
    const ref = binding['roleRef'] as RoleRef;
    const role = this.#role(ref, namespace);
    if (!role) return;
    const who =
      subject.kind === 'ServiceAccount'
        ? quoted(`${subject.name}/${subject.namespace ?? namespace}`)
        : quoted(subject.name);
    const reason = `RBAC: allowed by ${name} of ${ref.kind} ${quoted(ref.name)} to ${subject.kind} ${who}`;
    for (const rule of this.#rulesOf(role)) yield { rule, reason };
  }

  /** An aggregated role has the rules of all roles it selects. */
  *#rulesOf(role: KubeObject): Generator<Rule> {
    yield* (role['rules'] ?? []) as Rule[];
    const aggregation = role['aggregationRule'] as { clusterRoleSelectors?: unknown[] } | undefined;
    for (const selector of aggregation?.clusterRoleSelectors ?? []) {
      for (const other of this.#clusterRoles.values()) {
        if (other !== role && matchesLabels(selector, other.metadata.labels)) yield* (other['rules'] ?? []) as Rule[];
      }
    }
  }
}

const quoted = (text: string | undefined): string => JSON.stringify(text ?? '');

function isSubject(subject: Subject, principal: Principal, namespace: string): boolean {
  if (subject.kind === 'User') return subject.name === principal.name;
  if (subject.kind === 'Group') return principal.groups.includes(subject.name);
  return principal.name === `system:serviceaccount:${subject.namespace || namespace}:${subject.name}`;
}

const holds = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

function allows(rule: Rule, at: Attributes): boolean {
  if (!holds(rule.verbs, at.verb)) return false;
  if (!at.resourceRequest) return (rule.nonResourceURLs ?? []).some((url) => covers(url, at.path));
  if (!holds(rule.apiGroups, at.group)) return false;
  const { resource, subresource } = at;
  const names = subresource === undefined ? ['*', resource] : ['*', `${resource}/${subresource}`, `*/${subresource}`];
  if (!rule.resources?.some((r) => names.includes(r))) return false;
  return !rule.resourceNames?.length || rule.resourceNames.includes(at.name ?? '');
}

const covers = (url: string, path: string): boolean =>
  url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
