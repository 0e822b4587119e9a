import { ControllableClock, timestamp } from '../core/clock.js';
import { seededRandom } from '../core/random.js';
import type { CallOptions, JsonObject, KubeObject, Target, WatchEvent } from '../core/types.js';
import { bootstrapObjects, builtinResources } from '../kinds/index.js';
import { bootstrap } from '../seed.js';
import { createObjectService } from '../semantics.js';
import type { ObjectSemantics } from '../semantics.js';
import { controllerNames, startSimulation } from './index.js';
import type { ControllerName, Simulation, SimulationOptions } from './index.js';

/** Any JSON value, to be looked into without ceremony. */
export type AnyJson = ReturnType<typeof JSON.parse>;

export const ME: CallOptions = {
  principal: { name: 'me', groups: ['system:masters', 'system:authenticated'] },
  fieldManager: 'me',
};

/** Built-in kinds, bootstrap objects and pretend controllers on a clock that stands still until it is moved. */
export class SimWorld {
  readonly clock: ControllableClock = new ControllableClock();
  readonly semantics: ObjectSemantics;
  readonly simulation: Simulation;

  private constructor(semantics: ObjectSemantics, simulation: Simulation, clock: ControllableClock) {
    this.semantics = semantics;
    this.simulation = simulation;
    this.clock = clock;
  }

  static async start(
    controllers: readonly ControllerName[] = controllerNames,
    more: Partial<SimulationOptions> = {},
  ): Promise<SimWorld> {
    const clock = new ControllableClock();
    clock.freeze(Date.parse('2030-01-01T00:00:00Z'));
    const random = seededRandom(1);
    const semantics = createObjectService({ clock, random });
    for (const resource of builtinResources({ stored: (storage) => semantics.stored(storage) }))
      semantics.registry.add(resource);
    await bootstrap(semantics, bootstrapObjects({ now: timestamp(clock.now()) }));
    const simulation = startSimulation(semantics, { controllers, clock, random, ...more });
    await semantics.settle();
    return new SimWorld(semantics, simulation, clock);
  }

  target(plural: string, name?: string, subresource?: string): Target {
    const resource = this.semantics.registry.all.find((r) => r.plural === plural);
    if (!resource) throw new Error(`no resource ${plural}`);
    const namespace = resource.namespaced ? 'default' : undefined;
    return { resource, version: resource.storageVersion, namespace, name, subresource };
  }

  async create(plural: string, body: JsonObject): Promise<AnyJson> {
    return (await this.semantics.objects.create(this.target(plural), { value: body }, ME)).object;
  }

  async merge(plural: string, name: string, patch: JsonObject): Promise<AnyJson> {
    return (
      await this.semantics.objects.patch(this.target(plural, name), { type: 'merge', body: { value: patch } }, ME)
    ).object;
  }

  async delete(plural: string, name: string, options: JsonObject = {}): Promise<void> {
    await this.semantics.objects.delete(this.target(plural, name), { ...ME, ...options });
  }

  get(plural: string, name: string): AnyJson {
    return this.all(plural).find((object) => object.metadata.name === name);
  }

  all(plural: string): AnyJson[] {
    const { resource } = this.target(plural);
    const storage = resource.storage ?? (resource.group ? `${resource.plural}.${resource.group}` : resource.plural);
    return this.semantics
      .stored(storage)
      .filter((object) => !resource.namespaced || object.metadata.namespace === 'default');
  }

  /** Events of a collection from now on. */
  async watch(plural: string): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    const options = { ...ME, resourceVersion: this.semantics.objects.revision() };
    await this.semantics.objects.watch(this.target(plural), options, {
      event: (event) => events.push(event),
      end: () => undefined,
    });
    return events;
  }

  /** Lets time pass in small steps, with all work done at each. */
  async pass(ms: number): Promise<void> {
    await this.semantics.settle();
    for (let left = ms; left > 0; left -= 25) {
      this.clock.advance(Math.min(25, left));
      await this.semantics.settle();
    }
  }

  stop(): void {
    this.simulation.stop();
    this.semantics.close();
  }
}

/** A Pod with one container. */
export const pod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'example.com/app:1' }], ...spec },
});

/** A Deployment named `d`. */
export const deployment = (spec: JsonObject = {}, image = 'example.com/app:1'): JsonObject => ({
  metadata: { name: 'd' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image }] } },
    ...spec,
  },
});

/** Names of the managers that wrote an object. */
export const managers = (object: KubeObject): string[] =>
  (object.metadata.managedFields ?? []).map((entry) => entry.manager ?? '');
