import { forbiddenField, invalidValue, required } from '../core/errors.js';
import type {
  Decoded,
  FieldError,
  JsonObject,
  KubeObject,
  ResourceDef,
  ResourceVersion,
  Strategy,
  TypingNode,
  WriteContext,
} from '../core/types.js';
import { builtinSchema } from '../schema/builtin.js';
import { toV1, toV2 } from './autoscaling-v1.js';
import { ageColumn, column, nameColumn } from './columns.js';
import { defineKind } from './define.js';
import { BuiltinStrategy } from './strategy.js';

/** HorizontalPodAutoscalers: stored, nothing is scaled. */

interface Metric {
  type?: string;
  resource?: { name?: string; target?: { type?: string; averageUtilization?: number; averageValue?: string } };
}

interface ScalingRules {
  selectPolicy?: string;
  stabilizationWindowSeconds?: number;
  policies?: { type: string; value: number; periodSeconds: number }[];
}

interface Autoscaler extends KubeObject {
  spec: {
    minReplicas?: number;
    maxReplicas?: number;
    scaleTargetRef?: { apiVersion?: string; kind?: string; name?: string };
    metrics?: Metric[];
    behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
  };
  status?: {
    currentReplicas?: number;
    currentMetrics?: { resource?: { current?: { averageUtilization?: number } } }[] | null;
  };
}

function targets({ spec, status }: Autoscaler): string {
  const all = (spec.metrics ?? []).map((metric, i) => {
    const target = metric.resource?.target;
    const current = status?.currentMetrics?.[i]?.resource?.current?.averageUtilization;
    const shown = current === undefined ? '<unknown>' : `${current}%`;
    const wanted =
      target?.averageUtilization === undefined ? (target?.averageValue ?? '<auto>') : `${target.averageUtilization}%`;
    return `${metric.resource?.name ?? metric.type ?? ''}: ${shown}/${wanted}`;
  });
  const more = all.length - 2;
  return all.length ? all.slice(0, 2).join(', ') + (more > 0 ? ` + ${more} more...` : '') : '<none>';
}

function setDefaults(object: KubeObject): void {
  const { spec } = object as Autoscaler;
  if (!spec) return;
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length) {
    spec.metrics = [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ];
  }
  const { behavior } = spec;
  if (!behavior) return;
  const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
    ...behavior.scaleUp,
  };
  behavior.scaleDown = { selectPolicy: 'Max', policies: [percent], ...behavior.scaleDown };
}

function validate(object: KubeObject): FieldError[] {
  const { minReplicas = 1, maxReplicas = 0 } = (object as Autoscaler).spec;
  const errors: FieldError[] = [];
  const { metrics = [], scaleTargetRef } = (object as Autoscaler).spec;
  if (minReplicas < 0) errors.push(invalidValue('spec.minReplicas', minReplicas, 'must be greater than or equal to 0'));
  if (minReplicas === 0 && !metrics.some((metric) => metric.type === 'Object' || metric.type === 'External')) {
    errors.push(
      forbiddenField(
        'spec.metrics',
        'must specify at least one Object or External metric to support scaling to zero replicas',
      ),
    );
  }
  const version = scaleTargetRef?.apiVersion ?? '';
  if (!version)
    errors.push(invalidValue('spec.scaleTargetRef.apiVersion', version, 'apiVersion must specify API group'));
  if (!maxReplicas) errors.push(required('spec.maxReplicas'));
  if (maxReplicas < minReplicas)
    errors.push(invalidValue('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'));
  return errors;
}

const IDENTITY = { group: 'autoscaling', kind: 'HorizontalPodAutoscaler', resetsStatus: true } as const;

/** Two versions of one kind: each request is decoded and checked at its own, v2 is stored. */
class AutoscalerStrategy implements Strategy {
  readonly #v2 = new BuiltinStrategy({ ...IDENTITY, version: 'v2' }, { defaults: setDefaults, validate });
  readonly #v1 = new BuiltinStrategy(
    { ...IDENTITY, version: 'v1' },
    {
      defaults: (object) => {
        const { spec } = object as Autoscaler;
        if (spec) spec.minReplicas ??= 1;
      },
      // Whatever v1 says is checked in the form that is stored.
      validate: (object) => validate(toV2(object)),
    },
  );

  #at(version: string): BuiltinStrategy {
    return version.endsWith('v1') ? this.#v1 : this.#v2;
  }

  decode(body: JsonObject, version: ResourceVersion): Decoded {
    return this.#at(version.name).decode(body);
  }

  defaultInPlace(object: KubeObject, version: ResourceVersion): void {
    this.#at(version.name).defaultInPlace(object);
  }

  convert(object: KubeObject, to: string): KubeObject {
    if (object.apiVersion === `autoscaling/${to}`) return object;
    if (to === 'v1') return toV1(object);
    const converted = toV2(object);
    setDefaults(converted);
    return converted;
  }

  prepareForCreateInPlace(object: KubeObject, context: WriteContext): void {
    this.#at(object.apiVersion).prepareForCreateInPlace(object, context);
  }

  prepareForUpdateInPlace(next: KubeObject, old: KubeObject, context: WriteContext): void {
    this.#at(next.apiVersion).prepareForUpdateInPlace(next, old, context);
  }

  validateCreate(object: KubeObject): FieldError[] {
    return this.#at(object.apiVersion).validateCreate(object);
  }

  validateUpdate(next: KubeObject, old: KubeObject, context: WriteContext): FieldError[] {
    return this.#at(next.apiVersion).validateUpdate(next, old, context);
  }

  typing(version: ResourceVersion): TypingNode {
    return this.#at(version.name).typing();
  }
}

/** HorizontalPodAutoscalers of both versions. */
export function horizontalPodAutoscalers(): ResourceDef {
  const made = defineKind({
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    status: true,
    traits: { generation: 'spec', statusMetadata: ['labels', 'annotations', 'finalizers', 'ownerReferences'] },
    columns: [
      nameColumn,
      column<Autoscaler>(
        'Reference',
        ({ spec }) => `${spec.scaleTargetRef?.kind ?? ''}/${spec.scaleTargetRef?.name ?? ''}`,
      ),
      column<Autoscaler>('Targets', targets),
      column<Autoscaler>('MinPods', ({ spec }) => String(spec.minReplicas ?? '<unset>')),
      column<Autoscaler>('MaxPods', ({ spec }) => spec.maxReplicas ?? 0),
      column<Autoscaler>('Replicas', ({ status }) => status?.currentReplicas ?? 0),
      ageColumn,
    ],
    strategy: new AutoscalerStrategy(),
  });
  const [v2] = made.versions;
  if (!v2) return made;
  const columns = v2.columns.map((shown) => ({
    ...shown,
    cell: (object: KubeObject, now: number) => shown.cell(asV2(object), now),
  }));
  const v1: ResourceVersion = {
    ...v2,
    name: 'v1',
    schema: builtinSchema('autoscaling/v1', 'HorizontalPodAutoscaler'),
    columns,
  };
  // Subresources are those of whichever version is asked.
  const subresources = made.subresources.map((info) => ({ ...info, group: '' }));
  return { ...made, subresources, versions: [v2, v1] };
}

const asV2 = (object: KubeObject): KubeObject => (object.apiVersion === 'autoscaling/v1' ? toV2(object) : object);
