import { timestamp } from '../core/clock.js';
import { jsonCopy, jsonEqual } from '../core/json.js';
import type { Condition, Workload, WorkloadStatus } from '../kinds/shapes.js';
import { Actor, controllerReference, DEPLOYMENTS, REPLICA_SETS } from './actor.js';
import { conditionOf, withConditions } from './conditions.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';
import { limitsOf, replicasOf, rollingStep, sum } from './rollout.js';
import { HASH_LABEL, sameTemplate, templateHash } from './template-hash.js';

const REVISION = 'deployment.kubernetes.io/revision';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
/** Annotations of a Deployment that its ReplicaSets do not take over. */
const OWN = ['kubectl.kubernetes.io/last-applied-configuration', REVISION, DESIRED, MAX];

const revisionOf = (set: Workload): number => Number(set.metadata.annotations?.[REVISION] ?? 0) || 0;
const byAge = (a: Workload, b: Workload): number =>
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '') ||
  revisionOf(a) - revisionOf(b);

/** Rolls Deployments out over ReplicaSets (SI-4). */
class DeploymentController {
  readonly #context: SimContext;
  readonly #actor: Actor;

  constructor(context: SimContext) {
    this.#context = context;
    this.#actor = new Actor(context.semantics.objects, 'deployment');
  }

  get #now(): string {
    return timestamp(this.#context.clock.now());
  }

