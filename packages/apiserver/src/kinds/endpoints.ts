import { isIP } from 'node:net';
import { duplicate, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { checkIp, checkLabelName, checkPort, checkSubdomainName } from './label-rules.js';

/** Endpoints and EndpointSlices. */

interface Endpoints extends KubeObject {
  subsets?: {
    addresses?: { ip: string }[];
    notReadyAddresses?: { ip: string }[];
    ports?: { name?: string; port: number; protocol?: string }[];
  }[];
}

/** As many as fit in a cell, and how many more. */
function shortened(all: readonly string[], none: string, max = 3): string {
  if (!all.length) return none;
  const more = all.length - max;
  return all.slice(0, max).join(',') + (more > 0 ? ` + ${more} more...` : '');
}

function addresses({ subsets = [] }: Endpoints): string {
  const all: string[] = [];
  for (const { addresses: list = [], ports = [] } of subsets) {
    if (!ports.length) all.push(...list.map(({ ip }) => ip));
    for (const { port } of ports) all.push(...list.map(({ ip }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
  }
  return shortened(all, '<none>');
}

/** Addresses of endpoints lie neither on the host itself nor in its link. */
function checkEndpointIp(path: string, ip: string): FieldError[] {
  if (!isIP(ip)) return checkIp(path, ip);
  if (ip.startsWith('127.') || ip === '::1')
    return [invalidValue(path, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')];
  if (ip.startsWith('169.254.'))
    return [invalidValue(path, ip, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')];
  return [];
}

/** Endpoints. */
export const endpoints = (): ResourceDef =>
  defineKind({
    kind: 'Endpoints',
    plural: 'endpoints',
    shortNames: ['ep'],
    deprecated: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    traits: { createOnUpdate: true },
    columns: [nameColumn, column<Endpoints>('Endpoints', addresses), ageColumn],
    behaviour: {
      defaults: (object) => {
        for (const { ports = [] } of (object as Endpoints).subsets ?? [])
          for (const port of ports) port.protocol ||= 'TCP';
      },
      validate: (object) =>
        ((object as Endpoints).subsets ?? []).flatMap((subset, i) => {
          const errors: FieldError[] = [];
          if (!subset.addresses?.length && !subset.notReadyAddresses?.length) {
            errors.push(required(`subsets[${i}]`, 'must specify `addresses` or `notReadyAddresses`'));
          }
          for (const [j, { port, name }] of (subset.ports ?? []).entries()) {
            if (!name && (subset.ports?.length ?? 0) > 1) errors.push(required(`subsets[${i}].ports[${j}].name`));
            errors.push(...checkPort(`subsets[${i}].ports[${j}].port`, port));
          }
          for (const list of ['addresses', 'notReadyAddresses'] as const) {
            for (const [j, { ip }] of (subset[list] ?? []).entries())
              errors.push(...checkEndpointIp(`subsets[${i}].${list}[${j}].ip`, ip));
          }
          return errors;
        }),
    },
  });

interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: { addresses?: string[] | null }[] | null;
  ports?: { name?: string; port?: number; protocol?: string }[] | null;
}

/** EndpointSlices. */
export const endpointSlices = (): ResourceDef =>
  defineKind({
    group: 'discovery.k8s.io',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    traits: { generation: 'non-metadata' },
    columns: [
      nameColumn,
      column<EndpointSlice>('AddressType', (slice) => slice.addressType ?? ''),
      column<EndpointSlice>('Ports', ({ ports }) =>
        shortened(
          (ports ?? []).map(({ port }) => (port === undefined ? '*' : `${port}`)),
          '<unset>',
        ),
      ),
      column<EndpointSlice>('Endpoints', ({ endpoints: list }) =>
        shortened(
          (list ?? []).flatMap((endpoint) => endpoint.addresses ?? []),
          '<unset>',
        ),
      ),
      ageColumn,
    ],
    behaviour: {
      defaults: (object) => {
        for (const port of (object as EndpointSlice).ports ?? []) {
          port.name ??= '';
          port.protocol ||= 'TCP';
        }
      },
      validate: (object) => {
        const { addressType, endpoints: list, ports } = object as EndpointSlice;
        const errors = (list ?? []).flatMap((endpoint, i) =>
          (endpoint.addresses ?? []).flatMap((address, j) => {
            const at = `endpoints[${i}].addresses[${j}]`;
            if (addressType === 'FQDN') return checkSubdomainName(at, address);
            return checkEndpointIp(at, address);
          }),
        );
        const names = new Set<string>();
        for (const [i, { name = '' }] of (ports ?? []).entries()) {
          errors.push(...checkLabelName(`ports[${i}].name`, name));
          if (names.has(name)) errors.push(duplicate(`ports[${i}].name`, name));
          names.add(name);
        }
        return errors;
      },
      validateUpdate: (next, old) => {
        const { addressType } = next as EndpointSlice;
        return jsonEqual(addressType, (old as EndpointSlice).addressType)
          ? []
          : [invalidValue('addressType', null, 'field is immutable')];
      },
    },
  });
