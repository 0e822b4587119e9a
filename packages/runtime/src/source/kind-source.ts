import type { Request } from '@kubewright/api';
import type { HandlerRegistration, Informer, StreamStatus } from '../cache/contract.js';
import type { Source, SourceHost } from './contract.js';
import { EventPipeline, type EventPipelineOptions } from './event-pipeline.js';

/** Options of {@link KindSource}. */
export interface KindSourceOptions extends EventPipelineOptions {
  readonly informer: Informer;
  /** The controller starts without waiting for the kind (M14). Default false. */
  readonly optional?: boolean;
}

/** The objects of one kind and scope, as an informer tells them. */
export class KindSource implements Source {
  readonly label: string;
  readonly optional: boolean;
  readonly synced: Promise<void>;
  readonly #options: KindSourceOptions;
  readonly #resolveSynced: () => void;
  #registration: HandlerRegistration | undefined;
  #pipeline: EventPipeline | undefined;

  constructor(options: KindSourceOptions) {
    this.label = options.label;
    this.optional = options.optional ?? false;
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.synced = promise;
    this.#resolveSynced = resolve;
  }

  start(host: SourceHost): void {
    const { informer } = this.#options;
    const pipeline = new EventPipeline({ kind: informer.kind.kind, ...this.#options }, host);
    this.#pipeline = pipeline;
    this.#registration = informer.addHandler((event) => pipeline.deliver(event));
    void this.#registration.synced.then(this.#resolveSynced);
  }

  isSynced(): boolean {
    return this.#registration?.isSynced() ?? false;
  }

  holds({ cluster, namespace, name }: Request): boolean | undefined {
    const { primary, informer } = this.#options;
    if (primary !== true || cluster !== this.#options.cluster) return undefined;
    return informer.holds(namespace, name);
  }

  stream(): StreamStatus {
    return this.#options.informer.state();
  }

  stop(): void {
    this.#pipeline?.stop();
    this.#registration?.dispose();
  }
}
