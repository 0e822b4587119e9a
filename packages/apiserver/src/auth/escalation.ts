import { forbidden, notFound } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { AdmissionAttributes, KubeObject, Principal, Registry } from '../core/types.js';
import type { RbacAuthorizer, RoleRef } from './rbac.js';
import { describeRights, goList, missingRights } from './rule-cover.js';
import type { PolicyRule } from './rule-cover.js';

const GROUP = 'rbac.authorization.k8s.io';
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];
/** Members of `metadata` that let an object go and grant nothing. */
const HARMLESS = ['ownerReferences', 'finalizers', 'managedFields'];

/** Nobody grants what they do not hold themselves, unless the verbs `escalate` or `bind` allow it (AU-3). */
export class EscalationCheck {
  readonly #rbac: RbacAuthorizer;
  readonly #registry: Registry;

  constructor(rbac: RbacAuthorizer, registry: Registry) {
    this.#rbac = rbac;
    this.#registry = registry;
  }

  /** Throws 403 when a write of a role or binding would grant more than its author holds. */
  async validate(at: AdmissionAttributes): Promise<void> {
    const { resource, object, oldObject, principal } = at;
    if (resource.group !== GROUP || !object || principal.groups.includes('system:masters')) return;
    if (oldObject && jsonEqual(withoutHarmless(object), withoutHarmless(oldObject))) return;
    if (resource.plural.endsWith('bindings')) await this.#binding(at, object);
    else await this.#role(at, object);
  }

  async #role(at: AdmissionAttributes, role: KubeObject): Promise<void> {
    if (await this.#may(at, { verb: 'escalate', resource: at.resource.plural, name: at.name })) return;
    const held = await this.#held(at.principal, at.namespace);
    this.#confirm(at, held, (role['rules'] ?? []) as PolicyRule[]);
    if (!aggregates(role) && !(at.oldObject && aggregates(at.oldObject))) return;
    if (missingRights(held, EVERYTHING).length === 0) return;
    throw forbidden(at.resource, at.name ?? '', 'must have cluster-admin privileges to use the aggregationRule');
  }

  async #binding(at: AdmissionAttributes, binding: KubeObject): Promise<void> {
    const ref = binding['roleRef'] as RoleRef;
    const plural = ref.kind === 'Role' ? 'roles' : 'clusterroles';
    if (await this.#may(at, { verb: 'bind', resource: plural, name: ref.name })) return;
    const rules = await this.#rbac.rulesOf(ref, at.namespace);
    if (!rules) throw notFound(this.#registry.byResource(GROUP, plural) ?? at.resource, ref.name);
    this.#confirm(at, await this.#held(at.principal, at.namespace), rules);
  }

  #confirm(at: AdmissionAttributes, held: readonly PolicyRule[], wanted: readonly PolicyRule[]): void {
    const missing = missingRights(held, wanted);
    if (missing.length === 0) return;
    const { name, groups } = at.principal;
    const why = `user ${JSON.stringify(name)} (groups=${goList(groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRights(missing)}`;
    throw forbidden(at.resource, at.name ?? '', why);
  }

  async #held(principal: Principal, namespace: string | undefined): Promise<PolicyRule[]> {
    const { resourceRules, nonResourceRules } = await this.#rbac.rules(principal, namespace ?? '');
    return [...resourceRules, ...nonResourceRules];
  }

  async #may(
    at: AdmissionAttributes,
    { verb, resource, name }: { verb: string; resource: string; name: string | undefined },
  ): Promise<boolean> {
    const { allowed } = await this.#rbac.authorize(at.principal, {
      verb,
      resourceRequest: true,
      group: GROUP,
      version: '*',
      resource,
      subresource: undefined,
      namespace: at.namespace,
      name,
      path: '',
    });
    return allowed;
  }
}

const aggregates = (role: KubeObject): boolean =>
  Boolean((role['aggregationRule'] as { clusterRoleSelectors?: unknown[] } | undefined)?.clusterRoleSelectors?.length);

function withoutHarmless(object: KubeObject): object {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const member of HARMLESS) delete metadata[member];
  return { ...object, metadata };
}
