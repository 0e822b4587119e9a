import { type GenericEvent, type KubernetesObject, type Request, requestKey, type Wire } from '@kubewright/api';
import type { Source, SourceHost } from './contract.js';
import { SOURCE_DEFAULTS } from './defaults.js';
import { requestOf } from './event-object.js';
import { EventPipeline, type EventPipelineOptions } from './event-pipeline.js';

/** Keeps the newest event of each of the newest keys. */
class EventBuffer {
  readonly #events = new Map<string, GenericEvent>();

  /** False when the oldest key had to go. */
  push(event: GenericEvent): boolean {
    const key = requestKey(requestOf(event));
    this.#events.delete(key);
    this.#events.set(key, event);
    if (this.#events.size <= SOURCE_DEFAULTS.channelBuffer) return true;
    for (const oldest of this.#events.keys()) return !this.#events.delete(oldest);
    return true;
  }

  values(): GenericEvent[] {
    return [...this.#events.values()];
  }

  clear(): void {
    this.#events.clear();
  }
}

/** Events from outside the cluster, for every controller that lists it (E13). Made by {@link channelSource}. */
export class Channel {
  readonly #sources = new Set<ChannelSource>();
  readonly #unclaimed = new EventBuffer();

  /**
   * Tells of an object, or of a request when the object is not at hand; both become a generic event. False when
   * something was dropped: before the start only the newest 1024 keys are kept, after the stop nothing is.
   */
  push(target: Pick<Request, 'namespace' | 'name'> | KubernetesObject): boolean {
    const event: GenericEvent = { type: 'generic', object: asObject(target) };
    if (this.#sources.size === 0) return this.#unclaimed.push(event);
    let kept = true;
    for (const source of this.#sources) kept = source.deliver(event) && kept;
    return kept;
  }

  /** Connects a controller; until the first one starts, each gets what was pushed before. */
  source(options: EventPipelineOptions): Source {
    const source = new ChannelSource(options, {
      before: this.#unclaimed.values(),
      onStart: () => this.#unclaimed.clear(),
    });
    this.#sources.add(source);
    return source;
  }
}

/** Makes a source for events from outside the cluster. */
export const channelSource = (): Channel => new Channel();

class ChannelSource implements Source {
  readonly label: string;
  readonly optional: boolean = false;
  readonly synced: Promise<void> = Promise.resolve();
  readonly #options: EventPipelineOptions;
  readonly #before = new EventBuffer();
  readonly #onStart: () => void;
  #pipeline: EventPipeline | undefined;
  #stopped = false;

  constructor(options: EventPipelineOptions, channel: { before: readonly GenericEvent[]; onStart: () => void }) {
    this.label = options.label;
    this.#options = options;
    this.#onStart = channel.onStart;
    for (const event of channel.before) this.#before.push(event);
  }

  deliver(event: GenericEvent): boolean {
    if (this.#stopped) return false;
    if (this.#pipeline === undefined) return this.#before.push(event);
    this.#pipeline.deliver(event);
    return true;
  }

  start(host: SourceHost): void {
    this.#pipeline = new EventPipeline(this.#options, host);
    for (const event of this.#before.values()) this.#pipeline.deliver(event);
    this.#before.clear();
    this.#onStart();
  }

  isSynced(): boolean {
    return true;
  }

  stop(): void {
    this.#stopped = true;
    this.#pipeline?.stop();
  }
}

/** A request becomes an object that has its key and nothing else. */
function asObject(target: Pick<Request, 'namespace' | 'name'> | KubernetesObject): Wire<KubernetesObject> {
  if (!('name' in target)) return target as Wire<KubernetesObject>;
  const { namespace, name } = target;
  return { metadata: namespace === undefined ? { name } : { namespace, name } } as Wire<KubernetesObject>;
}
