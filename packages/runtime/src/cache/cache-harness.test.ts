import type { KindInfo, ObjectEvent, StoredObject } from '@kubewright/api';
import { VirtualClock } from '../testing/virtual-clock.js';
import type { Informer, InformerOptions, InformerScope } from './contract.js';
import { type Answer, KeptLogger, ScriptedTransport, type Seen } from './scripted-transport.test.js';
import { SharedCache } from './shared-cache.js';

export const POD: KindInfo = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
  hasStatus: true,
};

/** A Pod as stored. */
export function pod(name: string, resourceVersion: string, extra: object = {}): StoredObject {
  const metadata = { name, namespace: 'default', uid: `uid-${name}`, resourceVersion, creationTimestamp: 'then' };
  const { metadata: more, ...rest } = extra as { metadata?: object };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...more }, ...rest } as StoredObject;
}

export const added = (object: StoredObject): object => ({ type: 'ADDED', object });
export const modified = (object: StoredObject): object => ({ type: 'MODIFIED', object });
export const deleted = (object: StoredObject): object => ({ type: 'DELETED', object });

/** `create a`, `update a@2→3`, `delete a?` in the order handlers saw them. */
export function told(events: readonly ObjectEvent[]): string[] {
  return events.map((event) => {
    if (event.type === 'update')
      return `update ${event.newObject.metadata.name}@${event.oldObject.metadata.resourceVersion}→${event.newObject.metadata.resourceVersion}`;
    const unknown = event.type === 'delete' && event.deleteStateUnknown ? '?' : '';
    return `${event.type} ${event.object.metadata.name}${unknown}`;
  });
}

interface HarnessOptions {
  readonly scope?: InformerScope;
  readonly options?: InformerOptions;
  readonly answer?: (request: Seen) => Answer | Promise<Answer>;
  readonly refuse?: (request: Seen) => Answer | undefined;
}

/** A cache over a scripted transport on virtual time, with one informer of Pods. */
export class CacheHarness implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly logger: KeptLogger = new KeptLogger();
  readonly transport: ScriptedTransport;
  readonly cache: SharedCache;
  readonly informer: Informer;
  readonly events: ObjectEvent[] = [];

  constructor({ scope = {}, options = {}, answer, refuse }: HarnessOptions = {}) {
    this.transport = new ScriptedTransport({
      now: () => this.clock.monotonic(),
      ...(answer && { answer }),
      ...(refuse && { refuse }),
    });
    this.cache = new SharedCache({
      transport: this.transport,
      clock: this.clock,
      random: () => 0.5,
      logger: this.logger,
    });
    this.informer = this.cache.informer(POD, scope, options);
    this.informer.addHandler((event) => this.events.push(event));
  }

  /** Starts, and lets what can happen at once happen. */
  async start(): Promise<this> {
    this.cache.start();
    await this.clock.settle();
    return this;
  }

  /** Sends on the newest watch. */
  async send(...events: readonly object[]): Promise<void> {
    this.transport.latest.send(...events);
    await this.clock.settle();
  }

  /** What readers see: `name@version`, sorted. */
  get stored(): string[] {
    const [stream] = this.cache.streamsOf(POD);
    const objects = [...(stream?.store.visible.list() ?? [])];
    return objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache.stop();
  }
}
