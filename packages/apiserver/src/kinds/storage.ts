import { forbiddenField, invalidValue, notSupported, required } from '../core/errors.js';
import { timestamp } from '../core/clock.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { checkQualified, checkSubdomainName } from './label-rules.js';
import { compareQuantities } from './quantity.js';

/** Volumes, claims and storage classes: stored, never bound. */

const SHORT: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const shortModes = (modes: readonly string[] | undefined): string =>
  Object.keys(SHORT)
    .filter((mode) => modes?.includes(mode))
    .map((mode) => SHORT[mode])
    .join(',');
const orUnset = (value: string | undefined): string => value ?? '<unset>';

interface Claim extends KubeObject {
  spec: {
    accessModes?: string[];
    volumeName?: string;
    storageClassName?: string;
    volumeAttributesClassName?: string;
    volumeMode?: string;
    resources?: { requests?: Record<string, string> };
  };
  status?: { phase?: string; capacity?: Record<string, string>; accessModes?: string[] };
}

const bound = ({ spec }: Claim): boolean => !!spec.volumeName;

/** PersistentVolumeClaims. */
export const persistentVolumeClaims = (): ResourceDef =>
  defineKind({
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    status: true,
    traits: { deleteAnswer: 'object', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<Claim>('Status', ({ metadata, status }) =>
        metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      ),
      column<Claim>('Volume', ({ spec }) => spec.volumeName ?? ''),
      column<Claim>('Capacity', (claim) => (bound(claim) ? (claim.status?.capacity?.storage ?? '') : '')),
      column<Claim>('Access Modes', (claim) => (bound(claim) ? shortModes(claim.status?.accessModes) : '')),
      column<Claim>('StorageClass', ({ spec }) => spec.storageClassName ?? ''),
      column<Claim>('VolumeAttributesClass', ({ spec }) => orUnset(spec.volumeAttributesClassName)),
      ageColumn,
      column<Claim>('VolumeMode', ({ spec }) => orUnset(spec.volumeMode), { wide: true }),
    ],
    behaviour: {
      initialStatus: () => ({ phase: 'Pending' }),
      defaults: (object) => {
        const claim = object as Claim;
        if (claim.spec) claim.spec.volumeMode ??= 'Filesystem';
        (claim.status ??= {}).phase ||= 'Pending';
      },
      validate: (object) => {
        const { spec } = object as Claim;
        const errors: FieldError[] = [];
        if (!spec.accessModes?.length) errors.push(required('spec.accessModes', 'at least 1 access mode is required'));
        const size = spec.resources?.requests?.storage;
        if (size === undefined) errors.push(required('spec.resources[storage]'));
        else if (compareQuantities(size, '0') <= 0)
          errors.push(invalidValue('spec.resources[storage]', size, 'must be greater than zero'));
        errors.push(...checkSubdomainName('spec.storageClassName', spec.storageClassName));
        return errors;
      },
    },
  });

interface Volume extends KubeObject {
  spec: {
    capacity?: Record<string, string>;
    accessModes?: string[];
    persistentVolumeReclaimPolicy?: string;
    volumeMode?: string;
    storageClassName?: string;
    volumeAttributesClassName?: string;
    claimRef?: { namespace?: string; name?: string };
    hostPath?: { type?: string };
  };
  status?: { phase?: string; reason?: string };
}

const SETTINGS = [
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
];

/** PersistentVolumes. */
export const persistentVolumes = (): ResourceDef =>
  defineKind({
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    status: true,
    traits: { deleteAnswer: 'object', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<Volume>('Capacity', ({ spec }) => spec.capacity?.storage ?? ''),
      column<Volume>('Access Modes', ({ spec }) => shortModes(spec.accessModes)),
      column<Volume>('Reclaim Policy', ({ spec }) => spec.persistentVolumeReclaimPolicy ?? ''),
      column<Volume>('Status', ({ metadata, status }) =>
        metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      ),
      column<Volume>('Claim', ({ spec }) =>
        spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
      ),
      column<Volume>('StorageClass', ({ spec }) => spec.storageClassName ?? ''),
      column<Volume>('VolumeAttributesClass', ({ spec }) => orUnset(spec.volumeAttributesClassName)),
      column<Volume>('Reason', ({ status }) => status?.reason ?? ''),
      ageColumn,
      column<Volume>('VolumeMode', ({ spec }) => orUnset(spec.volumeMode), { wide: true }),
    ],
    behaviour: {
      initialStatus: () => ({ phase: 'Pending' }),
      prepareCreate: (object, context) => {
        Object.assign((object as Volume).status ?? {}, { lastPhaseTransitionTime: timestamp(context.now) });
      },
      defaults: (object) => {
        const volume = object as Volume;
        const { spec } = volume;
        (volume.status ??= {}).phase ||= 'Pending';
        if (!spec) return;
        spec.persistentVolumeReclaimPolicy ||= 'Retain';
        spec.volumeMode ??= 'Filesystem';
        if (spec.hostPath) spec.hostPath.type ??= '';
      },
      validate: (object) => {
        const { spec } = object as Volume;
        const errors: FieldError[] = [];
        if (!spec.accessModes?.length) errors.push(required('spec.accessModes'));
        if (!Object.keys(spec.capacity ?? {}).length) errors.push(required('spec.capacity'));
        if (!spec.capacity?.storage) errors.push(notSupported('spec.capacity', spec.capacity ?? null, ['storage']));
        const [source, ...others] = Object.keys(spec).filter((key) => !SETTINGS.includes(key));
        if (!source) errors.push(required('spec', 'must specify a volume type'));
        errors.push(...others.map((key) => forbiddenField(`spec.${key}`, 'may not specify more than 1 volume type')));
        return errors;
      },
    },
  });

