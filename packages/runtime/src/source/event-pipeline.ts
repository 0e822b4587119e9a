import type { EnqueueOptions, EventHandler, EventPredicate, ObjectEvent, Request } from '@kubewright/api';
import { errorFields } from '../error-fields.js';
import { passes } from '../predicate/predicate.js';
import type { AddOptions, CauseRecord } from '../workqueue/contract.js';
import { objectOf, requestOf } from './event-object.js';
import type { SourceHost } from './contract.js';
import { SOURCE_DEFAULTS } from './defaults.js';
import { HandlerCalls } from './handler-calls.js';

/** What every source of events has in common. */
export interface EventPipelineOptions {
  readonly label: string;
  readonly handler: EventHandler;
  /** The source's own, asked after the controller's; all must pass. Default: none. */
  readonly predicates?: readonly EventPredicate[] | undefined;
  /** Priority of all its requests. Default: −100 for creates of an initial list, else 0 (E12). */
  readonly priority?: number | undefined;
  /** Kind of the events' objects, for causes. */
  readonly kind?: string | undefined;
  /** Cluster of the events; absent for the operator's own (M19). */
  readonly cluster?: string | undefined;
  /** The objects are what the controller reconciles (C17). Default false. */
  readonly primary?: boolean | undefined;
}

/** Predicates, then the handler, then the queue (E2, E6, E11). */
export class EventPipeline {
  readonly #options: EventPipelineOptions;
  readonly #host: SourceHost;
  readonly #predicates: readonly EventPredicate[];
  readonly #calls: HandlerCalls;
  #stopped = false;
  #toldSlowAt = -Infinity;

  constructor(options: EventPipelineOptions, host: SourceHost) {
    this.#options = options;
    this.#host = host;
    this.#predicates = [...host.predicates, ...(options.predicates ?? [])];
    this.#calls = new HandlerCalls(this.#handle, host, options.label);
  }

  deliver(event: ObjectEvent): void {
    if (this.#stopped) return;
    const { clock } = this.#host;
    const began = clock.monotonic();
    if (this.#predicates.every((predicate) => this.#passes(predicate, event))) this.#calls.deliver(event);
    const took = clock.monotonic() - began;
    if (took > SOURCE_DEFAULTS.slowCallback) this.#tellSlow(event, took, began);
  }

  #tellSlow(event: ObjectEvent, took: number, now: number): void {
    if (now - this.#toldSlowAt < SOURCE_DEFAULTS.slowCallbackTold) return;
    this.#toldSlowAt = now;
    this.#host.logger.warn(
      { source: this.#options.label, event: event.type, ...requestOf(event), ms: Math.round(took) },
      'predicates and handler of one event held the event loop; they should be quick, and work belongs in reconcile',
    );
  }

  stop(): void {
    this.#stopped = true;
    this.#calls.stop();
  }

  #passes(predicate: EventPredicate, event: ObjectEvent): boolean {
    const { host, label } = { host: this.#host, label: this.#options.label };
    try {
      if (passes(predicate, event)) return true;
    } catch (error) {
      host.counters.predicateErrors += 1;
      const left = host.throttle.admit(`${label} predicate ${String(error)}`);
      if (left !== undefined)
        host.logger.error(
          { err: errorFields(error), source: label, repeated: left },
          'a predicate failed; the event passes',
        );
      return true;
    }
    host.counters.filtered += 1;
    host.onFiltered?.(event);
    host.logger.debug({ source: label, event: event.type, ...requestOf(event) }, 'event filtered by a predicate');
    return false;
  }

  readonly #handle = (event: ObjectEvent): void | Promise<void> => {
    const enqueue = (request: Request, options?: EnqueueOptions): void => this.#enqueue(event, request, options);
    const { handler } = this.#options;
    switch (event.type) {
      case 'create':
        return handler.create?.(event, enqueue);
      case 'update':
        return handler.update?.(event, enqueue);
      case 'delete':
        return handler.delete?.(event, enqueue);
      case 'generic':
        return handler.generic?.(event, enqueue);
    }
  };

  #enqueue(event: ObjectEvent, request: Request, options: EnqueueOptions | undefined): void {
    if (this.#stopped) return;
    const { cluster, label } = this.#options;
    if (typeof request?.name !== 'string' || request.name === '') {
      this.#host.counters.badRequests += 1;
      const left = this.#host.throttle.admit(`${label} request without name`);
      if (left !== undefined)
        this.#host.logger.error(
          { source: label, repeated: left },
          'a handler asked for a request without a name; it was dropped',
        );
      return;
    }
    const full = cluster === undefined || request.cluster !== undefined ? request : { cluster, ...request };
    const add: AddOptions = {
      after: options?.after,
      priority: options?.priority ?? this.#options.priority ?? defaultPriority(event),
      cause: this.#causeOf(event),
    };
    if (event.type === 'delete' && this.#isOwn(full, event)) this.#host.enqueueDeleted(full, add);
    else this.#host.enqueue(full, add);
  }

  /** The event is about the very object that the request asks for. */
  #isOwn({ namespace, name }: Request, event: ObjectEvent): boolean {
    const { metadata } = objectOf(event);
    return this.#options.primary === true && metadata.name === name && metadata.namespace === namespace;
  }

  #causeOf(event: ObjectEvent): CauseRecord {
    // Not the object itself: a queue that is long would keep all of them.
    const { metadata } = objectOf(event);
    return { type: event.type, kind: this.#options.kind, object: { metadata }, at: this.#host.clock.now() };
  }
}

const defaultPriority = (event: ObjectEvent): number =>
  event.type === 'create' && event.isInInitialList ? SOURCE_DEFAULTS.initialListPriority : 0;
