import { Client, Controller, createOperator, For, type Reconciler, type Request } from 'kubewright';
import { cpuMs, memory, round, Timeline } from './figures.js';
import { PodSet } from './pod-set.js';

export interface FirstReconcilesOptions {
  readonly kubeconfig: string;
  /** PodSets that are there. */
  readonly count: number;
  /** Unix nanoseconds of the launch. */
  readonly t0?: string | undefined;
}

/**
 * P1: from the launch of the process until every custom resource was reconciled once by one controller with default
 * options. The reconcile reads its object from the cache.
 */
export async function firstReconciles(options: FirstReconcilesOptions): Promise<void> {
  const time = new Timeline(options.t0);
  const seen = new Set<string>();
  let reconciles = 0;
  let firstAt = 0;
  let lastAt = 0;
  let complete: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    complete = resolve;
  });

  @Controller()
  @For(PodSet)
  class Seen implements Reconciler {
    constructor(private readonly client: Client) {}

    async reconcile(request: Request): Promise<void> {
      if (!(await this.client.find(PodSet, request))) return;
      if (reconciles++ === 0) firstAt = time.now();
      seen.add(`${request.namespace}/${request.name}`);
      if (seen.size === options.count && lastAt === 0) {
        lastAt = time.now();
        complete();
      }
    }
  }

  const operator = await createOperator({
    name: 'bench-p1',
    controllers: [Seen],
    kubeConfig: options.kubeconfig,
    logLevel: 'warn',
    environment: false,
  });
  const managerStartMs = time.now();
  const stopped = operator.start();
  await Promise.race([all, stopped.then(() => Promise.reject(new Error('the operator stopped early')))]);
  const { user, system } = cpuMs();
  const { rssMB, peakMB } = memory();
  time.emit('p1', {
    count: options.count,
    managerStartMs,
    // No run begins before the cache is complete and every handler saw all of it.
    cacheSyncMs: firstAt,
    firstReconcileMs: firstAt,
    lastReconcileMs: lastAt,
    reconciles,
    rssAtEndMB: rssMB,
    rssPeakMB: peakMB,
    cpuMs: round(user + system, 0),
  });
  await operator.stop();
  await stopped;
}
