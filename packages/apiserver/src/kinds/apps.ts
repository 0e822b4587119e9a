import { forbiddenField, invalidValue, required } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { FieldError, JsonValue, KubeObject, ResourceDef, ScalePaths } from '../core/types.js';
import { ageColumn, column, containerColumns, formatLabels, formatSelector, nameColumn, orNone } from './columns.js';
import { defineKind, type KindSpec } from './define.js';
import { checkCount } from './label-rules.js';
import { defaultPodSpec } from './pod-defaults.js';
import type { Workload } from './shapes.js';
import { checkSelectorFixed, validateRollout, validateWorkload } from './workload-rules.js';

/** Deployments, ReplicaSets, StatefulSets, DaemonSets, ControllerRevisions. */

const SCALE: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

const podSpecOf = (object: Workload): Workload['spec']['template']['spec'] | undefined => object.spec.template?.spec;
const podColumns = containerColumns<Workload>(podSpecOf);
const selectorColumn = column<Workload>('Selector', ({ spec }) => formatSelector(spec.selector), { wide: true });
const cis = [...podColumns, selectorColumn];

const integer = (name: string, cell: (object: Workload) => JsonValue): ReturnType<typeof column> =>
  column<Workload>(name, cell, { type: 'integer' });

function templateDefaults(object: KubeObject): Workload['spec'] | undefined {
  const { spec } = object as Workload;
  if (spec) defaultPodSpec(spec.template?.spec);
  return spec;
}

const apps = (spec: Omit<KindSpec, 'group' | 'categories' | 'status'>): ResourceDef =>
  defineKind({ group: 'apps', categories: ['all'], status: true, ...spec });

