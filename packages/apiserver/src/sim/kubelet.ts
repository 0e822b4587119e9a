import { timestamp } from '../core/clock.js';
import type { KubeObject } from '../core/types.js';
import type { Condition, Container, ContainerStatus, Pod, PodStatus } from '../kinds/shapes.js';
import { Actor, PODS } from './actor.js';
import { withConditions } from './conditions.js';
import type { SimContext } from './context.js';
import { pickDelay, SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';

/** Annotations that make a Pod fail on purpose (SI-3). */
const PHASE = 'embedded/phase';
const EXIT_CODE = 'embedded/exit-code';
const NEVER_READY = 'embedded/never-ready';

const annotation = (pod: Pod, name: string): string | undefined => pod.metadata.annotations?.[name];
const isDone = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed';
const isOfJob = ({ metadata }: Pod): boolean =>
  !!metadata.ownerReferences?.some((owner) => owner.controller && owner.kind === 'Job');

/** How a Pod ends by itself: its exit code, or undefined when it runs on. */
function exitCodeOf(pod: Pod): number | undefined {
  const phase = annotation(pod, PHASE);
  const code = annotation(pod, EXIT_CODE);
  if (code !== undefined) return Number.parseInt(code, 10) || 0;
  if (phase === 'Failed') return 1;
  return phase === 'Succeeded' || isOfJob(pod) ? 0 : undefined;
}

const TRUE_CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

function conditionsOf(pod: Pod, ready: Partial<Condition>, now: string): Condition[] {
  const gates = pod.spec.readinessGates?.map((gate) => gate.conditionType) ?? [];
  const set = [...TRUE_CONDITIONS, ...gates].map((type): Condition => {
    const held = type === 'Ready' || type === 'ContainersReady';
    return { type, lastProbeTime: null, status: 'True', ...(held ? ready : {}) };
  });
  return withConditions(pod.status.conditions, set, now);
}

function containerStatus(
  pod: Pod,
  container: Container,
  state: NonNullable<ContainerStatus['state']>,
): ContainerStatus {
  const running = state.running !== undefined;
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    containerID: `embedded://${pod.metadata.uid}/${container.name}`,
    ready: running && annotation(pod, NEVER_READY) === undefined,
    started: running,
    restartCount: 0,
    state,
    lastState: {},
  };
}

/** Plays the life of Pods on the nodes of this server (SI-2). No container runs: the status is all there is. */
class Kubelet {
  readonly #context: SimContext;
  readonly #actor: Actor;
  /** Per uid: when the Pod starts, ends or goes, ms. */
  readonly #starts = new Map<string, number>();
  readonly #ends = new Map<string, number>();
  readonly #goes = new Map<string, number>();
  #nextAddress = 2;

  constructor(context: SimContext) {
    this.#context = context;
    this.#actor = new Actor(context.semantics.objects, 'kubelet');
  }

  forget(uid: string): void {
    this.#starts.delete(uid);
    this.#ends.delete(uid);
    this.#goes.delete(uid);
  }

  async work(key: string): Promise<number | undefined> {
    const pod = this.#context.mirror<Pod>('pods').get(key);
    if (!pod?.spec.nodeName || !this.#context.mirror('nodes').get(pod.spec.nodeName)) return undefined;
    if (pod.metadata.deletionTimestamp) return this.#terminate(pod);
    if (isDone(pod)) return undefined;
    const phase = pod.status.phase ?? 'Pending';
    return phase === 'Running' ? this.#end(pod) : this.#start(pod);
  }

  /** Ms until the time kept for the Pod; it is chosen on first sight. */
  #wait(times: Map<string, number>, pod: Pod, delay: () => number): number {
    const uid = pod.metadata.uid ?? '';
    const now = this.#context.clock.now();
    let due = times.get(uid);
    if (due === undefined) times.set(uid, (due = now + delay()));
    return due - now;
  }

