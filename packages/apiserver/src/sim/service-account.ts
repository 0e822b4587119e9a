import type { KubeObject } from '../core/types.js';
import { Actor } from './actor.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';

const ACCOUNTS = { group: '', plural: 'serviceaccounts' };
const CONFIG_MAPS = { group: '', plural: 'configmaps' };
const ROOT_CA = 'kube-root-ca.crt';

interface Data extends KubeObject {
  data?: Record<string, string>;
}

/** Keeps the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` in every namespace (BO-1); always on. */
export function startServiceAccounts(context: SimContext, caPem: string): SimLoop {
  const namespaces = context.mirror<KubeObject & { status?: { phase?: string } }>('namespaces');
  const accounts = context.mirror('serviceaccounts');
  const maps = context.mirror<Data>('configmaps');
  const actor = new Actor(context.semantics.objects, 'serviceaccount');
  const annotations = { 'kubernetes.io/description': 'Contains the certificate of the API server of this namespace.' };

  const work = async (name: string): Promise<undefined> => {
    const namespace = namespaces.get(name);
    if (!namespace || namespace.metadata.deletionTimestamp || namespace.status?.phase === 'Terminating') return;
    if (!accounts.get(`${name}/default`))
      await actor.ensure(ACCOUNTS, { metadata: { name: 'default', namespace: name } });
    const map = maps.get(`${name}/${ROOT_CA}`);
    const data = { 'ca.crt': caPem };
    if (!map) await actor.ensure(CONFIG_MAPS, { metadata: { name: ROOT_CA, namespace: name, annotations }, data });
    else if (map.data?.['ca.crt'] !== caPem && !map.metadata.deletionTimestamp)
      await actor.update(CONFIG_MAPS, map, { data });
  };

  const loop = new SimLoop({ name: 'serviceaccount', clock: context.clock, work });
  namespaces.each((namespace, event) => {
    if (event?.type !== 'DELETED') loop.add(namespace.metadata.name ?? '');
  });
  accounts.each((account, event) => {
    if (event?.type === 'DELETED' && account.metadata.name === 'default') loop.add(account.metadata.namespace ?? '');
  });
  maps.each((map, event) => {
    if (event && event.type !== 'ADDED' && map.metadata.name === ROOT_CA) loop.add(map.metadata.namespace ?? '');
  });
  return loop;
}
