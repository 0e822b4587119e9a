// Helpers of the manager's tests; named as a test so that it is not shipped.
import type { Reconciler } from '@kubewright/api';
import type { Cache, Informer, StreamStatus } from '../cache/contract.js';
import { Controller, type ControllerConfig } from '../controller/controller.js';
import { forObject } from '../handler/for-object.js';
import { Manager, type ManagerOptions } from '../manager/manager.js';
import { RunContexts } from '../run-context.js';
import { KindSource, type KindSourceOptions } from '../source/kind-source.js';
import { HandInformer, PodSetKind, RecordingLogger } from './rig.test.js';
import { VirtualClock } from './virtual-clock.js';

/** A cache that notes when it starts and stops. */
export class HandCache implements Cache {
  readonly #story: string[];
  readonly #name: string;
  readonly informers: HandInformer[] = [];

  constructor(story: string[], name: string = 'cache') {
    this.#story = story;
    this.#name = name;
  }

  informer(): Informer {
    throw new Error('tests make informers themselves');
  }

  start(): void {
    this.#story.push(`${this.#name} starts`);
  }

  async stop(): Promise<void> {
    this.#story.push(`${this.#name} stops`);
  }

  streams(): StreamStatus[] {
    return this.informers.map((informer) => informer.state());
  }
}

export interface ManagerRig {
  readonly story: string[];
  readonly clock: VirtualClock;
  readonly logger: RecordingLogger;
  readonly manager: Manager;
  /** Adds a controller over an informer that the test drives. */
  addController(
    name: string,
    reconcile: Reconciler['reconcile'],
    more?: { source?: Partial<KindSourceOptions>; config?: Partial<ControllerConfig> },
  ): { informer: HandInformer; controller: Controller };
  /** Starts it; `well`, or the error it ended with. */
  start(): Promise<unknown>;
}

/** A manager on virtual time that writes down what happens. */
export function managerRig(options: Partial<ManagerOptions> = {}): ManagerRig {
  const story: string[] = [];
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const cache = new HandCache(story);
  const transports = [{ close: async () => void story.push('transport closes') }];
  const manager = new Manager({ cache, clock, logger, transports, ...options });
  const addController = (
    name: string,
    reconcile: Reconciler['reconcile'],
    more: { source?: Partial<KindSourceOptions>; config?: Partial<ControllerConfig> } = {},
  ): { informer: HandInformer; controller: Controller } => {
    const informer = new HandInformer();
    cache.informers.push(informer);
    const label = `${name} @For(PodSet)`;
    const source = new KindSource({ label, handler: forObject(), primary: true, informer, ...more.source });
    const runContext = new RunContexts();
    const parts = { clock, logger, runContext, random: () => 0, kind: PodSetKind };
    const controller = new Controller({ name, reconciler: { reconcile }, sources: [source], ...parts, ...more.config });
    manager.addController(controller);
    return { informer, controller };
  };
  const start = (): Promise<unknown> =>
    manager.start().then(
      () => 'well',
      (error: unknown) => error,
    );
  return { story, clock, logger, manager, addController, start };
}