  async #terminate(pod: Pod): Promise<number | undefined> {
    const grace = pod.metadata.deletionGracePeriodSeconds ?? 0;
    // Grace 0 and still there: finalizers hold it, which is not for a kubelet to change.
    if (grace === 0) return undefined;
    const wait = this.#wait(this.#goes, pod, () => Math.min(grace * 1000, this.#context.delays.podGraceMs));
    if (wait > 0) return wait;
    await this.#actor.delete(PODS, pod, { grace: 0 });
    return undefined;
  }

  async #start(pod: Pod): Promise<number | undefined> {
    const wait = this.#wait(this.#starts, pod, () => pickDelay(this.#context.delays.start, this.#context.random));
    if (wait > 0) return wait;
    const now = timestamp(this.#context.clock.now());
    const never = annotation(pod, NEVER_READY) !== undefined;
    const names = (pod.spec.containers ?? []).map((container) => container.name).join(' ');
    const ready = never
      ? { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` }
      : {};
    const ip = pod.status.podIP ?? this.#address();
    const finished = { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now };
    const init = (pod.spec.initContainers ?? []).map((container) =>
      container.restartPolicy === 'Always'
        ? containerStatus(pod, container, { running: { startedAt: now } })
        : { ...containerStatus(pod, container, { terminated: finished }), ready: true },
    );
    const hostIP = '127.0.0.1';
    await this.#write(pod, {
      phase: 'Running',
      conditions: conditionsOf(pod, ready, now),
      hostIP,
      hostIPs: [{ ip: hostIP }],
      podIP: ip,
      podIPs: [{ ip }],
      startTime: pod.status.startTime ?? now,
      ...(init.length ? { initContainerStatuses: init } : {}),
      containerStatuses: (pod.spec.containers ?? []).map((container) =>
        containerStatus(pod, container, { running: { startedAt: now } }),
      ),
    });
    return undefined;
  }

  async #end(pod: Pod): Promise<number | undefined> {
    const exitCode = exitCodeOf(pod);
    if (exitCode === undefined) return undefined;
    const wait = this.#wait(this.#ends, pod, () => pickDelay(this.#context.delays.job, this.#context.random));
    if (wait > 0) return wait;
    const now = timestamp(this.#context.clock.now());
    const why = exitCode ? 'Error' : 'Completed';
    const terminated = { exitCode, reason: why, startedAt: pod.status.startTime ?? now, finishedAt: now };
    await this.#write(pod, {
      phase: exitCode ? 'Failed' : 'Succeeded',
      conditions: conditionsOf(pod, { status: 'False', reason: exitCode ? 'PodFailed' : 'PodCompleted' }, now),
      containerStatuses: (pod.spec.containers ?? []).map((container) =>
        containerStatus(pod, container, { terminated }),
      ),
    });
    return undefined;
  }

  async #write(pod: Pod, changed: PodStatus): Promise<void> {
    const { generation } = pod.metadata;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    await this.#actor.updateStatus(PODS, pod, { ...pod.status, ...observed, ...changed });
  }

  /** 10.244.0.0/16, in turn; it comes round again after 65,000 Pods. */
  #address(): string {
    const offset = this.#nextAddress;
    this.#nextAddress = offset >= 65_500 ? 2 : offset + 1;
    return `10.244.${offset >> 8}.${offset & 255}`;
  }
}

const concerns = (pod: Pod): boolean => !!pod.spec.nodeName;

/** Starts the pretend kubelet of all nodes. */
export function startKubelet(context: SimContext): SimLoop {
  const kubelet = new Kubelet(context);
  const loop = new SimLoop({ name: 'kubelet', clock: context.clock, work: (key) => kubelet.work(key) });
  const pods = context.mirror<Pod>('pods');
  pods.each((pod, event) => {
    if (event?.type === 'DELETED') kubelet.forget(pod.metadata.uid ?? '');
    else if (concerns(pod)) loop.add(keyOfObject(pod));
  });
  context.mirror<KubeObject>('nodes').each((node, event) => {
    if (event?.type !== 'ADDED') return;
    for (const pod of pods.values()) if (pod.spec.nodeName === node.metadata.name) loop.add(keyOfObject(pod));
  });
  return loop;
}
