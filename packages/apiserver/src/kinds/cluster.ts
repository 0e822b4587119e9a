import { forbiddenField } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { JsonObject, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn, orNone } from './columns.js';
import { defineKind } from './define.js';
import { checkCidr, checkQualified } from './label-rules.js';
import type { Condition } from './shapes.js';

/** Namespaces, ServiceAccounts, Nodes. */

interface NamespaceObject extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: Condition[] };
}

/** Namespaces (NS-1). What deletes them is the namespace controller. */
export const namespaces = (): ResourceDef =>
  defineKind({
    kind: 'Namespace',
    plural: 'namespaces',
    shortNames: ['ns'],
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    status: true,
    subresources: [{ name: 'finalize', kind: 'Namespace', group: '', version: 'v1', verbs: ['update'] }],
    traits: { names: 'label', deleteAnswer: 'object', statusMetadata: ['labels', 'annotations', 'finalizers'] },
    columns: [nameColumn, column<NamespaceObject>('Status', ({ status }) => status?.phase ?? ''), ageColumn],
    fields: { 'status.phase': (object) => (object as NamespaceObject).status?.phase ?? '' },
    behaviour: {
      defaults: (object) => {
        const namespace = object as NamespaceObject;
        const { name } = object.metadata ?? {};
        if (name) (object.metadata.labels ??= {})['kubernetes.io/metadata.name'] = name;
        namespace.status ??= {};
        namespace.status.phase ||= 'Active';
      },
      initialStatus: () => ({ phase: 'Active' }),
      prepareCreate: (object) => {
        const namespace = object as NamespaceObject;
        const { name } = object.metadata;
        // A generated name was not known when defaults were filled.
        if (name) (object.metadata.labels ??= {})['kubernetes.io/metadata.name'] = name;
        const finalizers = (namespace.spec ??= {}).finalizers ?? [];
        if (!finalizers.includes('kubernetes')) namespace.spec.finalizers = [...finalizers, 'kubernetes'];
      },
      prepareUpdate: (next, old, context) => {
        // Only /finalize may take spec.finalizers away.
        if (context.subresource !== undefined) return;
        const { spec } = old as NamespaceObject;
        if (spec?.finalizers)
          (next as NamespaceObject).spec = { ...(next as NamespaceObject).spec, finalizers: [...spec.finalizers] };
      },
    },
  });

/** ServiceAccounts. */
export const serviceAccounts = (): ResourceDef =>
  defineKind({
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    subresources: [
      { name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
    ],
    traits: { deleteAnswer: 'object' },
    columns: [nameColumn, ageColumn],
  });

interface Node extends KubeObject {
  spec?: {
    unschedulable?: boolean;
    taints?: { key: string; value?: string; effect: string }[];
    podCIDR?: string;
    podCIDRs?: string[];
  };
  status?: {
    addresses?: { type: string; address: string }[];
    conditions?: Condition[];
    capacity?: JsonObject;
    allocatable?: JsonObject;
    nodeInfo?: { kubeletVersion?: string; osImage?: string; kernelVersion?: string; containerRuntimeVersion?: string };
  };
}

const ROLE = 'node-role.kubernetes.io/';

function rolesOf({ metadata }: Node): string {
  const labels = metadata.labels ?? {};
  const roles = Object.keys(labels)
    .filter((key) => key.startsWith(ROLE) && key.length > ROLE.length)
    .map((key) => key.slice(ROLE.length));
  const named = labels['kubernetes.io/role'];
  if (named) roles.push(named);
  return orNone([...new Set(roles)].sort().join(','));
}

function nodeStatus({ spec, status }: Node): string {
  const ready = status?.conditions?.find((condition) => condition.type === 'Ready');
  const words = [ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (spec?.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

const address = (type: string) => (node: Node) =>
  orNone(node.status?.addresses?.find((entry) => entry.type === type)?.address);
const unknown = (value: string | undefined): string => value || '<unknown>';

/** Nodes. */
export const nodes = (): ResourceDef =>
  defineKind({
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    status: true,
    subresources: [
      {
        name: 'proxy',
        kind: 'NodeProxyOptions',
        group: '',
        version: 'v1',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
      },
    ],
    traits: { statusOnCreate: true, statusMetadata: ['labels', 'annotations', 'finalizers'] },
    columns: [
      nameColumn,
      column<Node>('Status', nodeStatus),
      column<Node>('Roles', rolesOf),
      ageColumn,
      column<Node>('Version', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
      column<Node>('Internal-IP', address('InternalIP'), { wide: true }),
      column<Node>('External-IP', address('ExternalIP'), { wide: true }),
      column<Node>('OS-Image', ({ status }) => unknown(status?.nodeInfo?.osImage), { wide: true }),
      column<Node>('Kernel-Version', ({ status }) => unknown(status?.nodeInfo?.kernelVersion), { wide: true }),
      column<Node>('Container-Runtime', ({ status }) => unknown(status?.nodeInfo?.containerRuntimeVersion), {
        wide: true,
      }),
    ],
    fields: { 'spec.unschedulable': (object) => String((object as Node).spec?.unschedulable ?? false) },
    behaviour: {
      defaults: (object) => {
        const { spec, status } = object as Node;
        if (status?.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
        if (spec?.podCIDR && !spec.podCIDRs?.length) spec.podCIDRs = [spec.podCIDR];
        else if (spec?.podCIDRs?.[0] && !spec.podCIDR) spec.podCIDR = spec.podCIDRs[0];
      },
      prepareCreate: (object) => {
        // A node is kept free of Pods until it says that it is ready.
        const { status } = object as Node;
        if (status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True')) return;
        const spec = ((object as Node).spec ??= {});
        const key = 'node.kubernetes.io/not-ready';
        if (!spec.taints?.some((taint) => taint.key === key))
          spec.taints = [...(spec.taints ?? []), { key, effect: 'NoSchedule' }];
      },
      validate: (object) => {
        const { spec = {} } = object as Node;
        return [
          ...(spec.taints ?? []).flatMap(({ key }, i) => checkQualified(`metadata.taints[${i}].key`, key)),
          ...(spec.podCIDRs ?? []).flatMap((cidr, i) => checkCidr(`spec.podCIDRs[${i}]`, cidr)),
        ];
      },
      validateUpdate: (next, old) => {
        const known = (old as Node).spec?.podCIDRs ?? [];
        if (!known.length || jsonEqual((next as Node).spec?.podCIDRs ?? [], known)) return [];
        return [forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')];
      },
    },
  });
