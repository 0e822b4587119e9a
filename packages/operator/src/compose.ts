import { type Client, groupResource, type Logger } from '@kubewright/api';
import { bootstrapError, type Fault } from '@kubewright/metadata';
import type { Inspector } from '@kubewright/runtime';
import { buildController, type ControllerPlan } from './build-controller.js';
import { buildEngine, type Engine } from './engine.js';
import { instantiate } from './instances.js';
import type { Health, Operator, OperatorControl } from './operator.js';
import type { OperatorOptions } from './options.js';
import { createPinoLogger, setLogLevel } from './pino-logger.js';
import { scan } from './scan.js';

const DEFAULT_NAME = 'kubewright-operator';

/** The composition root: scan, check, engine, instances, operator. */
export async function compose(given: OperatorOptions): Promise<Operator> {
  // What the container hands out is asked for after the engine is built, when classes are constructed.
  const built: { logger?: Logger; engine?: Engine } = {};
  const { options, controllers, resources, container } = scan(given, {
    client: () => (built.engine as Engine).client,
    logger: () => built.logger as Logger,
  });
  const name = options.name ?? DEFAULT_NAME;
  const logger = options.logger ?? createPinoLogger({ level: options.logLevel ?? 'info', base: { operator: name } });
  const engine = await buildEngine({ ...options, name }, resources, logger);
  Object.assign(built, { logger, engine });

  const faults: Fault[] = [];
  const plans = controllers.map((definition) => ({
    definition,
    instances: instantiate(definition, container, faults),
  }));
  if (faults.length > 0) {
    await engine.transport.close(0);
    throw bootstrapError(faults);
  }
  return new ComposedOperator(name, engine, { plans, options });
}

interface Work {
  readonly plans: readonly ControllerPlan[];
  readonly options: OperatorOptions;
}

class ComposedOperator implements Operator {
  readonly name: string;
  readonly client: Client;
  readonly ready: Promise<void>;
  readonly health: Health | undefined;
  readonly inspector: Inspector;
  readonly control: OperatorControl;
  readonly #engine: Engine;
  readonly #work: Work;
  #started = false;
  #stopAsked = false;

  constructor(name: string, engine: Engine, work: Work) {
    this.name = name;
    this.client = engine.client;
    this.ready = engine.manager.elected;
    this.health = engine.manager.health;
    this.inspector = engine.manager.inspector;
    const { control } = engine.manager;
    this.control = {
      pause: (controller) => control.pause(controller),
      resume: (controller) => control.resume(controller),
      trigger: (controller, key) => control.trigger(controller, key),
      setLogLevel: (level) => setLogLevel(engine.logger, level),
    };
    this.#engine = engine;
    this.#work = work;
  }

  async start(): Promise<void> {
    const { manager, transport, cluster, logger } = this.#engine;
    // The manager refuses a second start, and tells so.
    if (this.#started) return manager.start();
    this.#started = true;
    try {
      for (const plan of this.#work.plans)
        manager.addController(buildController(plan, this.#engine, this.#work.options));
    } catch (error) {
      await transport.close(0);
      throw error;
    }
    if (this.#stopAsked) return transport.close(0);
    const controllers = this.#work.plans.map((plan) => plan.definition.name);
    logger.info({ cluster: cluster.server, from: cluster.source, controllers }, 'starting');
    void this.ready.then(() => logger.info({ controllers, kinds: this.#kinds() }, 'operator is ready'));
    await manager.start();
  }

  async stop(): Promise<void> {
    this.#stopAsked = true;
    await this.#engine.manager.stop();
    if (!this.#started) await this.#engine.transport.close(0);
  }

  /** What is watched, with how many objects of it are there: `pods: 12`. */
  #kinds(): Readonly<Record<string, number>> {
    const kinds: Record<string, number> = {};
    for (const { kind, objects } of this.#engine.cache.streams()) {
      const name = groupResource(kind);
      kinds[name] = (kinds[name] ?? 0) + objects;
    }
    return kinds;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
