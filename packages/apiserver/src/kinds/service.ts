import { isIP } from 'node:net';
import { duplicate, forbiddenField, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef, WriteContext } from '../core/types.js';
import { ageColumn, column, formatLabels, nameColumn, orNone } from './columns.js';
import { defineKind } from './define.js';
import {
  checkIp,
  checkLabelName,
  checkLabels,
  checkPort,
  checkPortOrName,
  checkQualified,
  checkSubdomainName,
} from './label-rules.js';
import { ServiceSpace } from './service-allocation.js';
import type { Service, ServicePort } from './shapes.js';

/** Services: defaults, addresses, ports, checks (DF-2). */

const EXPOSED: readonly (string | undefined)[] = ['NodePort', 'LoadBalancer'];
const INSIDE: readonly (string | undefined)[] = ['ClusterIP', ...EXPOSED];

function setDefaults(object: KubeObject): void {
  const { spec, status } = object as Service;
  if (!spec) return;
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
  }
  if (EXPOSED.includes(spec.type) || spec.externalIPs?.length) spec.externalTrafficPolicy ||= 'Cluster';
  if (INSIDE.includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') {
    spec.allocateLoadBalancerNodePorts ??= true;
    for (const entry of (status?.loadBalancer?.ingress ?? []) as { ip?: string; ipMode?: string }[])
      if (entry.ip) entry.ipMode ??= 'VIP';
  }
}

const wantsNodePorts = ({ spec }: Service): boolean =>
  spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);

/** Addresses, families and ports that nobody sent. */
function allocate(service: Service, space: ServiceSpace): void {
  const { spec } = service;
  if (spec.type === 'ExternalName') {
    delete spec.clusterIP;
    delete spec.clusterIPs;
    delete spec.ipFamilies;
    delete spec.ipFamilyPolicy;
    delete spec.internalTrafficPolicy;
    for (const port of spec.ports ?? []) delete port.nodePort;
    return;
  }
  const ip = spec.clusterIP || spec.clusterIPs?.[0] || space.address();
  if (ip) {
    spec.clusterIP = ip;
    if (!spec.clusterIPs?.length) spec.clusterIPs = [ip];
  }
  // A headless service without selector has no address family of its own, so it stands for both.
  const both = ip === 'None' && !spec.selector;
  spec.ipFamilies ??= both ? ['IPv4', 'IPv6'] : ['IPv4'];
  spec.ipFamilyPolicy ??= both ? 'RequireDualStack' : 'SingleStack';
  if (wantsNodePorts(service)) space.fillNodePorts(service);
}

/** What the old object was given stays, unless the type says otherwise. */
function keepAllocated({ spec: a }: Service, old: Service): void {
  const b = old.spec;
  if (a.type !== 'ExternalName' && b.type !== 'ExternalName') {
    if (!a.clusterIP && !a.clusterIPs?.length && b.clusterIP) a.clusterIP = b.clusterIP;
    else if (
      a.clusterIP &&
      a.clusterIP !== b.clusterIP &&
      (!a.clusterIPs?.length || jsonEqual(a.clusterIPs, b.clusterIPs))
    )
      a.clusterIPs = [a.clusterIP];
    if (!a.clusterIPs?.length && b.clusterIPs) a.clusterIPs = [...b.clusterIPs];
    a.ipFamilies ??= b.ipFamilies ?? ['IPv4'];
    a.ipFamilyPolicy ??= b.ipFamilyPolicy ?? 'SingleStack';
  }
  const exposed = EXPOSED.includes(a.type);
  for (const port of a.ports ?? []) {
    const kept = old.spec.ports?.find(
      (known) => known.port === port.port && known.protocol === port.protocol,
    )?.nodePort;
    if (exposed && kept) port.nodePort ??= kept;
    else if (EXPOSED.includes(b.type) && !exposed && kept === port.nodePort) delete port.nodePort;
  }
  if (EXPOSED.includes(b.type) && !exposed && !a.externalIPs?.length) delete a.externalTrafficPolicy;
  if (b.type === 'LoadBalancer' && a.type !== 'LoadBalancer') delete a.allocateLoadBalancerNodePorts;
}

