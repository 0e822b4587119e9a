import type { Clock, EventPredicate, Logger, ObjectEvent, Request } from '@kubewright/api';
import type { StreamStatus } from '../cache/contract.js';
import type { AddOptions } from '../workqueue/contract.js';
import type { LogThrottle } from '../log-throttle.js';

/** What a source counts; plain numbers that metrics and the inspector read. */
export interface EventCounters {
  /** Events that a predicate dropped (E5). */
  filtered: number;
  /** Predicates that threw or answered a promise (E6). */
  predicateErrors: number;
  /** Handlers that threw, rejected or took too long (E10). */
  handlerErrors: number;
  /** Requests without a name (E11). */
  badRequests: number;
}

/** What a controller offers its sources. */
export interface SourceHost {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly throttle: LogThrottle;
  readonly counters: EventCounters;
  /** Predicates of the controller, asked before the source's own (E2). */
  readonly predicates: readonly EventPredicate[];
  /** Told of each event that a predicate dropped. */
  onFiltered?(event: ObjectEvent): void;
  enqueue(request: Request, options: AddOptions): void;
  /** As {@link enqueue}, for a primary object that was deleted: count, back-off and times of the key are void (C17). */
  enqueueDeleted(request: Request, options: AddOptions): void;
}

/** Where a controller's requests come from. A source belongs to one controller and is started once. */
export interface Source {
  /** For messages: `PodSetController @Owns(V1Pod)`. */
  readonly label: string;
  /** The controller runs without waiting for it (M14). */
  readonly optional: boolean;
  /** From now on events become requests. */
  start(host: SourceHost): void;
  /** Resolves when all that is there already was delivered. */
  readonly synced: Promise<void>;
  isSynced(): boolean;
  /** Whether the primary object of a request is there; undefined from sources that do not know. */
  holds?(request: Request): boolean | undefined;
  /** Health of the stream behind it; none for sources that watch nothing. */
  stream?(): StreamStatus | undefined;
  /** No request after that. */
  stop(): void;
}
