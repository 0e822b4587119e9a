import { forbidden, isStatusError } from '../core/errors.js';
import type { AdmissionAttributes, AdmissionPort, JsonValue, KubeObject, Semantics, Target } from '../core/types.js';
import { compareQuantities, remainderOf } from '../kinds/quantity.js';
import type { Pod } from '../kinds/shapes.js';
import { add, unstated } from './pod-usage.js';
import type { Amounts } from './pod-usage.js';
import { inScopes, namesFor } from './scopes.js';
import type { Quota } from './scopes.js';
import { countsUpdates, usageOf } from './usage.js';

const CALL = {
  principal: { name: 'embedded-resourcequota', groups: ['system:masters', 'system:authenticated'] },
  fieldManager: 'embedded-resourcequota',
};
/** How often a quota that others write at the same time is tried. */
const TRIES = 20;

const ends = (object: KubeObject): boolean => ((object as Pod).spec.activeDeadlineSeconds ?? -1) >= 0;

/** Whether a write may use up something. */
function concerns({ operation, resource, subresource, object, oldObject }: AdmissionAttributes): boolean {
  if (!object || subresource !== undefined || !resource.namespaced) return false;
  if (operation === 'CREATE') return true;
  if (operation !== 'UPDATE' || !oldObject || !countsUpdates(resource)) return false;
  return resource.plural !== 'pods' || ends(object) !== ends(oldObject);
}

const shown = (amounts: Amounts, names: readonly string[]): string =>
  [...names]
    .sort()
    .map((name) => `${name}=${amounts[name] ?? '0'}`)
    .join(',');

/**
 * Admission by ResourceQuota: a write that would use more than what is allowed is refused, and what it uses is noted in the
 * status before the object is stored, so that writes at the same time cannot share the last of it.
 */
export class QuotaAdmission {
  readonly #semantics: Semantics;

  constructor(semantics: Semantics) {
    this.#semantics = semantics;
  }

  #quotas(namespace: string): Quota[] {
    return this.#semantics.stored('resourcequotas').filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Throws 403 when a quota does not allow the write. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { namespace } = attributes;
    if (namespace === undefined || !concerns(attributes)) return;
    const quotas = this.#quotas(namespace);
    for (const quota of quotas) await this.#charge(attributes, quota);
  }

  async #charge(attributes: AdmissionAttributes, first: Quota): Promise<void> {
    for (let tries = TRIES; ; tries--) {
      const quota = this.#quotas(first.metadata.namespace ?? '').find((q) => q.metadata.uid === first.metadata.uid);
      const used = quota && this.#usedAfter(attributes, quota);
      if (!quota || !used || attributes.dryRun) return;
      try {
        await this.#write(quota, used);
        return;
      } catch (error) {
        if (!isStatusError(error) || error.code !== 409 || tries <= 1) throw error;
      }
    }
  }

  /** What will be used; undefined when the write changes nothing. */
  #usedAfter(attributes: AdmissionAttributes, quota: Quota): Amounts | undefined {
    const { resource, object, oldObject } = attributes;
    const hard = quota.status?.hard ?? {};
    const used = quota.status?.used ?? {};
    const names = namesFor(resource, hard);
    if (!object || !names.length || !inScopes(resource, object, quota)) return undefined;
    const deny = (why: string): Error => forbidden(resource, attributes.name ?? '', why);
    const lacking = resource.group === '' && resource.plural === 'pods' ? unstated(object as Pod, names) : undefined;
    if (lacking) throw deny(`failed quota: ${quota.metadata.name}: ${lacking}`);
    if (names.some((name) => used[name] === undefined)) {
      throw deny(`status unknown for quota: ${quota.metadata.name}, resources: ${[...names].sort().join(',')}`);
    }
    const before = oldObject && inScopes(resource, oldObject, quota) ? oldObject : undefined;
    const requested = this.#requested(attributes, { names, object, before });
    const wanted = Object.keys(requested);
    if (!wanted.length) return undefined;
    const after = { ...used };
    add(after, requested);
    const exceeded = wanted.filter((name) => compareQuantities(after[name] ?? '0', hard[name] ?? '0') > 0);
    if (!exceeded.length) return after;
    throw deny(
      `exceeded quota: ${quota.metadata.name}, requested: ${shown(requested, exceeded)}, used: ${shown(used, exceeded)}, limited: ${shown(hard, exceeded)}`,
    );
  }

  #requested(
    { resource }: AdmissionAttributes,
    { names, object, before }: { names: readonly string[]; object: KubeObject; before: KubeObject | undefined },
  ): Amounts {
    const now = this.#semantics.clock.now();
    const usage = usageOf(resource, object, now);
    const old = before ? usageOf(resource, before, now) : {};
    const out: Amounts = {};
    for (const name of names) {
      const more = usage[name] === undefined ? '0' : remainderOf(usage[name], old[name] ?? '0');
      if (more !== '0') out[name] = more;
    }
    return out;
  }

  async #write(quota: Quota, used: Amounts): Promise<void> {
    const { objects, registry } = this.#semantics;
    const resource = registry.byResource('', 'resourcequotas');
    if (!resource) return;
    const { name, namespace } = quota.metadata;
    const target: Target = { resource, version: resource.storageVersion, namespace, name, subresource: 'status' };
    const value = { ...quota, status: { ...quota.status, used } } as unknown as JsonValue;
    await objects.update(target, { value }, CALL);
  }
}

/** Webhooks first, then quotas: what is refused for another reason is not charged. */
export function withQuota(port: AdmissionPort, quota: QuotaAdmission): AdmissionPort {
  return {
    mutate: (attributes) => port.mutate(attributes),
    async validate(attributes) {
      await port.validate(attributes);
      await quota.validate(attributes);
    },
  };
}
