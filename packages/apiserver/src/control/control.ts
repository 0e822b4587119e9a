import type { ControllableClock } from '../core/clock.js';
import type { JsonObject, JsonValue, KubeObject, Target } from '../core/types.js';
import type { StoreSnapshot } from '../core/store.js';
import type { ObjectSemantics } from '../semantics.js';
import { storageOf } from '../core/registry.js';
import { Faults } from './faults.js';
import { fits } from './match.js';
import type { RequestMatch } from './match.js';
import { RequestLog } from './request-log.js';
import { WatchControl } from './watches.js';

/** Pretend controllers as test control drives them. */
export interface ControllerHandle {
  readonly names: readonly string[];
  pause(name?: string): void;
  resume(name?: string): void;
  /** Works on one queued item of a controller; false when there is none. */
  step(name: string): Promise<boolean>;
}

/** Changes the object of a race: a new object, or undefined for one more annotation. */
export type Mutation = (live: KubeObject) => JsonObject;

interface Race {
  readonly match: RequestMatch;
  readonly mutate: Mutation | undefined;
}

/** What a test drives a server with (§3.3). */
export interface ControlOptions {
  readonly semantics: ObjectSemantics;
  readonly clock: ControllableClock;
  readonly controllers?: ControllerHandle | undefined;
  /** Called after a snapshot was put back, for parts that keep state of their own. */
  readonly restored?: () => void;
}

/** Test control over a server: faults, races, watches, history, time, controllers, snapshots, request log. */
export class Control {
  readonly faults: Faults;
  readonly watches: WatchControl;
  readonly requests: RequestLog = new RequestLog();
  readonly clock: ControllableClock;
  readonly #options: ControlOptions;
  readonly #races: Race[] = [];
  readonly #snapshots = new Map<string, StoreSnapshot>();
  #raced = 0;
  #nextSnapshot = 1;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.faults = new Faults(options.clock);
    this.watches = new WatchControl(options.semantics.core.hub);
    options.semantics.core.beforeWrite = (target, live) => this.#beforeWrite(target, live);
  }

  /**
   * Lets the next matching update, patch or delete meet a genuine conflict: just before its resourceVersion is checked, the
   * object is written by the manager `kubewright-control`. `mutate` answers the changed object; default: one annotation.
   */
  race(match: RequestMatch, mutate?: Mutation): void {
    this.#races.push({ match, mutate });
  }

  /** Drops history up to revision `before` (default all): older resourceVersions and continue tokens then get 410. */
  compact(options: { group?: string; resource?: string; before?: string | number } = {}): void {
    const { semantics } = this.#options;
    const { store } = semantics.core;
    const { group = '', resource, before } = options;
    const revision = before === undefined ? store.revision : Number(before);
    if (resource === undefined) {
      store.compact(undefined, revision);
      return;
    }
    const known = semantics.registry.byResource(group, resource);
    if (!known) throw new Error(`this server has no resource ${resource} in group "${group}"`);
    store.compact(storageOf(known), revision);
  }

  /** Bookmark period of open and new watches. */
  readonly bookmarks: { setPeriod(ms: number): void } = {
    setPeriod: (ms) => this.#options.semantics.core.hub.setBookmarkPeriod(ms),
  };

  /** The pretend controllers; empty when none were asked for. */
  get controllers(): ControllerHandle {
    return this.#options.controllers ?? NO_CONTROLLERS;
  }

  /** Resolves when all controllers are idle; rejects with the names of the busy ones after `maxMs` (default 10,000). */
  settle(options?: { maxMs?: number }): Promise<void> {
    return this.#options.semantics.settle(options);
  }

  /** Remembers all objects as they are; answers an id for `restore`. */
  snapshot(): string {
    const id = String(this.#nextSnapshot++);
    this.#snapshots.set(id, this.#options.semantics.snapshot());
    return id;
  }

  /** Puts a snapshot back. resourceVersions go on upwards; open watches end with 410 so that caches list again. */
  restore(id: string): void {
    const snapshot = this.#snapshots.get(id);
    if (!snapshot)
      throw new Error(`there is no snapshot "${id}"; known are ${[...this.#snapshots.keys()].join(', ') || 'none'}`);
    this.#options.semantics.restore(snapshot, this.#options.restored);
  }

  async #beforeWrite(target: Target, live: KubeObject): Promise<void> {
    if (!this.#races.length) return;
    const { resource, version, namespace, name, subresource } = target;
    const facts = { group: resource.group, version, resource: resource.plural, subresource, namespace, name };
    const index = this.#races.findIndex((race) => fits(withoutVerb(race.match), facts));
    if (index < 0) return;
    const [race] = this.#races.splice(index, 1) as [Race];
    const body: JsonValue = race.mutate
      ? race.mutate(structuredClone(live))
      : { metadata: { annotations: { 'control.kubewright.dev/race': String(++this.#raced) } } };
    const call = { principal: PRINCIPAL, fieldManager: 'kubewright-control' };
    await this.#options.semantics.objects.patch(
      { resource, version: resource.storageVersion, namespace, name },
      { type: 'merge', body: { value: body } },
      call,
    );
  }
}

const PRINCIPAL = { name: 'kubewright-control', groups: ['system:masters', 'system:authenticated'] };

const NO_CONTROLLERS: ControllerHandle = {
  names: [],
  pause: () => undefined,
  resume: () => undefined,
  step: () => Promise.resolve(false),
};

/** The hook knows the write, not the verb that caused it. */
function withoutVerb(match: RequestMatch): RequestMatch {
  const rest = { ...match };
  delete rest.verb;
  delete rest.user;
  delete rest.userAgent;
  return rest;
}
