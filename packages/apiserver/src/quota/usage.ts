import type { KubeObject } from '../core/types.js';
import type { Pod } from '../kinds/shapes.js';
import { add, podUsage } from './pod-usage.js';
import type { Amounts } from './pod-usage.js';

/** Which resource, by group and plural. */
export interface Counted {
  readonly group: string;
  readonly plural: string;
}

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const BY_STORAGE_CLASS = '.storageclass.storage.k8s.io/';
const BY_DEVICE_CLASS = '.deviceclass.resource.k8s.io/devices';
/** Devices that a claim for all of them counts as. */
const ALL_DEVICES = 32;
/** Core kinds whose plural alone names their number. */
const SHORT = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];
const POD_NAMES = /^(pods|((requests|limits)\.)?(cpu|memory|ephemeral-storage)|(requests\.)?hugepages-.+)$/;
const SERVICE_NAMES = ['services', 'services.nodeports', 'services.loadbalancers'];
const CLAIM_NAMES = ['persistentvolumeclaims', 'requests.storage'];

/** Name that the number of objects of a resource is limited under. */
const countName = ({ group, plural }: Counted): string => `count/${plural}${group ? `.${group}` : ''}`;

const isDeviceClass = (name: string): boolean => name.endsWith(BY_DEVICE_CLASS);
const isExtended = (name: string): boolean =>
  name.startsWith('requests.') && name.includes('/') && !name.includes(BY_STORAGE_CLASS);

function withoutClass(name: string): string {
  const at = name.indexOf(BY_STORAGE_CLASS);
  return at < 0 ? name : name.slice(at + BY_STORAGE_CLASS.length);
}

/** Whether objects of a resource count towards a name in a quota. */
export function counts(resource: Counted, name: string): boolean {
  if (name === countName(resource)) return true;
  if (resource.group === 'resource.k8s.io') return resource.plural === 'resourceclaims' && isDeviceClass(name);
  if (resource.group !== '') return false;
  switch (resource.plural) {
    case 'pods':
      return POD_NAMES.test(name) || isExtended(name);
    case 'services':
      return SERVICE_NAMES.includes(name);
    case 'persistentvolumeclaims':
      return CLAIM_NAMES.includes(withoutClass(name));
    default:
      return SHORT.includes(resource.plural) && name === resource.plural;
  }
}

interface Service extends KubeObject {
  spec: { type?: string; ports?: { nodePort?: number }[]; allocateLoadBalancerNodePorts?: boolean };
}

function serviceUsage({ spec }: Service): Amounts {
  const ports = spec.ports ?? [];
  const balanced = spec.type === 'LoadBalancer';
  const explicit = balanced && spec.allocateLoadBalancerNodePorts === false;
  const onNodes = explicit ? ports.filter((port) => port.nodePort).length : ports.length;
  return {
    services: '1',
    'services.nodeports': String(balanced || spec.type === 'NodePort' ? onNodes : 0),
    'services.loadbalancers': balanced ? '1' : '0',
  };
}

interface VolumeClaim extends KubeObject {
  spec: { storageClassName?: string; resources?: { requests?: Amounts } };
}

function volumeClaimUsage({ metadata, spec }: VolumeClaim): Amounts {
  const own: Amounts = { persistentvolumeclaims: '1' };
  const size = spec.resources?.requests?.storage;
  if (size !== undefined) own['requests.storage'] = size;
  const storageClass = metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName;
  if (!storageClass) return own;
  const ofClass = Object.entries(own).map(([name, amount]) => [`${storageClass}${BY_STORAGE_CLASS}${name}`, amount]);
  return { ...own, ...(Object.fromEntries(ofClass) as Amounts) };
}

interface DeviceRequest {
  deviceClassName: string;
  allocationMode?: string;
  count?: number;
}
interface ResourceClaim extends KubeObject {
  spec?: { devices?: { requests?: { exactly?: DeviceRequest; firstAvailable?: DeviceRequest[] }[] } };
}

const devices = ({ allocationMode, count }: DeviceRequest): number =>
  allocationMode === 'All' ? ALL_DEVICES : (count ?? 0);

function resourceClaimUsage({ spec }: ResourceClaim): Amounts {
  const out: Amounts = {};
  for (const { exactly, firstAvailable } of spec?.devices?.requests ?? []) {
    const most = new Map<string, number>();
    for (const request of firstAvailable ?? (exactly ? [exactly] : [])) {
      const name = `${request.deviceClassName}${BY_DEVICE_CLASS}`;
      most.set(name, Math.max(most.get(name) ?? 0, devices(request)));
    }
    for (const [name, number] of most) add(out, { [name]: String(number) });
  }
  return out;
}

function special(resource: Counted, object: KubeObject, now: number): Amounts {
  if (resource.group === 'resource.k8s.io' && resource.plural === 'resourceclaims') {
    return resourceClaimUsage(object as ResourceClaim);
  }
  if (resource.group !== '') return {};
  if (resource.plural === 'pods') return podUsage(object as Pod, now);
  if (resource.plural === 'services') return serviceUsage(object as Service);
  if (resource.plural === 'persistentvolumeclaims') return volumeClaimUsage(object as VolumeClaim);
  return SHORT.includes(resource.plural) ? { [resource.plural]: '1' } : {};
}

/** What one object uses up of a quota, by name. `now`: ms since the epoch. */
export function usageOf(resource: Counted, object: KubeObject, now: number): Amounts {
  return { [countName(resource)]: '1', ...special(resource, object, now) };
}

/** Resources of which a write can change what is used without being a create. */
export function countsUpdates({ group, plural }: Counted): boolean {
  if (group === '') return plural === 'pods' || plural === 'services' || plural === 'persistentvolumeclaims';
  return group === 'resource.k8s.io' && plural === 'resourceclaims';
}
