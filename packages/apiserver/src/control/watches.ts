import type { WatchHub, OpenWatch } from '../core/watch.js';
import { watchTooOld } from '../core/query.js';
import { fits } from './match.js';
import type { RequestFacts, RequestMatch } from './match.js';

/** How a watch is ended: a proper end, a broken connection, or the 410 event first. */
export type Cut = 'clean' | 'reset' | 'expired';

/** One open watch. */
export interface WatchInfo {
  readonly id: number;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user: string;
  readonly stalled: boolean;
}

/** The server's own watches are none of a test's business. */
const OWN = 'system:apiserver';

/** Ends and holds back open watches (TC-4). */
export class WatchControl {
  readonly #hub: WatchHub;

  constructor(hub: WatchHub) {
    this.#hub = hub;
  }

  list(match: RequestMatch = {}): WatchInfo[] {
    return this.#matching(match).map(({ id, request, stalled }) => ({
      id,
      group: request.resource.group,
      version: request.version,
      resource: request.resource.plural,
      ...(request.namespace === undefined ? {} : { namespace: request.namespace }),
      ...(request.name === undefined ? {} : { name: request.name }),
      user: request.principal.name,
      stalled,
    }));
  }

  /** Ends the watches that match; answers how many. Clients resume from the last resourceVersion they saw, or list again. */
  cut(match: RequestMatch = {}, how: Cut = 'clean'): number {
    const watches = this.#matching(match);
    for (const watch of watches) {
      if (how === 'reset') watch.reset();
      else if (how === 'expired') watch.fail(watchTooOld(0, 1));
      else watch.close();
    }
    return watches.length;
  }

  /** Holds the events of matching watches back, without closing them; answers how many. */
  stall(match: RequestMatch = {}): number {
    const watches = this.#matching(match);
    for (const watch of watches) watch.stall();
    return watches.length;
  }

  /** Lets held events go on, in order; answers how many watches were held. */
  release(match: RequestMatch = {}): number {
    const watches = this.#matching(match).filter((watch) => watch.stalled);
    for (const watch of watches) watch.release();
    return watches.length;
  }

  #matching(match: RequestMatch): OpenWatch[] {
    return this.#hub.watches.filter((watch) => watch.request.principal.name !== OWN && fits(match, factsOf(watch)));
  }
}

function factsOf({ request }: OpenWatch): RequestFacts {
  return {
    verb: 'watch',
    group: request.resource.group,
    version: request.version,
    resource: request.resource.plural,
    namespace: request.namespace,
    name: request.name,
    user: request.principal.name,
  };
}