/** Deployments (DF-4). */
export const deployments = (): ResourceDef =>
  apps({
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    scale: SCALE,
    traits: { generation: 'spec-and-annotations', statusMetadata: ['annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<Workload>('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
      column<Workload>('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0),
      column<Workload>('Available', ({ status }) => status?.availableReplicas ?? 0),
      ageColumn,
      ...cis,
    ],
    behaviour: {
      defaults: (object) => {
        const spec = templateDefaults(object);
        if (!spec) return;
        spec.replicas ??= 1;
        const strategy = (spec.strategy ??= {});
        strategy.type ||= 'RollingUpdate';
        if (strategy.type === 'RollingUpdate') {
          const rolling = (strategy.rollingUpdate ??= {});
          rolling.maxUnavailable ??= '25%';
          rolling.maxSurge ??= '25%';
        }
        spec.revisionHistoryLimit ??= 10;
        spec.progressDeadlineSeconds ??= 600;
      },
      validate: (object) => [...validateWorkload(object, 'deployment'), ...validateRollout(object as Workload)],
      validateUpdate: checkSelectorFixed,
    },
  });

/** ReplicaSets. */
export const replicaSets = (): ResourceDef =>
  apps({
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    scale: SCALE,
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      integer('Desired', ({ spec }) => spec.replicas ?? 0),
      integer('Current', ({ status }) => status?.replicas ?? 0),
      integer('Ready', ({ status }) => status?.readyReplicas ?? 0),
      ageColumn,
      ...cis,
    ],
    behaviour: {
      defaults: (object) => {
        const spec = templateDefaults(object);
        if (spec) spec.replicas ??= 1;
      },
      validate: (object) => validateWorkload(object, 'deployment'),
      validateUpdate: checkSelectorFixed,
    },
  });

interface StatefulSpec {
  podManagementPolicy?: string;
  serviceName?: string;
  updateStrategy?: {
    type?: string;
    rollingUpdate?: { partition?: number; maxUnavailable?: number | string; maxSurge?: number | string };
  };
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  volumeClaimTemplates?: (KubeObject & { spec?: { volumeMode?: string }; status?: { phase?: string } })[];
}

/** What of a StatefulSet's spec may change. */
const CHANGEABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function validateStatefulSetUpdate(next: KubeObject, old: KubeObject): FieldError[] {
  const { serviceName } = (next as Workload & { spec: StatefulSpec }).spec;
  if (serviceName !== (old as Workload & { spec: StatefulSpec }).spec.serviceName) {
    return [invalidValue('spec.serviceName', serviceName ?? '', 'field is immutable')];
  }
  const fixed = (object: KubeObject): object =>
    Object.fromEntries(Object.entries((object as Workload).spec).filter(([key]) => !CHANGEABLE.includes(key)));
  if (jsonEqual(fixed(next), fixed(old))) return [];
  const named = CHANGEABLE.map((key) => `'${key}'`);
  const why = `updates to statefulset spec for fields other than ${named.slice(0, -1).join(', ')} and ${named.at(-1)} are forbidden`;
  return [forbiddenField('spec', why)];
}

function validateStatefulSet(object: KubeObject): FieldError[] {
  const errors = validateWorkload(object, 'statefulset').filter((error) => error.field !== 'spec.revisionHistoryLimit');
  const { podManagementPolicy: policy, updateStrategy: update = {} } = (object as Workload & { spec: StatefulSpec })
    .spec;
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    errors.push(invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'"));
  }
  const { type, rollingUpdate } = update;
  const at = 'spec.updateStrategy';
  // Values are shown in the form of the server's internal type.
  const shown = rollingUpdate
    ? { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: rollingUpdate.maxUnavailable ?? null }
    : null;
  if (type !== 'RollingUpdate' && type !== 'OnDelete') {
    errors.push(invalidValue(at, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'"));
  } else if (type === 'OnDelete' && shown) {
    errors.push(invalidValue(`${at}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'"));
  }
  return [...errors, ...checkCount(`${at}.rollingUpdate.partition`, rollingUpdate?.partition)];
}

/** StatefulSets. */
export const statefulSets = (): ResourceDef =>
  apps({
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    scale: SCALE,
    traits: {
      names: 'label',
      generation: 'spec',
      statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
    },
    columns: [
      nameColumn,
      column<Workload>('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
      ageColumn,
      ...podColumns,
    ],
    behaviour: {
      defaults: (object) => {
        const spec = templateDefaults(object) as (Workload['spec'] & StatefulSpec) | undefined;
        if (!spec) return;
        spec.podManagementPolicy ||= 'OrderedReady';
        const update = (spec.updateStrategy ??= {});
        if (!update.type) {
          update.type = 'RollingUpdate';
          update.rollingUpdate ??= {};
        }
        if (update.type === 'RollingUpdate' && update.rollingUpdate) {
          update.rollingUpdate.partition ??= 0;
          update.rollingUpdate.maxUnavailable ??= 1;
        }
        const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
        retention.whenDeleted ||= 'Retain';
        retention.whenScaled ||= 'Retain';
        spec.replicas ??= 1;
        spec.revisionHistoryLimit ??= 10;
        for (const claim of spec.volumeClaimTemplates ?? []) {
          claim.kind ||= 'PersistentVolumeClaim';
          claim.apiVersion ||= 'v1';
          if (claim.spec) claim.spec.volumeMode ??= 'Filesystem';
          (claim.status ??= {}).phase ||= 'Pending';
        }
      },
      validate: validateStatefulSet,
      checkedHere: /^spec\.(podManagementPolicy|updateStrategy\.type)$/,
      validateUpdate: validateStatefulSetUpdate,
    },
  });

interface DaemonStatus {
  desiredNumberScheduled?: number;
  currentNumberScheduled?: number;
  numberReady?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
}

const daemon = (name: string, key: keyof DaemonStatus): ReturnType<typeof column> =>
  integer(name, ({ status }) => (status as DaemonStatus | undefined)?.[key] ?? 0);

/** Annotation that counts the changes of a DaemonSet's template. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function setTemplateGeneration(object: KubeObject, generation: number): void {
  (object.metadata.annotations ??= {})[TEMPLATE_GENERATION] = `${generation}`;
}

/** DaemonSets. */
export const daemonSets = (): ResourceDef =>
  apps({
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      daemon('Desired', 'desiredNumberScheduled'),
      daemon('Current', 'currentNumberScheduled'),
      daemon('Ready', 'numberReady'),
      daemon('Up-to-date', 'updatedNumberScheduled'),
      daemon('Available', 'numberAvailable'),
      column<Workload>('Node Selector', (object) =>
        formatLabels((podSpecOf(object) as { nodeSelector?: Record<string, string> } | undefined)?.nodeSelector),
      ),
      ageColumn,
      ...cis,
    ],
    behaviour: {
      defaults: (object) => {
        const spec = templateDefaults(object) as (Workload['spec'] & StatefulSpec) | undefined;
        if (!spec) return;
        const update = (spec.updateStrategy ??= {});
        update.type ||= 'RollingUpdate';
        if (update.type === 'RollingUpdate') {
          const rolling = (update.rollingUpdate ??= {});
          rolling.maxUnavailable ??= 1;
          rolling.maxSurge ??= 0;
        }
        spec.revisionHistoryLimit ??= 10;
        if (object.metadata && !object.metadata.annotations?.[TEMPLATE_GENERATION]) setTemplateGeneration(object, 1);
      },
      prepareUpdate: (next, old, context) => {
        if (context.subresource !== undefined) return;
        const known = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1);
        const changed = !jsonEqual((next as Workload).spec.template, (old as Workload).spec.template);
        setTemplateGeneration(next, changed ? known + 1 : known);
      },
      // A missing selector shows as one that does not match.
      checkedHere: /^spec\.selector$/,
      validate: (object) => {
        const errors = validateWorkload(object, 'daemonset');
        const { maxUnavailable, maxSurge } =
          (object as Workload & { spec: StatefulSpec }).spec.updateStrategy?.rollingUpdate ?? {};
        if (maxUnavailable === 0 && maxSurge === 0) {
          errors.push(required('spec.updateStrategy.rollingUpdate.maxUnavailable', 'cannot be 0 when maxSurge is 0'));
        }
        return errors;
      },
      validateUpdate: checkSelectorFixed,
    },
  });

interface Revision extends KubeObject {
  revision?: number;
  data?: JsonValue;
}

function controllerOf({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find((reference) => reference.controller);
  if (!owner) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return orNone(`${owner.kind.toLowerCase()}${group}/${owner.name}`);
}

/** ControllerRevisions. */
export const controllerRevisions = (): ResourceDef =>
  defineKind({
    group: 'apps',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    columns: [
      nameColumn,
      column('Controller', controllerOf),
      column<Revision>('Revision', (object) => object.revision ?? 0),
      ageColumn,
    ],
    behaviour: {
      validate: (object) => {
        const revision = object as Revision;
        const errors: FieldError[] =
          revision.data === undefined || revision.data === null ? [required('data', 'data is mandatory')] : [];
        if ((revision.revision ?? 0) < 0)
          errors.push(invalidValue('revision', revision.revision, 'must be greater than or equal to 0'));
        return errors;
      },
      validateUpdate: (next, old) =>
        jsonEqual((next as Revision).data, (old as Revision).data)
          ? []
          : [invalidValue('data', (next as Revision).data, 'field is immutable')],
    },
  });
