import { isDeepStrictEqual } from 'node:util';
import {
  Client,
  Controller,
  type Draft,
  For,
  Owns,
  type Reconciler,
  type Request,
  Result,
  setControllerReference,
  type Wire,
} from 'kubewright';
import { V1Pod } from 'kubewright/kinds';
import { PodSet } from './podset.js';

/** Keeps as many Pods running as a PodSet asks for: one step per run, the next event brings it back. */
@Controller({ maxConcurrentReconciles: 4 })
@For(PodSet)
@Owns(V1Pod)
export class PodSetController implements Reconciler {
  constructor(private readonly client: Client) {}

  async reconcile(request: Request): Promise<Result> {
    const podSet = await this.client.find(PodSet, request);
    if (!podSet || podSet.metadata.deletionTimestamp) return Result.done();

    // From the cache, by index, own writes included: counting straight after a create is safe.
    const pods = (await this.client.list(V1Pod, { ownedBy: podSet }))
      .filter((pod) => !pod.metadata.deletionTimestamp)
      .sort(byCreationThenName);
    const podNames = pods.map((pod) => pod.metadata.name).sort();
    if (!isDeepStrictEqual(podSet.status?.podNames ?? [], podNames))
      await this.client.status(podSet).patch({ podNames });

    const surplus = pods.length - podSet.spec.replicas;
    const youngest = pods.at(-1);
    if (surplus > 0 && youngest) await this.client.delete(youngest);
    if (surplus < 0) await this.client.create(busyboxPod(podSet));
    return Result.done();
  }
}

/** A Pod of the PodSet that sleeps; the server completes its name. */
export function busyboxPod(podSet: Wire<PodSet>): Draft<V1Pod> {
  const { name, namespace } = podSet.metadata;
  const pod: Draft<V1Pod> = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: `${name}-pod`, ...(namespace !== undefined && { namespace }), labels: { app: name } },
    spec: { containers: [{ name: 'busybox', image: 'busybox', command: ['sleep', '3600'] }] },
  };
  return setControllerReference(podSet, pod);
}

function byCreationThenName(a: Wire<V1Pod>, b: Wire<V1Pod>): number {
  const [left, right] = [a, b].map((pod) => `${pod.metadata.creationTimestamp}/${pod.metadata.name}`) as [
    string,
    string,
  ];
  return left < right ? -1 : left > right ? 1 : 0;
}
