import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { ObjectEvent, StoredObject } from '@kubewright/api';
import type { Transport, TransportRequest, TransportResponse, TransportStream } from '../transport/contract.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { pod, POD } from './cache-harness.test.js';
import { failure, FakeStream, KeptLogger, marker } from './scripted-transport.test.js';
import { SharedCache } from './shared-cache.js';

type Request = Pick<TransportRequest, 'path' | 'signal'>;

interface Watch {
  readonly stream: FakeStream;
  /** A connection whose packets are dropped. */
  silent: boolean;
}

/** A server in a box: objects, a revision log, lists by pages, watches, and everything that goes wrong with them. */
class Cluster implements Transport {
  readonly objects = new Map<string, StoredObject>();
  private version = 10;
  private uids = 0;
  private readonly log: { readonly version: number; readonly event: { type: string; object: StoredObject } }[] = [];
  private oldest = 0;
  private watches: Watch[] = [];
  /** Answers that come instead of the next ones. */
  readonly faults: ('refuse' | '500' | '429' | 'expire' | 'expire-event')[] = [];
  private tokensValid = true;
  private slow = 0;

  constructor(private readonly clock: VirtualClock) {}

  put(key: string): void {
    const old = this.objects.get(key);
    const uid = old?.metadata.uid ?? `uid-${++this.uids}`;
    const object = pod(key, String(++this.version), { metadata: { uid, annotations: { text: 'ü🌱' } } });
    this.objects.set(key, object);
    this.publish(old ? 'MODIFIED' : 'ADDED', object);
  }

  remove(key: string): void {
    const old = this.objects.get(key);
    if (!old) return;
    this.objects.delete(key);
    this.publish('DELETED', pod(key, String(++this.version), { metadata: { uid: old.metadata.uid } }));
  }

  /** The log is forgotten: older watches and list tokens have expired. */
  compact(): void {
    this.oldest = this.version;
    this.tokensValid = false;
  }

  bookmark(): void {
    for (const watch of this.live)
      watch.stream.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.version) } } });
  }

  cut(how: 'end' | 'break' | 'silence' | 'garbage'): void {
    for (const watch of this.live) {
      if (how === 'end') watch.stream.end();
      else if (how === 'break') watch.stream.break();
      else if (how === 'garbage') watch.stream.bytes('{"type":"ADDED","obj\n');
      if (how !== 'garbage') watch.silent = true;
    }
  }

  slowLists(): void {
    this.slow = 3;
  }

  heal(): void {
    this.faults.length = 0;
    this.slow = 0;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.slow-- > 0) await new Promise<void>((resolve) => this.clock.setTimeout(resolve, 5_000));
    request.signal?.throwIfAborted();
    const fault = this.fault();
    if (fault) return { status: fault.status, headers: {}, body: JSON.stringify(fault.body) };
    const query = queryOf(request);
    const token = query.get('continue');
    if (token && !this.tokensValid) return { status: 410, headers: {}, body: JSON.stringify(failure(410, 'Expired')) };
    const [at, from = '0'] = (token ?? '').split(':');
    const version = at || String(this.version);
    if (!token) {
      this.tokensValid = true;
      this.snapshot = [...this.objects.values()];
    }
    const limit = Number(query.get('limit') ?? Infinity);
    const items = this.snapshot.slice(Number(from), Number(from) + limit);
    const next = Number(from) + items.length;
    const more = next < this.snapshot.length ? { continue: `${version}:${next}` } : {};
    return {
      status: 200,
      headers: {},
      body: JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: version, ...more }, items }),
    };
  }

  private snapshot: StoredObject[] = [];

  async stream(request: Request): Promise<TransportStream> {
    await Promise.resolve();
    const query = queryOf(request);
    const fault = this.fault();
    if (fault) return refused(fault.status, fault.body);
    const from = query.get('resourceVersion');
    const stream = new FakeStream(200, request.signal);
    if (query.get('sendInitialEvents')) {
      for (const object of this.objects.values()) stream.send({ type: 'ADDED', object });
      stream.send(marker(String(this.version)));
    } else if (Number(from) < this.oldest) {
      if (this.version % 2) return refused(410, failure(410, 'Expired'));
      stream.send({ type: 'ERROR', object: failure(410, 'Expired') });
      stream.end();
      return stream;
    } else for (const { version, event } of this.log) if (version > Number(from)) stream.send(event);
    this.watches.push({ stream, silent: false });
    return stream;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private get live(): Watch[] {
    this.watches = this.watches.filter(({ silent, stream }) => !silent && !stream.cancelled);
    return this.watches;
  }

  private fault(): { readonly status: number; readonly body: object } | undefined {
    switch (this.faults.shift()) {
      case 'refuse':
        throw new Error('connect ECONNREFUSED');
      case '500':
        return { status: 500, body: failure(500, 'InternalError') };
      case '429':
        return { status: 429, body: failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 2 } }) };
      case 'expire':
      case 'expire-event':
        return { status: 410, body: failure(410, 'Expired') };
      default:
        return undefined;
    }
  }

  /** Lines are cut in two inside a character. */
  private publish(type: string, object: StoredObject): void {
    this.log.push({ version: this.version, event: { type, object } });
    const bytes = Buffer.from(`${JSON.stringify({ type, object })}\n`);
    const middle = bytes.indexOf('🌱') + 2;
    for (const { stream } of this.live) {
      stream.bytes(bytes.subarray(0, middle));
      stream.bytes(bytes.subarray(middle));
    }
  }
}

