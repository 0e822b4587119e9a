import { apiVersionOf, type Clock } from '@kubewright/api';
import type { Cache, StreamStatus } from '../cache/contract.js';
import type { Controller } from '../controller/controller.js';
import type { Control, Inspector, InspectorEvent, KeySnapshot, ManagerSnapshot, StreamSnapshot } from './contract.js';
import { errorText } from './error-text.js';
import { requestOfKey } from './request-of-key.js';

/** What the inspector looks at. */
export interface Inspected {
  readonly clock: Clock;
  phase(): ManagerSnapshot['phase'];
  /** Ms. */
  lag(): number;
  controllers(): ReadonlyMap<string, Controller>;
  /** With the name of the cluster; undefined for the operator's own. */
  caches(): Iterable<readonly [cluster: string | undefined, cache: Cache]>;
}

/** The inspector of a manager (C25). */
export class ManagerInspector implements Inspector {
  readonly #inspected: Inspected;

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
  }

  snapshot(): ManagerSnapshot {
    const { clock } = this.#inspected;
    return {
      at: clock.now(),
      phase: this.#inspected.phase(),
      eventLoopLagMs: this.#inspected.lag(),
      streams: Array.from(this.#inspected.caches(), ([cluster, cache]) =>
        cache.streams().map((stream) => streamSnapshot(stream, cluster)),
      ).flat(),
      controllers: Array.from(this.#inspected.controllers().values(), (controller) => controller.inspect()),
    };
  }

  object(controller: string, key: string): KeySnapshot | undefined {
    return this.#inspected.controllers().get(controller)?.inspectKey(key);
  }

  subscribe(listener: (event: InspectorEvent) => void): () => void {
    const ends = Array.from(this.#inspected.controllers().values(), ({ feed }) => feed.subscribe(listener));
    return () => {
      for (const end of ends) end();
    };
  }
}

/** The control of a manager (C26). */
export class ManagerControl implements Control {
  readonly #controllers: () => ReadonlyMap<string, Controller>;

  constructor(controllers: () => ReadonlyMap<string, Controller>) {
    this.#controllers = controllers;
  }

  pause(controller: string): boolean {
    return this.#with(controller, (found) => found.pause());
  }

  resume(controller: string): boolean {
    return this.#with(controller, (found) => found.resume());
  }

  trigger(controller: string, key: string): boolean {
    return this.#controllers().get(controller)?.trigger(requestOfKey(key)) ?? false;
  }

  #with(name: string, touch: (controller: Controller) => void): boolean {
    const controller = this.#controllers().get(name);
    if (controller) touch(controller);
    return controller !== undefined;
  }
}

function streamSnapshot(stream: StreamStatus, cluster: string | undefined): StreamSnapshot {
  const { kind, scope, state, synced, objects, resourceVersion, failures, lastError } = stream;
  return {
    ...(cluster !== undefined && { cluster }),
    kind: `${apiVersionOf(kind)} ${kind.kind}`,
    ...scope,
    state,
    synced,
    objects,
    resourceVersion,
    failures,
    ...(lastError && { lastError: errorText(lastError) }),
  };
}
