import { forbiddenField, invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, ResourceDef } from '../core/types.js';
import { ageColumn, column, createdColumn, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { checkLabelName, checkQualified, checkShare, NOT_NEGATIVE } from './label-rules.js';
import { compareQuantities } from './quantity.js';

/** Quotas, limits, disruption budgets, priorities, runtime classes: stored and shown, not enforced. */

interface Quota extends KubeObject {
  spec?: { hard?: Record<string, string> };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

function quotaText({ status }: Quota, limits: boolean): string {
  const hard = status?.hard ?? {};
  const names = Object.keys(hard)
    .filter((name) => name.startsWith('limits') === limits)
    .sort();
  return names.map((name) => `${name}: ${status?.used?.[name] ?? '0'}/${hard[name]}`).join(', ');
}

/** Names a quota may limit without a prefix. */
const QUOTA =
  /^((requests\.|limits\.)?(cpu|memory|ephemeral-storage|hugepages-.+)|requests\.storage|pods|services(\.(nodeports|loadbalancers))?|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims)$/;

/** ResourceQuotas. */
export const resourceQuotas = (): ResourceDef =>
  defineKind({
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    status: true,
    traits: { deleteAnswer: 'object', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<Quota>('Request', (quota) => quotaText(quota, false)),
      column<Quota>('Limit', (quota) => quotaText(quota, true)),
      ageColumn,
    ],
    behaviour: {
      validate: (object) =>
        Object.entries((object as Quota).spec?.hard ?? {}).flatMap(([name, amount]) => {
          const at = `spec.hard[${name}]`;
          const errors = compareQuantities(amount, '0') < 0 ? [invalidValue(at, amount, NOT_NEGATIVE)] : [];
          if (name.includes('/') || QUOTA.test(name)) return errors;
          errors.push(invalidValue(at, name, 'must be a standard resource type or fully qualified'));
          return [...errors, invalidValue(at, name, 'must be a standard resource for quota')];
        }),
    },
  });

interface LimitRange extends KubeObject {
  spec?: {
    limits?:
      | {
          type?: string;
          default?: Record<string, string>;
          defaultRequest?: Record<string, string>;
          min?: Record<string, string>;
          max?: Record<string, string>;
        }[]
      | null;
  };
}

type Limit = NonNullable<NonNullable<NonNullable<LimitRange['spec']>['limits']>[number]>;

function checkLimit(item: Limit, i: number): FieldError[] {
  const at = `spec.limits[${i}]`;
  const errors = item.type
    ? checkQualified(`${at}.type`, item.type)
    : [invalidValue(`${at}.type`, '', 'name part must be non-empty')];
  for (const [name, min] of Object.entries(item.min ?? {})) {
    const over = (list: string, noun: string, value: string | undefined, shown: string | undefined): void => {
      if (value === undefined || compareQuantities(min, value) <= 0) return;
      errors.push(
        invalidValue(`${at}.${list}[${name}]`, shown, `min value ${min} is greater than ${noun} value ${value}`),
      );
    };
    over('min', 'max', item.max?.[name], min);
    over('defaultRequest', 'default request', item.defaultRequest?.[name], item.defaultRequest?.[name]);
    over('default', 'default', item.default?.[name], min);
  }
  return errors;
}

/** LimitRanges. */
export const limitRanges = (): ResourceDef =>
  defineKind({
    kind: 'LimitRange',
    plural: 'limitranges',
    shortNames: ['limits'],
    traits: { createOnUpdate: true },
    columns: [nameColumn, createdColumn],
    behaviour: {
      defaults: (object) => {
        for (const item of (object as LimitRange).spec?.limits ?? []) {
          if (item.type !== 'Container') continue;
          const limits = { ...item.max, ...item.default };
          const requests = { ...item.min, ...limits, ...item.defaultRequest };
          if (Object.keys(limits).length) item.default = limits;
          if (Object.keys(requests).length) item.defaultRequest = requests;
        }
      },
      checkedHere: /\.type$/,
      validate: (object) => ((object as LimitRange).spec?.limits ?? []).flatMap(checkLimit),
    },
  });

interface Budget extends KubeObject {
  spec?: {
    minAvailable?: number | string;
    maxUnavailable?: number | string;
    selector?: unknown;
    unhealthyPodEvictionPolicy?: string;
  };
  status?: { disruptionsAllowed?: number };
}

/** PodDisruptionBudgets. */
export const podDisruptionBudgets = (): ResourceDef =>
  defineKind({
    group: 'policy',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    status: true,
    traits: {
      generation: 'spec',
      unconditionalUpdate: false,
      statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'],
    },
    columns: [
      nameColumn,
      column<Budget>('Min Available', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
      column<Budget>('Max Unavailable', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
      column<Budget>('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed ?? 0, { type: 'integer' }),
      ageColumn,
    ],
    behaviour: {
      validate: (object) => {
        const { spec = {} } = object as Budget;
        const shares = [
          ...checkShare('spec.minAvailable', spec.minAvailable, true),
          ...checkShare('spec.maxUnavailable', spec.maxUnavailable, true),
        ];
        if (spec.minAvailable === undefined || spec.maxUnavailable === undefined) return shares;
        // Shown in the form of the server's internal type.
        const shown = {
          MinAvailable: spec.minAvailable,
          Selector: spec.selector ?? null,
          MaxUnavailable: spec.maxUnavailable,
          UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
        };
        return [...shares, invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set')];
      },
    },
  });

interface PriorityClass extends KubeObject {
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}

const SYSTEM = ['system-cluster-critical', 'system-node-critical'];

/** PriorityClasses. */
export const priorityClasses = (): ResourceDef =>
  defineKind({
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    shortNames: ['pc'],
    namespaced: false,
    traits: { generation: 'spec' },
    columns: [
      nameColumn,
      column<PriorityClass>('Value', (pc) => pc.value ?? 0, { type: 'integer' }),
      column<PriorityClass>('Global-Default', (pc) => pc.globalDefault ?? false, { type: 'boolean' }),
      ageColumn,
      column<PriorityClass>('PreemptionPolicy', (pc) => pc.preemptionPolicy ?? ''),
    ],
    behaviour: {
      defaults: (object) => {
        (object as PriorityClass).preemptionPolicy ??= 'PreemptLowerPriority';
      },
      validate: (object) => {
        const { value = 0, metadata } = object as PriorityClass;
        const errors: FieldError[] = [];
        if (metadata.name?.startsWith('system-') && !SYSTEM.includes(metadata.name)) {
          const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${metadata.name} is not a known system priority class`;
          errors.push(forbiddenField('metadata.name', why));
        }
        if (value > 1_000_000_000 && !metadata.name?.startsWith('system-')) {
          errors.push(forbiddenField('value', 'maximum allowed value of a user defined priority is 1000000000'));
        }
        return errors;
      },
      validateUpdate: (next, old) => {
        const errors: FieldError[] = [];
        if (next.value !== old.value) errors.push(forbiddenField('value', 'may not be changed in an update.'));
        if (next.preemptionPolicy !== old.preemptionPolicy)
          errors.push(invalidValue('preemptionPolicy', next.preemptionPolicy, 'field is immutable'));
        return errors;
      },
    },
  });

/** RuntimeClasses. */
export const runtimeClasses = (): ResourceDef =>
  defineKind({
    group: 'node.k8s.io',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    namespaced: false,
    traits: { createOnUpdate: true, unconditionalUpdate: false },
    columns: [
      nameColumn,
      column<KubeObject & { handler?: string }>('Handler', ({ handler }) => handler ?? ''),
      ageColumn,
    ],
    behaviour: {
      validate: (object) => checkLabelName('handler', object.handler as string | undefined),
      validateUpdate: (next, old) =>
        next.handler === old.handler ? [] : [invalidValue('handler', null, 'field is immutable')],
    },
  });
