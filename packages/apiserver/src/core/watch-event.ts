import { deepFreeze } from './json.js';
import type { Representations } from './represent.js';
import type { KubeObject, ResourceDef, StoreEvent, WatchEvent, WatchEventType } from './types.js';

type Matches = ((object: KubeObject) => boolean) | undefined;
type Seen = WatchEvent | undefined;

/** How a watch with selectors looks at events. */
interface View {
  resource: ResourceDef;
  version: string;
  matches: (object: KubeObject) => boolean;
}

/** One stored event on its way to many watches: what they see of it is made once and shared (WA-8). */
export class SharedEvent {
  readonly event: StoreEvent;
  readonly #representations: Representations;
  readonly #made = new Map<KubeObject, WatchEvent>();
  #left: KubeObject | undefined;

  constructor(event: StoreEvent, representations: Representations) {
    this.event = event;
    this.#representations = representations;
  }

  /** What a watch with these selectors sees at `version`; undefined = nothing (WA-4). */
  seenBy(resource: ResourceDef, version: string, matches: Matches): Seen | Promise<Seen> {
    const { type, object, previous } = this.event;
    const now = this.#representations.at(resource, object, version);
    if (!matches) return now instanceof Promise ? now.then((o) => this.#as(type, o)) : this.#as(type, now);
    const before = previous && this.#representations.at(resource, previous, version);
    const view: View = { resource, version, matches };
    if (now instanceof Promise || before instanceof Promise) {
      return Promise.all([now, before]).then(([n, b]) => this.#edge(view, n, b !== undefined && matches(b)));
    }
    return this.#edge(view, now, before !== undefined && matches(before));
  }

  #edge({ resource, version, matches }: View, now: KubeObject, fitted: boolean): Seen | Promise<Seen> {
    if (this.event.type === 'DELETED') return fitted ? this.#as('DELETED', now) : undefined;
    const fits = matches(now);
    if (fits) return this.#as(fitted ? 'MODIFIED' : 'ADDED', now);
    if (!fitted) return undefined;
    const left = this.#representations.at(resource, this.#leaving(), version);
    return left instanceof Promise ? left.then((o) => this.#as('DELETED', o)) : this.#as('DELETED', left);
  }

  /** The previous object with the new resourceVersion. */
  #leaving(): KubeObject {
    const { previous, object } = this.event;
    return (this.#left ??= deepFreeze({
      ...(previous as KubeObject),
      metadata: { ...(previous as KubeObject).metadata, resourceVersion: object.metadata.resourceVersion as string },
    }));
  }

  #as(type: WatchEventType, object: KubeObject): WatchEvent {
    let made = this.#made.get(object);
    // An object can be both ADDED and MODIFIED to different watches; only the more common wrapper is kept.
    if (!made || made.type !== type) this.#made.set(object, (made = { type, object }));
    return made;
  }
}
