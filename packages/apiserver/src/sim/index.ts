import type { Clock, Random, Semantics } from '../core/types.js';
import { SimContext, type SimDelays, type StartController } from './context.js';
import { startDeployment } from './deployment.js';
import { startEndpointSlice } from './endpoint-slice.js';
import { startEventExpiry } from './event-expiry.js';
import { startJob } from './job.js';
import { startKubelet } from './kubelet.js';
import type { SimLoop } from './loop.js';
import { startReplicaSet } from './replicaset.js';
import { startReplicationController } from './replication-controller.js';
import { startResourceQuota } from './resource-quota.js';
import { startScheduler } from './scheduler.js';
import { startServiceAccounts } from './service-account.js';

/** Name of a pretend controller that can be switched on. */
export type ControllerName =
  | 'scheduler'
  | 'kubelet'
  | 'replicaset'
  | 'deployment'
  | 'job'
  | 'endpointslice'
  | 'resourcequota'
  | 'replicationcontroller';

const CONTROLLERS: Readonly<Record<ControllerName, StartController>> = {
  scheduler: startScheduler,
  kubelet: startKubelet,
  replicaset: startReplicaSet,
  deployment: startDeployment,
  job: startJob,
  endpointslice: startEndpointSlice,
  resourcequota: startResourceQuota,
  replicationcontroller: startReplicationController,
};

/** All names, in the order in which they start. */
export const controllerNames: readonly ControllerName[] = Object.keys(CONTROLLERS) as ControllerName[];

/** Whether a text names a pretend controller. */
export const isControllerName = (name: string): name is ControllerName => Object.hasOwn(CONTROLLERS, name);

export interface SimulationOptions {
  /** Which controllers run beside those for ServiceAccounts and for the lifetime of Events, which always do. */
  controllers: readonly ControllerName[];
  clock: Clock;
  random: Random;
  /** Longest time a Pod spends Terminating, in ms; default 1,000. */
  podGrace?: number;
  /** Certificate for the ConfigMap `kube-root-ca.crt`; default empty (plain HTTP). */
  caPem?: string;
  /** Other delays; see SimDelays for the defaults. */
  delays?: Partial<SimDelays>;
}

const DELAYS: SimDelays = { schedule: [0, 50], start: [0, 50], job: [200, 400], podGraceMs: 1_000 };

/** The pretend controllers of one server (§9.4). They see the store at once and change objects through ObjectService only. */
export class Simulation {
  readonly #semantics: Semantics;
  readonly #context: SimContext;
  readonly #loops = new Map<string, SimLoop>();
  readonly #untrack: (() => void)[] = [];

  constructor(semantics: Semantics, options: SimulationOptions) {
    this.#semantics = semantics;
    const delays = {
      ...DELAYS,
      ...options.delays,
      ...(options.podGrace === undefined ? {} : { podGraceMs: options.podGrace }),
    };
    this.#context = new SimContext(semantics, { clock: options.clock, random: options.random, delays });
    this.#keep(startServiceAccounts(this.#context, options.caPem ?? ''));
    this.#keep(startEventExpiry(this.#context));
    for (const name of new Set(options.controllers)) this.#keep(CONTROLLERS[name](this.#context));
  }

  #keep(loop: SimLoop): void {
    this.#loops.set(loop.name, loop);
    this.#untrack.push(this.#semantics.track(loop));
  }

  /** Names of the controllers that run. */
  get names(): readonly string[] {
    return [...this.#loops.keys()];
  }

  #chosen(name: string | undefined): SimLoop[] {
    if (name === undefined) return [...this.#loops.values()];
    const loop = this.#loops.get(name);
    if (!loop) throw new Error(`no controller "${name}" runs here; there are: ${this.names.join(', ')}`);
    return [loop];
  }

  /** Stops one controller or all; their queues still fill. */
  pause(name?: string): void {
    for (const loop of this.#chosen(name)) loop.pause();
  }

  resume(name?: string): void {
    for (const loop of this.#chosen(name)) loop.resume();
  }

  /** Lets a controller work on one item, paused or not; false when it had none. */
  async step(name: string): Promise<boolean> {
    const [loop] = this.#chosen(name);
    return loop ? loop.step() : false;
  }

  /** Resolves when every controller of the server is idle. */
  settle(options: { maxMs?: number } = {}): Promise<void> {
    return this.#semantics.settle(options);
  }

  /** Reads the store again, after a snapshot was put back. */
  rebuild(): void {
    this.#context.rebuild();
  }

  stop(): void {
    for (const untrack of this.#untrack) untrack();
    for (const loop of this.#loops.values()) loop.close();
    this.#context.close();
  }
}

/** Starts the pretend controllers. Resources and bootstrap objects must be in place. */
export function startSimulation(semantics: Semantics, options: SimulationOptions): Simulation {
  return new Simulation(semantics, options);
}
