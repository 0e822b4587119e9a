import { kind, type KindToken, type StoredObject } from '@kubewright/api';
import { pod, POD } from '../cache/cache-harness.test.js';
import type { InformerOptions, InformerScope } from '../cache/contract.js';
import {
  type Answer,
  failure,
  KeptLogger,
  podList,
  ScriptedTransport,
  type Seen,
} from '../cache/scripted-transport.test.js';
import { SharedCache } from '../cache/shared-cache.js';
import { RunContexts } from '../run-context.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { KindRegistry } from './kind-registry.js';
import { KubeClient } from './kube-client.js';

export type Pod = StoredObject & { spec?: { nodeName?: string }; status?: { phase?: string } };

export const PodKind: KindToken<Pod> = kind({ group: '', version: 'v1', kind: 'Pod' });
export const NodeKind: KindToken<Pod> = kind({ group: '', version: 'v1', kind: 'Node' });
export const Widget: KindToken<Pod> = kind({
  group: 'x.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});

interface HarnessOptions {
  /** Objects in the first list. */
  readonly objects?: readonly StoredObject[];
  readonly scope?: InformerScope;
  readonly options?: InformerOptions;
  /** Answers everything but the informer's first list. */
  readonly answer?: (request: Seen) => Answer | Promise<Answer>;
}

/** A client over a scripted transport, with an informer of Pods unless the test wants none. */
export class ClientHarness implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly logger: KeptLogger = new KeptLogger();
  readonly runContexts: RunContexts = new RunContexts();
  readonly transport: ScriptedTransport;
  readonly cache: SharedCache;
  readonly kinds: KindRegistry;
  readonly client: KubeClient;

  constructor(private readonly options: HarnessOptions = {}) {
    const { clock, logger, runContexts } = this;
    const { objects = [], answer } = options;
    this.transport = new ScriptedTransport({
      now: () => clock.monotonic(),
      answer: (request) => {
        if (request.path.endsWith('/pods') && request.query['limit'] === '7')
          return { body: podList('100', ...objects) };
        return answer?.(request) ?? { status: 404, body: failure(404, 'NotFound', { details: { name: 'x' } }) };
      },
    });
    this.cache = new SharedCache({ transport: this.transport, clock, random: () => 0.5, logger });
    this.kinds = new KindRegistry({ transport: this.transport, clock });
    this.client = new KubeClient({
      transport: this.transport,
      kinds: this.kinds,
      clock,
      logger,
      cache: this.cache,
      operatorName: 'op',
      runContexts,
    });
  }

  /** Starts an informer of Pods and forgets the requests it made. */
  async watchPods(): Promise<this> {
    const { scope = {}, options } = this.options;
    this.cache.informer(POD, scope, { initialLoad: 'page', pageSize: 7, ...options });
    this.cache.start();
    await this.clock.settle();
    this.transport.seen.length = 0;
    return this;
  }

  /** Sends on the watch of the informer. */
  async send(...events: readonly object[]): Promise<void> {
    this.transport.latest.send(...events);
    await this.clock.settle();
  }

  /** What was asked since the informer started, as `GET /path`. */
  get asked(): string[] {
    return this.transport.seen.map(({ method, path }) => `${method} ${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cache.stop();
  }
}

/** What a call threw; fails when it did not. */
export async function thrown(call: Promise<unknown>): Promise<Error & { code: string }> {
  let result: unknown;
  try {
    result = await call;
  } catch (error) {
    return error as Error & { code: string };
  }
  throw new Error(`expected an error, got ${JSON.stringify(result)}`);
}

/** A Pod owned by `owner`. */
export function child(name: string, version: string, owner: StoredObject, controller = true): StoredObject {
  const { uid, name: ownerName } = owner.metadata;
  return pod(name, version, {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: ownerName, uid, controller }] },
  });
}
