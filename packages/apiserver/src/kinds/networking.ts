import { invalidValue, required } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, formatSelector, nameColumn, orNone } from './columns.js';
import { defineKind } from './define.js';
import { checkCidr, checkPortOrName, checkSelector, checkSubdomainName } from './label-rules.js';
import type { LabelSelector } from './shapes.js';

/** Ingresses, their classes, network policies: stored and shown. */

const GROUP = 'networking.k8s.io';

interface Ingress extends KubeObject {
  spec?: {
    ingressClassName?: string;
    defaultBackend?: Backend;
    tls?: unknown[];
    rules?: { host?: string; http?: { paths?: { path?: string; pathType?: string; backend?: Backend }[] | null } }[];
  };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

function hosts({ spec }: Ingress): string {
  const all = (spec?.rules ?? []).map((rule) => rule.host || '*');
  const more = all.length - 3;
  return all.length ? all.slice(0, 3).join(',') + (more > 0 ? ` + ${more} more...` : '') : '*';
}

interface Backend {
  service?: { name?: string; port?: { name?: string; number?: number } };
  resource?: object;
}

function checkBackend({ service, resource }: Backend, at: string): FieldError[] {
  if (!service && !resource) return [invalidValue(at, '', 'resource or service backend is required')];
  if (service && resource) return [invalidValue(at, '', 'cannot set both resource and service backends')];
  if (!service || service.port?.name || service.port?.number) return [];
  return [required(at, 'port name or number is required')];
}

function validateIngress(object: KubeObject): FieldError[] {
  const { spec = {} } = object as Ingress;
  if (!spec.rules?.length && !spec.defaultBackend) {
    return [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')];
  }
  const errors = spec.defaultBackend ? checkBackend(spec.defaultBackend, 'spec.defaultBackend') : [];
  const rules = (spec.rules ?? []).flatMap((rule, i) => [
    ...checkSubdomainName(`spec.rules[${i}].host`, rule.host?.replace(/^\*\./, '')),
    ...(rule.http?.paths ?? []).flatMap((path, j) => {
      const at = `spec.rules[${i}].http.paths[${j}]`;
      const backend = checkBackend(path.backend ?? {}, `${at}.backend`);
      if (path.pathType === undefined) return [required(`${at}.pathType`, 'pathType must be specified')];
      if (path.pathType !== 'ImplementationSpecific' && !path.path?.startsWith('/')) {
        return [invalidValue(`${at}.path`, path.path ?? '', 'must be an absolute path'), ...backend];
      }
      return backend;
    }),
  ]);
  return [...errors, ...rules];
}

/** Ingresses. */
export const ingresses = (): ResourceDef =>
  defineKind({
    group: GROUP,
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    status: true,
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<Ingress>('Class', ({ spec }) => orNone(spec?.ingressClassName)),
      column<Ingress>('Hosts', hosts),
      column<Ingress>('Address', ({ status }) =>
        (status?.loadBalancer?.ingress ?? []).map((entry) => entry.ip || entry.hostname || '').join(','),
      ),
      column<Ingress>('Ports', ({ spec }) => (spec?.tls?.length ? '80, 443' : '80')),
      ageColumn,
    ],
    behaviour: { validate: validateIngress, checkedHere: /\.pathType$/ },
  });

interface IngressClass extends KubeObject {
  spec?: { controller?: string; parameters?: { apiGroup?: string; kind: string; name: string; scope?: string } };
}

/** IngressClasses. */
export const ingressClasses = (): ResourceDef =>
  defineKind({
    group: GROUP,
    kind: 'IngressClass',
    plural: 'ingressclasses',
    namespaced: false,
    traits: { generation: 'spec' },
    columns: [
      nameColumn,
      column<IngressClass>('Controller', ({ spec }) => spec?.controller ?? ''),
      column<IngressClass>('Parameters', ({ spec }) => {
        const of = spec?.parameters;
        return of ? `${of.kind}${of.apiGroup ? `.${of.apiGroup}` : ''}/${of.name}` : '<none>';
      }),
      ageColumn,
    ],
    behaviour: {
      validate: (object) => {
        const { controller } = (object as IngressClass).spec ?? {};
        if (!controller) return [required('spec.controller')];
        return /^[^/]+\/.+$/.test(controller)
          ? []
          : [invalidValue('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
      },
      defaults: (object) => {
        const parameters = (object as IngressClass).spec?.parameters;
        if (parameters) parameters.scope ??= 'Cluster';
      },
      validateUpdate: (next, old) => {
        const { controller } = (next as IngressClass).spec ?? {};
        return controller === (old as IngressClass).spec?.controller
          ? []
          : [invalidValue('spec.controller', controller, 'field is immutable')];
      },
    },
  });

interface Traffic {
  ports?: { protocol?: string; port?: number | string }[];
}

interface Peer {
  ipBlock?: { cidr?: string };
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
}

function checkTraffic(
  { ports = [] }: Traffic,
  peers: readonly Peer[],
  at: { path: string; peers: string },
): FieldError[] {
  const errors = ports.flatMap(({ port }, i) => checkPortOrName(`${at.path}.ports[${i}].port`, port));
  for (const [i, peer] of peers.entries()) {
    const path = `${at.path}.${at.peers}[${i}]`;
    if (!Object.keys(peer).length) errors.push(required(path, 'must specify a peer'));
    errors.push(...checkCidr(`${path}.ipBlock.cidr`, peer.ipBlock?.cidr));
    errors.push(
      ...checkSelector(`${path}.podSelector`, peer.podSelector),
      ...checkSelector(`${path}.namespaceSelector`, peer.namespaceSelector),
    );
  }
  return errors;
}

interface NetworkPolicy extends KubeObject {
  spec?: {
    podSelector?: LabelSelector;
    policyTypes?: string[];
    ingress?: (Traffic & { from?: Peer[] })[];
    egress?: (Traffic & { to?: Peer[] })[];
  };
}

/** NetworkPolicies. */
export const networkPolicies = (): ResourceDef =>
  defineKind({
    group: GROUP,
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    traits: { generation: 'spec' },
    columns: [
      nameColumn,
      column<NetworkPolicy>('Pod-Selector', ({ spec }) => formatSelector(spec?.podSelector)),
      ageColumn,
    ],
    behaviour: {
      defaults: (object) => {
        const { spec } = object as NetworkPolicy;
        if (!spec) return;
        if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
        for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
          for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
      },
      validate: (object) => {
        const { spec = {} } = object as NetworkPolicy;
        return [
          ...checkSelector('spec.podSelector', spec.podSelector),
          ...(spec.ingress ?? []).flatMap((rule, i) =>
            checkTraffic(rule, rule.from ?? [], { path: `spec.ingress[${i}]`, peers: 'from' }),
          ),
          ...(spec.egress ?? []).flatMap((rule, i) =>
            checkTraffic(rule, rule.to ?? [], { path: `spec.egress[${i}]`, peers: 'to' }),
          ),
        ];
      },
    },
  });
