import type { KubeObject, ResourceDef } from '../core/types.js';
import { invalidValue } from '../core/errors.js';
import { ageColumn, column, formatLabels, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { checkCount, matchesSelector } from './label-rules.js';
import { defaultPodSpec } from './pod-defaults.js';
import type { PodTemplateSpec, WorkloadStatus } from './shapes.js';
import { checkTemplate } from './workload-rules.js';

/** ReplicationControllers and PodTemplates: stored, no Pods are made. */

interface Controller extends KubeObject {
  spec?: { replicas?: number; minReadySeconds?: number; selector?: Record<string, string>; template?: PodTemplateSpec };
  status?: WorkloadStatus;
}

const containers = (template: PodTemplateSpec | undefined): NonNullable<PodTemplateSpec['spec']['containers']> =>
  template?.spec?.containers ?? [];
const namesOf = (template: PodTemplateSpec | undefined): string =>
  containers(template)
    .map((container) => container.name)
    .join(',');
const imagesOf = (template: PodTemplateSpec | undefined): string =>
  containers(template)
    .map((container) => container.image ?? '')
    .join(',');

/** ReplicationControllers. */
export const replicationControllers = (): ResourceDef =>
  defineKind({
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    categories: ['all'],
    status: true,
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    },
    traits: {
      generation: 'spec',
      defaultPropagation: 'Orphan',
      statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
    },
    columns: [
      nameColumn,
      column<Controller>('Desired', ({ spec }) => spec?.replicas ?? 0, { type: 'integer' }),
      column<Controller>('Current', ({ status }) => status?.replicas ?? 0, { type: 'integer' }),
      column<Controller>('Ready', ({ status }) => status?.readyReplicas ?? 0, { type: 'integer' }),
      ageColumn,
      column<Controller>('Containers', ({ spec }) => namesOf(spec?.template), { wide: true }),
      column<Controller>('Images', ({ spec }) => imagesOf(spec?.template), { wide: true }),
      column<Controller>('Selector', ({ spec }) => formatLabels(spec?.selector), { wide: true }),
    ],
    fields: { 'status.replicas': (object) => String((object as Controller).status?.replicas ?? 0) },
    behaviour: {
      defaults: (object) => {
        const { spec, metadata } = object as Controller;
        defaultPodSpec(spec?.template?.spec);
        if (spec) spec.replicas ??= 1;
        const labels = spec?.template?.metadata?.labels;
        if (!spec || !labels) return;
        if (!Object.keys(spec.selector ?? {}).length) spec.selector = { ...labels };
        if (metadata && !Object.keys(metadata.labels ?? {}).length) metadata.labels = { ...labels };
      },
      validate: (object) => {
        const { spec = {} } = object as Controller;
        const labels = spec.template?.metadata?.labels;
        const errors = checkCount('spec.replicas', spec.replicas);
        if (!spec.selector || !Object.keys(spec.selector).length)
          errors.push({ type: 'FieldValueRequired', field: 'spec.selector', message: 'Required value' });
        if (!spec.template)
          errors.push({ type: 'FieldValueRequired', field: 'spec.template', message: 'Required value' });
        else if (spec.selector && !matchesSelector({ matchLabels: spec.selector }, labels)) {
          errors.push(
            invalidValue(
              'spec.template.metadata.labels',
              labels ?? null,
              '`selector` does not match template `labels`',
            ),
          );
        }
        return [...errors, ...checkTemplate(spec.template, 'spec.template', ['Always'])];
      },
    },
  });

interface Template extends KubeObject {
  template?: PodTemplateSpec;
}

/** PodTemplates. */
export const podTemplates = (): ResourceDef =>
  defineKind({
    kind: 'PodTemplate',
    plural: 'podtemplates',
    traits: { generation: 'non-metadata', deleteAnswer: 'object' },
    columns: [
      nameColumn,
      column<Template>('Containers', ({ template }) => namesOf(template)),
      column<Template>('Images', ({ template }) => imagesOf(template)),
      column<Template>('Pod Labels', ({ template }) => formatLabels(template?.metadata?.labels)),
    ],
    behaviour: {
      defaults: (object) => defaultPodSpec((object as Template).template?.spec),
      validate: (object) => checkTemplate((object as Template).template, 'template', ['Always', 'OnFailure', 'Never']),
    },
  });
