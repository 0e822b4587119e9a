import { matchesLabels } from '../auth/labels.js';
import { Mirror, SERVER } from '../auth/mirror.js';
import { StatusError, forbidden, invalid } from '../core/errors.js';
import type { AdmissionAttributes, KubeObject, ObjectService } from '../core/types.js';
import { matchingVersion } from '../webhooks/match.js';
import type { AdmissionCheck } from './with-checks.js';
import type { Violation } from './policy-cel.js';
import { POLICY_GROUP } from './policy-types.js';
import type { MatchResources, Policy, PolicyBinding } from './policy-types.js';

const POLICIES = 'validatingadmissionpolicies';
const BINDINGS = 'validatingadmissionpolicybindings';
const CODES: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** A policy with one of its bindings. */
interface Bound {
  readonly policy: Policy;
  readonly binding: PolicyBinding;
}

/** Evaluates ValidatingAdmissionPolicies (AD-10). The action Audit has no effect here: there is no audit log. */
export class PolicyAdmission implements AdmissionCheck {
  readonly #objects: ObjectService;
  readonly #policies: Mirror;
  readonly #bindings: Mirror;
  readonly #namespaces: Mirror;

  constructor(objects: ObjectService) {
    this.#objects = objects;
    this.#policies = new Mirror(objects, POLICY_GROUP, POLICIES);
    this.#bindings = new Mirror(objects, POLICY_GROUP, BINDINGS);
    this.#namespaces = new Mirror(objects, '', 'namespaces');
  }

  async validate(at: AdmissionAttributes): Promise<void> {
    if (at.resource.group === POLICY_GROUP) return checkPolicy(at);
    if (!this.#objects.registry.byResource(POLICY_GROUP, BINDINGS)) return;
    await Promise.all([this.#bindings.open(), this.#policies.open()]);
    for (const binding of this.#bindings.values() as Iterable<PolicyBinding>) {
      const policy = this.#policies.get(binding.spec.policyName) as Policy | undefined;
      if (policy) await this.#enforce({ policy, binding }, at);
    }
  }

  async #enforce({ policy, binding }: Bound, at: AdmissionAttributes): Promise<void> {
    await this.#namespaces.open();
    if (!policy.spec.matchConstraints) return;
    const version = this.#matches(policy.spec.matchConstraints, at);
    if (version === undefined) return;
    if (binding.spec.matchResources && this.#matches(binding.spec.matchResources, at) === undefined) return;
    const seen = await atVersion(at, version);
    for (const { message, reason } of await this.#violations({ policy, binding }, seen)) {
      const names = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`;
      const actions = binding.spec.validationActions ?? [];
      if (actions.includes('Warn')) at.warn(`Validation failed for ${names}: ${message}`);
      if (actions.includes('Deny')) throw refused(at, `${names} denied request: ${message}`, reason);
    }
  }

  /** The version at which the request is looked at; undefined = it is not meant. */
  #matches(match: MatchResources, at: AdmissionAttributes): string | undefined {
    const { resourceRules, excludeResourceRules, ...selectors } = match;
    const named = (rules: MatchResources['resourceRules']) =>
      (rules ?? []).filter((rule) => !rule.resourceNames?.length || rule.resourceNames.includes(at.name ?? ''));
    const fits = (rules: MatchResources['resourceRules']): string | undefined =>
      matchingVersion(
        { name: '', clientConfig: {}, ...selectors, rules: named(rules) },
        at,
        (namespace) => this.#namespaces.get(namespace)?.metadata.labels,
      );
    if (fits(excludeResourceRules) !== undefined) return undefined;
    // A binding without rules takes what its policy takes.
    if (!resourceRules?.length)
      return fits([{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]);
    return fits(resourceRules);
  }

  async #violations({ policy, binding }: Bound, at: AdmissionAttributes): Promise<Violation[]> {
    const { policyApplies, policyScope, violations } = await import('./policy-cel.js');
    const namespace = at.namespace === undefined ? undefined : this.#namespaces.get(at.namespace);
    try {
      const found: Violation[] = [];
      for (const params of await this.#params({ policy, binding }, at)) {
        const scope = policyScope(policy, at, { params, namespace });
        if (policyApplies(policy, scope)) found.push(...violations(policy, scope));
      }
      return found;
    } catch (error) {
      if (policy.spec.failurePolicy === 'Ignore') return [];
      return [{ message: (error as Error).message, reason: 'Invalid' }];
    }
  }

  /** The objects a policy is evaluated with, once each; `null` for a policy that takes none. */
  async #params({ policy, binding }: Bound, at: AdmissionAttributes): Promise<(KubeObject | null)[]> {
    const { paramKind } = policy.spec;
    const ref = binding.spec.paramRef;
    if (!paramKind || !ref) return [null];
    const slash = paramKind.apiVersion.indexOf('/');
    const resource = this.#objects.registry.byKind(
      slash < 0 ? '' : paramKind.apiVersion.slice(0, slash),
      paramKind.kind,
    );
    if (!resource)
      throw new Error(
        `failed to configure policy: failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`,
      );
    const version = paramKind.apiVersion.slice(slash + 1);
    const namespace = resource.namespaced ? ref.namespace || at.namespace : undefined;
    if (resource.namespaced && !namespace)
      throw new Error(
        'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
      );
    const { items } = await this.#objects.list({ resource, version, namespace }, { principal: SERVER });
    const found = items.filter(({ metadata }) =>
      ref.name ? metadata.name === ref.name : matchesLabels(ref.selector, metadata.labels),
    );
    if (found.length > 0 || ref.parameterNotFoundAction === 'Allow') return found;
    throw new Error(
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    );
  }
}

async function atVersion(at: AdmissionAttributes, version: string): Promise<AdmissionAttributes> {
  if (version === at.version) return at;
  const convert = async (object: KubeObject | undefined) =>
    object && (await at.resource.strategy.convert(object, version));
  return { ...at, version, object: await convert(at.object), oldObject: await convert(at.oldObject) };
}

function refused(at: AdmissionAttributes, message: string, reason: string): StatusError {
  const { status } = forbidden(at.resource, at.name ?? '', message, [{ message }]);
  return new StatusError({ ...status, reason, code: CODES[reason] ?? 422 });
}

/** A policy whose expressions cannot be evaluated is refused; one that would change objects is stored without effect. */
async function checkPolicy(at: AdmissionAttributes): Promise<void> {
  const { resource, object, name, subresource } = at;
  if (!object || subresource !== undefined) return;
  if (resource.plural === 'mutatingadmissionpolicies')
    at.warn('MutatingAdmissionPolicy is stored but has no effect on this server');
  if (resource.plural !== POLICIES) return;
  const { checkExpressions } = await import('./policy-cel.js');
  const errors = checkExpressions(object as Policy);
  if (errors.length > 0) throw invalid(resource, name ?? '', errors);
}
