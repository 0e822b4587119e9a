import { type Context, Logger, type Reconciler, type Request, SystemClock } from '@kubewright/api';
import { channelSource, Controller, RunContexts } from '@kubewright/runtime';
import { cpuMs, round, Timeline } from './figures.js';

export interface HotQueueOptions {
  /** Distinct keys. */
  readonly keys: number;
  /** Measured time, after 1 s of warm-up. */
  readonly seconds: number;
  readonly t0?: string | undefined;
}

class Silent extends Logger {
  override trace(): void {}
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
  override child(): Logger {
    return this;
  }
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** P2: no-op reconciles per second of one worker; each puts its key back, so that the queue is never empty. */
export async function hotQueue(options: HotQueueOptions): Promise<void> {
  const time = new Timeline(options.t0);
  let reconciles = 0;
  const reconciler: Reconciler = {
    async reconcile(request: Request, context: Context): Promise<void> {
      reconciles++;
      context.enqueue(request);
    },
  };
  const controller = new Controller({
    name: 'hot',
    reconciler,
    sources: [channelSource().source({ label: 'bench', handler: {}, predicates: [] })],
    clock: new SystemClock(),
    random: Math.random,
    logger: new Silent(),
    runContext: new RunContexts(),
  });
  controller.start();
  for (let key = 0; key < options.keys; key++)
    controller.enqueue({ namespace: `bench-${key % 50}`, name: `ps-${key}` });
  await after(1000);
  const before = { reconciles, cpu: cpuMs(), at: performance.now() };
  await after(options.seconds * 1000);
  const seconds = (performance.now() - before.at) / 1000;
  const done = reconciles - before.reconciles;
  const cpu = cpuMs();
  await controller.stop(new Error('bench is over'));
  time.emit('p2', {
    keys: options.keys,
    feed: 'self',
    get: false,
    reconciles: done,
    reconcilesPerSec: round(done / seconds, 0),
    cpuPerReconcileUs: round(((cpu.user + cpu.system - before.cpu.user - before.cpu.system) * 1000) / done, 2),
  });
}
