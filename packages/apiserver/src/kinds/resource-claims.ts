import { invalidValue } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import type { Condition } from './shapes.js';

/** Claims of devices, classes of volume attributes, migrations: stored and shown; no device is allocated, nothing migrated. */

/** Status of the condition of that type. */
export const conditionStatus = (conditions: readonly Condition[] | undefined, type: string): string | undefined =>
  conditions?.find((condition) => condition.type === type)?.status;

interface Request {
  allocationMode?: string;
  count?: number;
}
interface DeviceSpec {
  devices?: { requests?: { exactly?: Request; firstAvailable?: Request[] }[] };
}
interface Claim extends KubeObject {
  spec?: DeviceSpec;
  status?: { allocation?: unknown; reservedFor?: unknown[] };
}

function defaultRequests(spec: DeviceSpec | undefined): void {
  for (const { exactly, firstAvailable } of spec?.devices?.requests ?? []) {
    for (const request of [...(exactly ? [exactly] : []), ...(firstAvailable ?? [])]) {
      request.allocationMode ||= 'ExactCount';
      if (request.allocationMode === 'ExactCount') request.count ||= 1;
    }
  }
}

function stateOf({ metadata, status }: Claim): string {
  if (!status?.allocation) return metadata.deletionTimestamp ? 'deleted' : 'pending';
  const state = status.reservedFor?.length ? 'allocated,reserved' : 'allocated';
  return metadata.deletionTimestamp ? `deleted,${state}` : state;
}

const fixed = (next: KubeObject, old: KubeObject): FieldError[] =>
  jsonEqual(next.spec, old.spec) ? [] : [invalidValue('spec', next.spec, 'field is immutable')];

const RESOURCE = 'resource.k8s.io';

/** DeviceClasses, ResourceClaims and their templates. */
export const resourceClaimKinds = (): ResourceDef[] => [
  defineKind({
    group: RESOURCE,
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    namespaced: false,
    traits: { generation: 'spec', deleteAnswer: 'object' },
    columns: [nameColumn, ageColumn],
  }),
  defineKind({
    group: RESOURCE,
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    status: true,
    traits: { deleteAnswer: 'object', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [nameColumn, column<Claim>('State', stateOf), ageColumn],
    behaviour: { defaults: (object) => defaultRequests((object as Claim).spec), validateUpdate: fixed },
  }),
  defineKind({
    group: RESOURCE,
    kind: 'ResourceClaimTemplate',
    plural: 'resourceclaimtemplates',
    traits: { deleteAnswer: 'object' },
    columns: [nameColumn, ageColumn],
    behaviour: {
      defaults: (object) => defaultRequests((object.spec as { spec?: DeviceSpec } | undefined)?.spec),
      validateUpdate: fixed,
    },
  }),
];

interface Slice extends KubeObject {
  spec?: { nodeName?: string; driver?: string; pool?: { name?: string } };
}

/** ResourceSlices. */
export const resourceSlices = (): ResourceDef =>
  defineKind({
    group: RESOURCE,
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    traits: { generation: 'spec', deleteAnswer: 'object' },
    columns: [
      nameColumn,
      column<Slice>('Node', ({ spec }) => spec?.nodeName ?? ''),
      column<Slice>('Driver', ({ spec }) => spec?.driver ?? ''),
      column<Slice>('Pool', ({ spec }) => spec?.pool?.name ?? ''),
      ageColumn,
    ],
    fields: {
      'spec.driver': (object) => (object as Slice).spec?.driver ?? '',
      'spec.nodeName': (object) => (object as Slice).spec?.nodeName ?? '',
    },
  });

interface AttributesClass extends KubeObject {
  driverName?: string;
}

/** VolumeAttributesClasses. */
export const volumeAttributesClasses = (): ResourceDef =>
  defineKind({
    group: 'storage.k8s.io',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    shortNames: ['vac'],
    namespaced: false,
    traits: { deleteAnswer: 'object' },
    columns: [nameColumn, column<AttributesClass>('DriverName', ({ driverName }) => driverName ?? ''), ageColumn],
    behaviour: {
      validateUpdate: (next, old) =>
        (['driverName', 'parameters'] as const)
          .filter((key) => !jsonEqual(next[key], old[key]))
          .map((key) => invalidValue(key, next[key], 'field is immutable')),
    },
  });

interface CsiNode extends KubeObject {
  spec?: { drivers?: unknown[] | null };
}

/** CSINodes. */
export const csiNodes = (): ResourceDef =>
  defineKind({
    group: 'storage.k8s.io',
    kind: 'CSINode',
    plural: 'csinodes',
    namespaced: false,
    traits: { unconditionalUpdate: false, deleteAnswer: 'object' },
    columns: [
      nameColumn,
      column<CsiNode>('Drivers', ({ spec }) => spec?.drivers?.length ?? 0, { type: 'integer' }),
      ageColumn,
    ],
  });

interface Migration extends KubeObject {
  spec?: { resource?: { group?: string; resource?: string } };
  status?: { conditions?: Condition[] };
}

const STATES = ['Running', 'Failed', 'Succeeded'];

function migrated({ spec }: Migration): string {
  const { group, resource = '' } = spec?.resource ?? {};
  return group ? `${resource}.${group}` : resource;
}

/** StorageVersionMigrations. */
export const storageVersionMigrations = (): ResourceDef =>
  defineKind({
    group: 'storagemigration.k8s.io',
    kind: 'StorageVersionMigration',
    plural: 'storageversionmigrations',
    namespaced: false,
    status: true,
    traits: { unconditionalUpdate: false, statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      column<Migration>('Name', ({ metadata }) => metadata.name ?? ''),
      column<Migration>('Resource', migrated),
      column<Migration>('Status', ({ status }) => {
        const reached = (status?.conditions ?? []).filter((c) => c.status === 'True' && STATES.includes(c.type));
        return reached.at(-1)?.type ?? 'Unknown';
      }),
    ],
    behaviour: { validateUpdate: fixed },
  });
