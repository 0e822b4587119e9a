import { timestamp } from '../core/clock.js';
import { jsonEqual } from '../core/json.js';
import type { Condition, Job, Pod } from '../kinds/shapes.js';
import { Actor, PODS } from './actor.js';
import { isTrue, withConditions } from './conditions.js';
import type { SimContext } from './context.js';
import { SimLoop } from './loop.js';
import { keyOfObject } from './mirror.js';
import { isActive, podFromTemplate } from './pod-owner.js';

const JOBS = { group: 'batch', plural: 'jobs' };

const isFinished = ({ status }: Job): boolean =>
  isTrue(status.conditions, 'Complete') || isTrue(status.conditions, 'Failed');
const inPhase = (pods: readonly Pod[], phase: string): number =>
  pods.filter((pod) => pod.status.phase === phase).length;

interface Outcome {
  succeeded: number;
  failed: number;
}

function verdict({ spec }: Job, { succeeded, failed }: Outcome, active: number): Condition[] | undefined {
  if (failed > (spec.backoffLimit ?? 6)) {
    const why = {
      status: 'True',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    };
    return [
      { type: 'FailureTarget', ...why },
      { type: 'Failed', ...why },
    ];
  }
  const done = spec.completions === undefined ? succeeded > 0 && active === 0 : succeeded >= spec.completions;
  if (!done) return undefined;
  const why = { status: 'True', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
  return [
    { type: 'SuccessCriteriaMet', ...why },
    { type: 'Complete', ...why },
  ];
}

/** Runs Jobs to their end (SI-5). Pods that ended are counted once, also after they are gone. */
class JobController {
  readonly #context: SimContext;
  readonly #actor: Actor;

  constructor(context: SimContext) {
    this.#context = context;
    this.#actor = new Actor(context.semantics.objects, 'job');
  }

  #pods(job: Job): Pod[] {
    return this.#context.mirror<Pod>('pods').controlledBy(job.metadata.uid);
  }

  async work(key: string): Promise<number | undefined> {
    const job = this.#context.mirror<Job>('jobs.batch').get(key);
    if (!job || job.metadata.deletionTimestamp) return undefined;
    if (isFinished(job)) return this.#expire(job);
    const active = this.#pods(job).filter(isActive);
    if (job.spec.suspend) for (const pod of active) await this.#actor.delete(PODS, pod);
    else await this.#fill(job, active.length);
    await this.#report(job);
    return undefined;
  }

  #outcome(job: Job): Outcome {
    const pods = this.#pods(job);
    return {
      succeeded: Math.max(inPhase(pods, 'Succeeded'), job.status.succeeded ?? 0),
      failed: Math.max(inPhase(pods, 'Failed'), job.status.failed ?? 0),
    };
  }

  async #fill(job: Job, active: number): Promise<void> {
    const outcome = this.#outcome(job);
    if (verdict(job, outcome, active)) return;
    const { parallelism = 1, completions } = job.spec;
    const left = completions === undefined ? (outcome.succeeded ? 0 : parallelism) : completions - outcome.succeeded;
    for (let missing = Math.min(parallelism, left) - active; missing > 0; missing--) {
      await this.#actor.create(PODS, podFromTemplate(job, job.spec.template));
    }
  }

  async #report(job: Job): Promise<void> {
    const live = this.#context.mirror<Job>('jobs.batch').get(keyOfObject(job));
    if (!live || live.metadata.uid !== job.metadata.uid) return;
    const now = timestamp(this.#context.clock.now());
    const active = this.#pods(live).filter(isActive);
    const outcome = this.#outcome(live);
    const end = verdict(live, outcome, active.length);
    const status: Job['status'] = { startTime: live.status.startTime ?? now, uncountedTerminatedPods: {} };
    if (live.spec.suspend) delete status.startTime;
    const ready = active.filter((pod) => isTrue(pod.status.conditions, 'Ready')).length;
    const counts = { active: end ? 0 : active.length, ...outcome };
    for (const [name, count] of Object.entries(counts)) if (count) Object.assign(status, { [name]: count });
    status.ready = end ? 0 : ready;
    status.terminating = this.#pods(live).filter((pod) => pod.metadata.deletionTimestamp).length;
    const conditions = end
      ? withConditions(live.status.conditions, end, now).map((c) => ({ lastProbeTime: now, ...c }))
      : live.status.conditions;
    if (conditions?.length) status.conditions = conditions;
    if (end?.[1]?.type === 'Complete') status.completionTime = now;
    if (!jsonEqual(status, live.status)) await this.#actor.updateStatus(JOBS, live, status);
    if (end) for (const pod of active) await this.#actor.delete(PODS, pod);
  }

  /** Deletes a finished Job once its time is over. */
  async #expire(job: Job): Promise<number | undefined> {
    const ttl = job.spec.ttlSecondsAfterFinished;
    if (ttl === undefined) return undefined;
    const ended = job.status.conditions?.find(
      (condition) => condition.type === 'Complete' || condition.type === 'Failed',
    )?.lastTransitionTime;
    const wait = Date.parse(ended ?? '') + ttl * 1000 - this.#context.clock.now();
    if (wait > 0) return wait;
    await this.#actor.delete(JOBS, job);
    return undefined;
  }
}

/** Starts the Job controller. */
export function startJob(context: SimContext): SimLoop {
  const controller = new JobController(context);
  const loop = new SimLoop({ name: 'job', clock: context.clock, work: (key) => controller.work(key) });
  context.mirror<Job>('jobs.batch').each((job) => loop.add(keyOfObject(job)));
  context.mirror<Pod>('pods').each((pod) => {
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller && reference.kind === 'Job');
    if (owner) loop.add(`${pod.metadata.namespace}/${owner.name}`);
  });
  return loop;
}