function validate(object: KubeObject): FieldError[] {
  const { spec } = object as Service;
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  if (spec.type === 'ExternalName') {
    if (!spec.externalName) errors.push(required('spec.externalName'));
    errors.push(...checkSubdomainName('spec.externalName', spec.externalName));
  } else if (!ports.length && spec.clusterIP !== 'None') errors.push(required('spec.ports'));
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const at = `spec.ports[${i}]`;
    if (!port.name && ports.length > 1) errors.push(required(`${at}.name`));
    errors.push(...checkLabelName(`${at}.name`, port.name));
    if (port.name && names.has(port.name)) errors.push(duplicate(`${at}.name`, port.name));
    if (port.name) names.add(port.name);
    errors.push(...checkPort(`${at}.port`, port.port));
    errors.push(
      ...checkPortOrName(`${at}.targetPort`, port.targetPort),
      ...checkQualified(`${at}.appProtocol`, port.appProtocol),
    );
    if (spec.type === 'ClusterIP' && port.nodePort)
      errors.push(forbiddenField(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"));
    const key = `${port.protocol}/${port.port}`;
    if (numbers.has(key)) {
      errors.push(
        duplicate(at, {
          Name: '',
          Protocol: port.protocol,
          AppProtocol: null,
          Port: port.port,
          TargetPort: 0,
          NodePort: 0,
        }),
      );
    }
    numbers.add(key);
  }
  const ip = spec.clusterIP;
  if (ip && ip !== 'None' && spec.type !== 'ExternalName' && !isIP(ip)) {
    errors.push(
      invalidValue('spec.clusterIPs[0]', ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'),
    );
  }
  if (ip === 'None' && EXPOSED.includes(spec.type)) {
    errors.push(invalidValue('spec.clusterIPs[0]', ip, `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.externalTrafficPolicy && !EXPOSED.includes(spec.type) && !spec.externalIPs?.length) {
    errors.push(
      invalidValue(
        'spec.externalTrafficPolicy',
        spec.externalTrafficPolicy,
        'may only be set for externally-accessible services',
      ),
    );
  }
  if (spec.loadBalancerSourceRanges?.length && spec.type !== 'LoadBalancer') {
    errors.push(forbiddenField('spec.LoadBalancerSourceRanges', "may only be used when `type` is 'LoadBalancer'"));
  }
  errors.push(...(spec.externalIPs ?? []).flatMap((address, i) => checkIp(`spec.externalIPs[${i}]`, address)));
  return [...errors, ...checkLabels('spec.selector', spec.selector)];
}

function validateUpdate(next: KubeObject, old: KubeObject): FieldError[] {
  const { spec: a } = next as Service;
  const { spec: b } = old as Service;
  if (a.type === 'ExternalName' || b.type === 'ExternalName' || !b.clusterIP || a.clusterIP === b.clusterIP) return [];
  return [invalidValue('spec.clusterIPs[0]', a.clusterIPs ?? [], 'may not change once set')];
}

function externalAddresses({ spec, status }: Service): string {
  const ingress = (status?.loadBalancer?.ingress ?? [])
    .map((entry) => entry.ip || entry.hostname || '')
    .filter(Boolean);
  if (spec.type === 'ExternalName') return orNone(spec.externalName);
  const all = [...(spec.type === 'LoadBalancer' ? ingress : []), ...(spec.externalIPs ?? [])];
  return all.length ? all.join(',') : spec.type === 'LoadBalancer' ? '<pending>' : '<none>';
}

const portText = (port: ServicePort): string =>
  `${port.port}${port.nodePort ? `:${port.nodePort}` : ''}/${port.protocol}`;

function warn({ spec }: Service, context: WriteContext): void {
  if (spec.externalName && spec.type !== 'ExternalName')
    context.warn('spec.externalName is ignored when spec.type is not "ExternalName"');
}

/** Services; `stored` answers those that exist, whose addresses and ports are taken. */
export function services(stored: () => readonly KubeObject[]): ResourceDef {
  const space = new ServiceSpace(stored);
  return defineKind({
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    status: true,
    subresources: [
      {
        name: 'proxy',
        kind: 'ServiceProxyOptions',
        group: '',
        version: 'v1',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
      },
    ],
    traits: {
      names: 'label',
      createOnUpdate: true,
      deleteAnswer: 'object',
      statusMetadata: ['labels', 'annotations', 'finalizers'],
    },
    columns: [
      nameColumn,
      column<Service>('Type', (service) => service.spec.type ?? ''),
      column<Service>('Cluster-IP', (service) => orNone(service.spec.clusterIP)),
      column<Service>('External-IP', externalAddresses),
      column<Service>('Port(s)', (service) => orNone((service.spec.ports ?? []).map(portText).join(','))),
      ageColumn,
      column<Service>('Selector', (service) => formatLabels(service.spec.selector), { wide: true }),
    ],
    fields: {
      'spec.clusterIP': (object) => (object as Service).spec.clusterIP ?? '',
      'spec.type': (object) => (object as Service).spec.type ?? '',
    },
    behaviour: {
      defaults: setDefaults,
      prepareCreate: (object, context) => {
        warn(object as Service, context);
        allocate(object as Service, space);
      },
      prepareUpdate: (next, old, context) => {
        if (context.subresource !== undefined) return;
        warn(next as Service, context);
        keepAllocated(next as Service, old as Service);
        allocate(next as Service, space);
      },
      validate: (object) => [...validate(object), ...space.portProblems(object as Service)],
      validateNew: (object) => space.addressProblems(object as Service),
      validateUpdate,
      validateStatus: (next) => {
        const { spec, status } = next as Service;
        if (spec.type === 'LoadBalancer' || !status?.loadBalancer?.ingress?.length) return [];
        return [forbiddenField('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")];
      },
    },
  });
}