interface StorageClass extends KubeObject {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
}

const FIXED = ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'];

/** StorageClasses. */
export const storageClasses = (): ResourceDef =>
  defineKind({
    group: 'storage.k8s.io',
    kind: 'StorageClass',
    plural: 'storageclasses',
    shortNames: ['sc'],
    namespaced: false,
    traits: { deleteAnswer: 'object' },
    columns: [
      column<StorageClass>(
        'Name',
        ({ metadata }) =>
          `${metadata.name ?? ''}${metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true' ? ' (default)' : ''}`,
        { format: 'name' },
      ),
      column<StorageClass>('Provisioner', (sc) => sc.provisioner ?? ''),
      column<StorageClass>('ReclaimPolicy', (sc) => sc.reclaimPolicy ?? ''),
      column<StorageClass>('VolumeBindingMode', (sc) => orUnset(sc.volumeBindingMode)),
      column<StorageClass>('AllowVolumeExpansion', (sc) => sc.allowVolumeExpansion ?? false),
      ageColumn,
    ],
    behaviour: {
      defaults: (object) => {
        const storageClass = object as StorageClass;
        storageClass.reclaimPolicy ??= 'Delete';
        storageClass.volumeBindingMode ??= 'Immediate';
      },
      validate: (object) => checkQualified('provisioner', (object as StorageClass).provisioner?.toLowerCase()),
      validateUpdate: (next, old) =>
        FIXED.filter((key) => !jsonEqual(next[key], old[key])).map((key) =>
          key === 'parameters'
            ? { type: 'FieldValueForbidden', field: key, message: `Forbidden: updates to ${key} are forbidden.` }
            : invalidValue(key, null, 'field is immutable'),
        ),
    },
  });

interface CsiDriver extends KubeObject {
  spec: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    storageCapacity?: boolean;
    fsGroupPolicy?: string;
    volumeLifecycleModes?: string[];
    requiresRepublish?: boolean;
    seLinuxMount?: boolean;
    preventPodSchedulingIfMissing?: boolean;
    tokenRequests?: { audience: string }[];
  };
}

const flag = (name: string, read: (driver: CsiDriver) => boolean | undefined): ReturnType<typeof column> =>
  column<CsiDriver>(name, (driver) => read(driver) ?? false, { type: 'boolean' });

/** CSIDrivers. */
export const csiDrivers = (): ResourceDef =>
  defineKind({
    group: 'storage.k8s.io',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    namespaced: false,
    traits: { unconditionalUpdate: false, deleteAnswer: 'object' },
    columns: [
      nameColumn,
      flag('AttachRequired', ({ spec }) => spec.attachRequired),
      flag('PodInfoOnMount', ({ spec }) => spec.podInfoOnMount),
      flag('StorageCapacity', ({ spec }) => spec.storageCapacity),
      column<CsiDriver>('TokenRequests', ({ spec }) =>
        spec.tokenRequests?.length ? spec.tokenRequests.map((r) => r.audience).join(',') : '<unset>',
      ),
      flag('RequiresRepublish', ({ spec }) => spec.requiresRepublish),
      column<CsiDriver>('Modes', ({ spec }) => spec.volumeLifecycleModes?.join(',') ?? '<none>'),
      ageColumn,
    ],
    behaviour: {
      defaults: (object) => {
        const { spec } = object as CsiDriver;
        if (!spec) return;
        spec.attachRequired ??= true;
        spec.podInfoOnMount ??= false;
        spec.storageCapacity ??= false;
        spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
        if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
        spec.requiresRepublish ??= false;
        spec.seLinuxMount ??= false;
        spec.preventPodSchedulingIfMissing ??= false;
      },
    },
  });
