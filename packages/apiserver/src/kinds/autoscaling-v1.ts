import { jsonCopy } from '../core/json.js';
import type { JsonObject, JsonValue, KubeObject } from '../core/types.js';

/** HorizontalPodAutoscalers of autoscaling/v1, which know no metric but the share of CPU. */

interface Metric {
  type?: string;
  resource?: {
    name?: string;
    target?: { type?: string; averageUtilization?: number };
    current?: { averageUtilization?: number };
  };
}

const isCpu = ({ type, resource }: Metric): boolean => type === 'Resource' && resource?.name === 'cpu';

/** Where the metrics that v1 has no field for are kept, so that a write through v1 does not lose them. */
const OTHERS = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';

interface Loose extends KubeObject {
  spec: JsonObject;
  status?: JsonObject;
}

function keep(metadata: KubeObject['metadata'], name: string, value: unknown): void {
  if (value === undefined || (Array.isArray(value) && !value.length)) return;
  metadata.annotations = { ...metadata.annotations, [name]: JSON.stringify(value) };
}

function taken(metadata: KubeObject['metadata'], name: string): JsonValue | undefined {
  const text = metadata.annotations?.[name];
  if (text === undefined) return undefined;
  const { [name]: _, ...rest } = metadata.annotations ?? {};
  if (Object.keys(rest).length) metadata.annotations = rest;
  else delete metadata.annotations;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The v1 form of a v2 object. */
export function toV1(object: KubeObject): KubeObject {
  const next = jsonCopy(object) as Loose;
  const { metrics, behavior, ...spec } = next.spec as JsonObject & { metrics?: unknown };
  const all = (metrics ?? []) as Metric[];
  const target = all.find(isCpu)?.resource?.target?.averageUtilization;
  keep(
    next.metadata,
    OTHERS,
    all.filter((metric) => !isCpu(metric)),
  );
  keep(next.metadata, BEHAVIOR, behavior);
  next.spec = { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) };
  const { currentMetrics, conditions, ...status } = (next.status ?? {}) as JsonObject & { currentMetrics?: unknown };
  keep(next.metadata, CONDITIONS, conditions);
  const current = ((currentMetrics ?? []) as Metric[]).find(isCpu)?.resource?.current?.averageUtilization;
  next.status = {
    currentReplicas: 0,
    ...status,
    ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
  };
  next.apiVersion = 'autoscaling/v1';
  return next;
}

/** The v2 form of a v1 object. */
export function toV2(object: KubeObject): KubeObject {
  const next = jsonCopy(object) as Loose;
  const { targetCPUUtilizationPercentage: target, ...spec } = next.spec;
  const others = (taken(next.metadata, OTHERS) ?? []) as unknown as Metric[];
  const behavior = taken(next.metadata, BEHAVIOR);
  const cpu = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } },
  };
  const metrics = target === undefined ? others : [...others, cpu];
  next.spec = { ...spec, ...(metrics.length ? { metrics } : {}), ...(behavior ? { behavior } : {}) } as JsonObject;
  const { currentCPUUtilizationPercentage: current, ...status } = next.status ?? {};
  // v1 writes this count even when it is 0, v2 does not.
  if (status.currentReplicas === 0) delete status.currentReplicas;
  const conditions = taken(next.metadata, CONDITIONS);
  const measured = { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } };
  next.status = {
    ...status,
    currentMetrics: current === undefined ? null : [measured],
    ...(conditions ? { conditions } : {}),
  } as JsonObject;
  next.apiVersion = 'autoscaling/v2';
  return next;
}
