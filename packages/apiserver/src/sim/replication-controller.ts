import { jsonEqual } from '../core/json.js';
import type { KubeObject } from '../core/types.js';
import { matchesSelector } from '../kinds/label-rules.js';
import type { Condition, Pod, PodTemplateSpec, WorkloadStatus } from '../kinds/shapes.js';
import { timestamp } from '../core/clock.js';
import { isStatusError } from '../core/errors.js';
import { Actor, controllerReference, PODS } from './actor.js';
import { conditionOf, withConditions } from './conditions.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';
import { byDispensability, isActive, podFromTemplate } from './pod-owner.js';

const CONTROLLERS = { group: '', plural: 'replicationcontrollers' };
/** How long a controller waits after a Pod was refused, in ms. */
const RETRY_MS = 5_000;

interface Controller extends KubeObject {
  spec: { replicas?: number; selector?: Record<string, string>; template: PodTemplateSpec };
  status: WorkloadStatus;
}

const selects = ({ spec }: Controller, pod: Pod): boolean =>
  matchesSelector({ matchLabels: spec.selector ?? {} }, pod.metadata.labels);
const isReady = (pod: Pod): boolean => conditionOf(pod.status.conditions, 'Ready')?.status === 'True';

/** Keeps as many Pods as a ReplicationController asks for. */
export function startReplicationController(context: SimContext): SimLoop {
  const controllers = context.mirror<Controller>('replicationcontrollers');
  const pods = context.mirror<Pod>('pods');
  const actor = new Actor(context.semantics.objects, 'replicationcontroller');

  const adopt = async (controller: Controller): Promise<void> => {
    for (const pod of pods.orphans(controller.metadata.namespace)) {
      if (!isActive(pod) || !selects(controller, pod)) continue;
      const owners = [...(pod.metadata.ownerReferences ?? []), controllerReference(controller)];
      await actor.update(PODS, pod, { metadata: { ...pod.metadata, ownerReferences: owners } });
    }
    for (const pod of pods.controlledBy(controller.metadata.uid)) {
      if (pod.metadata.deletionTimestamp || selects(controller, pod)) continue;
      const owners = (pod.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== controller.metadata.uid);
      await actor.update(PODS, pod, { metadata: { ...pod.metadata, ownerReferences: owners } });
    }
  };

  const adjust = async (controller: Controller): Promise<Condition | undefined> => {
    const active = pods.controlledBy(controller.metadata.uid).filter(isActive);
    const wanted = controller.spec.replicas ?? 1;
    try {
      for (let missing = wanted - active.length; missing > 0; missing--)
        await actor.create(PODS, podFromTemplate(controller, controller.spec.template));
    } catch (error) {
      if (!isStatusError(error) || error.code === 409) throw error;
      return { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: error.message };
    }
    const surplus = Math.max(0, active.length - wanted);
    for (const pod of [...active].sort(byDispensability).slice(0, surplus)) await actor.delete(PODS, pod);
    return undefined;
  };

  const statusOf = (controller: Controller, failure: Condition | undefined): WorkloadStatus => {
    const counted = pods.controlledBy(controller.metadata.uid).filter(isActive);
    const ready = counted.filter(isReady).length;
    const labels = controller.spec.template.metadata?.labels ?? {};
    const labelled = counted.filter((pod) => matchesSelector({ matchLabels: labels }, pod.metadata.labels)).length;
    const known = controller.status.conditions ?? [];
    const conditions = failure
      ? withConditions(known, [failure], timestamp(context.clock.now()))
      : known.filter((condition) => condition.type !== 'ReplicaFailure');
    return {
      replicas: counted.length,
      ...(labelled ? { fullyLabeledReplicas: labelled } : {}),
      ...(ready ? { readyReplicas: ready, availableReplicas: ready } : {}),
      observedGeneration: controller.metadata.generation ?? 0,
      ...(conditions.length ? { conditions } : {}),
    };
  };

  const work = async (key: string): Promise<number | undefined> => {
    const controller = controllers.get(key);
    if (!controller) return undefined;
    let failure: Condition | undefined;
    if (!controller.metadata.deletionTimestamp) {
      await adopt(controller);
      failure = await adjust(controller);
    }
    const live = controllers.get(key);
    if (!live || live.metadata.uid !== controller.metadata.uid) return undefined;
    const status = statusOf(live, failure);
    if (!jsonEqual(status, live.status)) await actor.updateStatus(CONTROLLERS, live, status);
    return failure && RETRY_MS;
  };

  const loop = new SimLoop({ name: 'replicationcontroller', clock: context.clock, work });
  controllers.each((controller) => loop.add(keyOfObject(controller)));
  const concern = (pod: Pod): void => {
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller);
    if (owner?.kind === 'ReplicationController') loop.add(`${pod.metadata.namespace}/${owner.name}`);
    if (owner) return;
    for (const controller of controllers.in(pod.metadata.namespace))
      if (selects(controller, pod)) loop.add(keyOfObject(controller));
  };
  pods.each((pod, event) => {
    concern(pod);
    if (event?.previous) concern(event.previous as Pod);
  });
  return loop;
}
