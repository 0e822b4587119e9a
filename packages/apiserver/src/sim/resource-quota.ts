import { jsonEqual } from '../core/json.js';
import { storageOf } from '../core/registry.js';
import { add } from '../quota/pod-usage.js';
import type { Amounts } from '../quota/pod-usage.js';
import { inScopes, namesFor } from '../quota/scopes.js';
import type { Quota } from '../quota/scopes.js';
import { countsUpdates, usageOf } from '../quota/usage.js';
import { Actor } from './actor.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';

const QUOTAS = { group: '', plural: 'resourcequotas' };
/** After this time everything is counted again, since a write that was charged may have failed, in ms. */
const AGAIN_MS = 5 * 60_000;

/** Counts what ResourceQuotas limit and shows it in their status. Admission charges new objects; this one counts what exists. */
export function startResourceQuota(context: SimContext): SimLoop {
  const { semantics, clock } = context;
  const quotas = context.mirror<Quota>('resourcequotas');
  const actor = new Actor(semantics.objects, 'resourcequota');

  const count = (quota: Quota): Amounts => {
    const hard = quota.spec?.hard ?? {};
    const used: Amounts = {};
    const now = clock.now();
    for (const resource of semantics.registry.all) {
      const names = resource.namespaced ? namesFor(resource, hard) : [];
      if (!names.length) continue;
      for (const name of names) used[name] ??= '0';
      for (const object of semantics.stored(storageOf(resource))) {
        if (object.metadata.namespace !== quota.metadata.namespace || !inScopes(resource, object, quota)) continue;
        const usage = usageOf(resource, object, now);
        for (const name of names) add(used, { [name]: usage[name] ?? '0' });
      }
    }
    return used;
  };

  const work = async (key: string): Promise<number | undefined> => {
    const quota = quotas.get(key);
    if (!quota || quota.metadata.deletionTimestamp) return undefined;
    const hard = quota.spec?.hard ?? {};
    const status = { hard, used: count(quota) };
    if (!jsonEqual(status.hard, quota.status?.hard ?? {}) || !jsonEqual(status.used, quota.status?.used ?? {}))
      await actor.updateStatus(QUOTAS, quota, status);
    return AGAIN_MS;
  };

  const loop = new SimLoop({ name: 'resourcequota', clock, work });
  quotas.each((quota, event) => {
    if (event?.type === 'DELETED') return;
    if (!event || !jsonEqual(quota.spec?.hard ?? {}, quota.status?.hard ?? {})) loop.add(keyOfObject(quota));
  });
  const forget = semantics.subscribe('*', ({ type, storage, object }) => {
    if (!quotas.size || (type === 'ADDED' && storage !== 'resourcequotas')) return;
    // What was charged on create is only counted again when it goes or may have changed.
    const [plural = '', ...group] = storage.split('.');
    if (type === 'MODIFIED' && (storage === 'resourcequotas' || !countsUpdates({ plural, group: group.join('.') })))
      return;
    for (const quota of quotas.in(object.metadata.namespace)) loop.add(keyOfObject(quota));
  });
  context.onClose(forget);
  return loop;
}