function refused(status: number, body: object): FakeStream {
  const stream = new FakeStream(status, undefined);
  stream.bytes(JSON.stringify(body, undefined, 1));
  stream.end();
  return stream;
}

const queryOf = ({ path }: Request): URLSearchParams => new URLSearchParams(path.split('?')[1]);

/** What handlers were told, kept as a controller would keep it; each event must fit what came before. */
class Follower {
  readonly objects = new Map<string, string>();

  take(event: ObjectEvent): void {
    if (event.type === 'generic') return;
    const { name, uid, resourceVersion } = event.type === 'update' ? event.newObject.metadata : event.object.metadata;
    const before = this.objects.get(name);
    if (event.type === 'create') expect(before, `create of ${name}, which is known`).to.equal(undefined);
    else expect(before, `${event.type} of ${name}, which is unknown`).to.not.equal(undefined);
    if (event.type === 'update') {
      const old = event.oldObject.metadata;
      expect(`${old.uid}@${old.resourceVersion}`).to.equal(before);
      expect(old.uid).to.equal(uid);
    }
    if (event.type === 'delete') this.objects.delete(name);
    else this.objects.set(name, `${uid}@${resourceVersion}`);
  }
}

const KEYS = ['a', 'b', 'c'];
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), key: fc.constantFrom(...KEYS) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), key: fc.constantFrom(...KEYS) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 500, 1_000, 10_000, 100_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cut' as const),
      how: fc.constantFrom('end' as const, 'break' as const, 'silence' as const, 'garbage' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      fault: fc.constantFrom('refuse' as const, '500' as const, '429' as const, 'expire' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: 'compact' as const }, { do: 'bookmark' as const }, { do: 'slow' as const }),
  },
);

async function run(
  actions: readonly (typeof action extends fc.Arbitrary<infer A> ? A : never)[],
  initialLoad: 'auto' | 'page',
): Promise<void> {
  const clock = new VirtualClock();
  const cluster = new Cluster(clock);
  const logger = new KeptLogger();
  const cache = new SharedCache({ transport: cluster, clock, random: () => 0.5, logger });
  const follower = new Follower();
  const informer = cache.informer(
    POD,
    {},
    { initialLoad, pageSize: 2, store: initialLoad === 'page' ? 'bytes' : 'objects' },
  );
  informer.addHandler((event) => follower.take(event));
  cluster.put('a');
  cluster.put('b');
  cache.start();
  for (const step of actions) {
    if (step.do === 'put') cluster.put(step.key);
    else if (step.do === 'remove') cluster.remove(step.key);
    else if (step.do === 'cut') cluster.cut(step.how);
    else if (step.do === 'fault') cluster.faults.push(step.fault);
    else if (step.do === 'compact') cluster.compact();
    else if (step.do === 'bookmark') cluster.bookmark();
    else if (step.do === 'slow') cluster.slowLists();
    else await clock.advance(step.ms);
  }
  cluster.heal();
  await clock.advance('3m');
  const truth = [...cluster.objects.values()].map(
    ({ metadata: { name, uid, resourceVersion } }) => `${name} ${uid}@${resourceVersion}`,
  );
  const [stream] = cache.streamsOf(POD);
  const stored = [...(stream?.store.visible.list() ?? [])].map(
    ({ metadata: { name, uid, resourceVersion } }) => `${name} ${uid}@${resourceVersion}`,
  );
  expect(stored.toSorted()).to.deep.equal(truth.toSorted());
  expect([...follower.objects].map(([name, seen]) => `${name} ${seen}`).toSorted()).to.deep.equal(truth.toSorted());
  // What the follower refused was logged by the cache, which goes on.
  expect(logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  await cache.stop();
  expect(clock.timers).to.equal(0);
}

describe('reflector under faults', () => {
  for (const initialLoad of ['auto', 'page'] as const)
    it(`R20 ends equal to the server after any sequence of faults (${initialLoad === 'page' ? 'R35: by pages, bytes store' : 'streamed, objects'})`, async function () {
      this.timeout(60_000);
      const runs = fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 25 }), (actions) =>
        run(actions, initialLoad),
      );
      await fc.assert(runs, { numRuns: 5_000 });
    });
});