  #sets(deployment: Workload): Workload[] {
    return this.#context.mirror<Workload>('replicasets.apps').controlledBy(deployment.metadata.uid).sort(byAge);
  }

  #live(deployment: Workload): Workload | undefined {
    const live = this.#context.mirror<Workload>('deployments.apps').get(keyOfObject(deployment));
    return live?.metadata.uid === deployment.metadata.uid ? live : undefined;
  }

  async work(key: string): Promise<undefined> {
    const deployment = this.#context.mirror<Workload>('deployments.apps').get(key);
    if (!deployment) return;
    if (deployment.metadata.deletionTimestamp) return this.#report(deployment);
    const found = this.#sets(deployment);
    let current = found.find((set) => sameTemplate(set.spec.template, deployment.spec.template));
    const old = found.filter((set) => set !== current);
    const { strategy, paused } = deployment.spec;
    if (!paused) {
      if (!current && strategy?.type === 'Recreate' && old.some((set) => replicasOf(set) || set.status.replicas)) {
        await this.#scaleAll(old, 0);
        return this.#report(deployment);
      }
      current = current ? await this.#renumber(deployment, current, old) : await this.#createSet(deployment, old);
    }
    await this.#scale(deployment, current, old);
    await this.#cleanUp(deployment, old);
    return this.#report(deployment);
  }

  /** The current set has the highest revision, also when an older template came back (undo). */
  async #renumber(deployment: Workload, current: Workload, old: readonly Workload[]): Promise<Workload> {
    const highest = Math.max(0, ...old.map(revisionOf));
    const revision = revisionOf(current) > highest ? revisionOf(current) : highest + 1;
    const annotations = { ...current.metadata.annotations, ...this.#annotations(deployment, revision) };
    if (jsonEqual(annotations, current.metadata.annotations)) return current;
    return (await this.#actor.merge(REPLICA_SETS, current, { metadata: { annotations } })) as Workload;
  }

  #annotations(deployment: Workload, revision: number): Record<string, string> {
    const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !OWN.includes(key));
    const wanted = deployment.spec.replicas ?? 1;
    const most = wanted + limitsOf(deployment).surge;
    return { ...Object.fromEntries(own), [REVISION]: `${revision}`, [DESIRED]: `${wanted}`, [MAX]: `${most}` };
  }

  async #createSet(deployment: Workload, old: readonly Workload[]): Promise<Workload | undefined> {
    const { name = '', namespace = '' } = deployment.metadata;
    const hash = templateHash(deployment.spec.template);
    const template = jsonCopy(deployment.spec.template);
    template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, [HASH_LABEL]: hash } };
    const selector = jsonCopy(deployment.spec.selector ?? {});
    selector.matchLabels = { ...selector.matchLabels, [HASH_LABEL]: hash };
    const revision = Math.max(0, ...old.map(revisionOf)) + 1;
    const wanted = deployment.spec.replicas ?? 1;
    const room = wanted + limitsOf(deployment).surge - sum(old, replicasOf);
    const set = await this.#actor.ensure(REPLICA_SETS, {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...template.metadata.labels },
        annotations: this.#annotations(deployment, revision),
        ownerReferences: [controllerReference(deployment)],
      },
      spec: {
        replicas: Math.max(0, Math.min(wanted, room)),
        selector,
        template,
        ...(deployment.spec.minReadySeconds ? { minReadySeconds: deployment.spec.minReadySeconds } : {}),
      },
    });
    return set as Workload | undefined;
  }

  async #scale(deployment: Workload, current: Workload | undefined, old: readonly Workload[]): Promise<void> {
    const wanted = deployment.spec.replicas ?? 1;
    if (deployment.spec.paused || !current) {
      // A paused Deployment rolls nothing out, but its size still counts.
      const target = current ?? old.at(-1);
      if (
        target &&
        replicasOf(target) !== wanted &&
        [current, ...old].filter((set) => set && replicasOf(set)).length <= 1
      ) {
        await this.#resize(target, wanted);
      }
      return;
    }
    if (deployment.spec.strategy?.type === 'Recreate') {
      await this.#scaleAll(old, 0);
      if (replicasOf(current) !== wanted) await this.#resize(current, wanted);
      return;
    }
    for (const [set, replicas] of rollingStep(deployment, current, old)) await this.#resize(set, replicas);
  }

  async #scaleAll(sets: readonly Workload[], replicas: number): Promise<void> {
    for (const set of sets) if (replicasOf(set) !== replicas) await this.#resize(set, replicas);
  }

  async #resize(set: Workload, replicas: number): Promise<void> {
    await this.#actor.merge(REPLICA_SETS, set, { spec: { replicas } });
  }

  async #cleanUp(deployment: Workload, old: readonly Workload[]): Promise<void> {
    const keep = deployment.spec.revisionHistoryLimit ?? 10;
    const done = old.filter((set) => !replicasOf(set) && !set.status.replicas && !set.metadata.deletionTimestamp);
    const surplus = old.length - keep;
    for (const set of done.slice(0, Math.max(0, surplus))) await this.#actor.delete(REPLICA_SETS, set);
  }

  async #report(deployment: Workload): Promise<undefined> {
    const live = this.#live(deployment);
    if (!live) return;
    const sets = this.#sets(live);
    const current = sets.find((set) => sameTemplate(set.spec.template, live.spec.template));
    const status = this.#status(live, { sets, current });
    const revision = current && revisionOf(current);
    const marked = revision === undefined || revisionOf(live) === revision;
    if (marked && jsonEqual(status, live.status)) return;
    // The revision goes through /status, which takes annotations and leaves the generation as it is.
    const { metadata } = live;
    const annotations = marked ? metadata.annotations : { ...metadata.annotations, [REVISION]: `${revision}` };
    await this.#actor.updateStatus(
      DEPLOYMENTS,
      { ...live, metadata: { ...metadata, ...(annotations ? { annotations } : {}) } },
      status,
    );
  }

  #status(
    deployment: Workload,
    { sets, current }: { sets: readonly Workload[]; current: Workload | undefined },
  ): WorkloadStatus {
    const wanted = deployment.spec.replicas ?? 1;
    const total = sum(sets, (set) => set.status.replicas ?? 0);
    const available = sum(sets, (set) => set.status.availableReplicas ?? 0);
    const counts: WorkloadStatus = {
      replicas: total,
      updatedReplicas: current?.status.replicas ?? 0,
      readyReplicas: sum(sets, (set) => set.status.readyReplicas ?? 0),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, sum(sets, replicasOf) - available),
    };
    const status: WorkloadStatus = {
      observedGeneration: deployment.metadata.generation ?? 0,
      terminatingReplicas: sum(sets, (set) => set.status.terminatingReplicas ?? 0),
    };
    for (const [key, value] of Object.entries(counts) as [keyof typeof counts, number][])
      if (value) Object.assign(status, { [key]: value });
    const complete = counts.updatedReplicas === wanted && total === wanted && available === wanted;
    status.conditions = this.#conditions(deployment, {
      current,
      complete,
      enough: available >= wanted - limitsOf(deployment).unavailable,
    });
    return status;
  }

  #conditions(
    deployment: Workload,
    state: { current: Workload | undefined; complete: boolean; enough: boolean },
  ): Condition[] {
    const known = deployment.status.conditions;
    const set: Condition[] = [
      state.enough
        ? {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          }
        : {
            type: 'Available',
            status: 'False',
            reason: 'MinimumReplicasUnavailable',
            message: 'Deployment does not have minimum availability.',
          },
    ];
    const progress = this.#progress(deployment, state);
    if (progress) set.push(progress);
    const failure = conditionOf(state.current?.status.conditions, 'ReplicaFailure');
    if (failure) set.push(failure);
    const now = this.#now;
    const kept = failure ? known : known?.filter((condition) => condition.type !== 'ReplicaFailure');
    return withConditions(kept, set, now).map((condition) => {
      const before = conditionOf(known, condition.type);
      const same =
        before &&
        before.status === condition.status &&
        before.reason === condition.reason &&
        before.message === condition.message;
      return { ...condition, lastUpdateTime: same ? (before.lastUpdateTime ?? now) : now };
    });
  }

  #progress(
    deployment: Workload,
    { current, complete }: { current: Workload | undefined; complete: boolean },
  ): Condition | undefined {
    if (deployment.spec.paused) {
      return { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' };
    }
    if (!current) return undefined;
    const name = JSON.stringify(current.metadata.name);
    const message = complete ? `ReplicaSet ${name} has successfully progressed.` : `ReplicaSet ${name} is progressing.`;
    const reason = complete ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated';
    return { type: 'Progressing', status: 'True', reason, message };
  }
}

/** Starts the Deployment controller. */
export function startDeployment(context: SimContext): SimLoop {
  const controller = new DeploymentController(context);
  const loop = new SimLoop({ name: 'deployment', clock: context.clock, work: (key) => controller.work(key) });
  context.mirror<Workload>('deployments.apps').each((deployment) => loop.add(keyOfObject(deployment)));
  context.mirror<Workload>('replicasets.apps').each((set) => {
    const owner = set.metadata.ownerReferences?.find(
      (reference) => reference.controller && reference.kind === 'Deployment',
    );
    if (owner) loop.add(`${set.metadata.namespace}/${owner.name}`);
  });
  return loop;
}
