import type { EventHandler, EventPredicate, ObjectEvent, Request } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { forMapping } from '../handler/for-mapping.js';
import { forObject } from '../handler/for-object.js';
import { never, where } from '../predicate/by-object.js';
import { anObject, HandInformer, keyed, rig } from '../testing/rig.test.js';
import { type Channel, channelSource } from './channel-source.js';
import { SOURCE_DEFAULTS } from './defaults.js';
import { KindSource } from './kind-source.js';

const web = anObject('web');
/** Waits for ever: its controller takes one key and the rest stays in the queue. */
const busy = (): Promise<void> => new Promise(() => {});
const ready = (test: ReturnType<typeof rig>): string[] => test.controller.snapshot().ready.map(({ key }) => key);

describe('KindSource', () => {
  it('E2 asks the predicates of the controller first, then its own, and all must pass', async () => {
    const asked: string[] = [];
    const say = (name: string, answer: boolean): EventPredicate =>
      where(() => {
        asked.push(name);
        return answer;
      });
    await using test = rig(busy, {
      start: false,
      predicates: [say('controller', true)],
      source: { predicates: [say('own', true), say('own, dropping', false), say('not asked', true)] },
    });
    test.controller.connect();
    test.informer.create(web);
    expect(asked).to.deep.equal(['controller', 'own', 'own, dropping']);
    expect(ready(test)).to.deep.equal([]);
  });

  it('E5 leaves of a filtered event a counter and a debug line', async () => {
    await using test = rig(busy, { start: false, predicates: [never()] });
    test.controller.connect();
    test.informer.create(web);
    test.informer.delete(web);
    expect(ready(test)).to.deep.equal([]);
    expect(test.controller.counters.filtered).to.equal(2);
    expect(test.logger.lines.map(({ level, message }) => [level, message])).to.deep.equal([
      ['debug', 'event filtered by a predicate'],
      ['debug', 'event filtered by a predicate'],
    ]);
  });

  it('E6 lets an event pass whose predicate fails, counts it and logs it once a minute', async () => {
    const broken = where(() => {
      throw new Error('no labels');
    });
    const lazy: EventPredicate = { create: () => Promise.resolve(false) as unknown as boolean };
    await using test = rig(busy, { start: false, predicates: [broken, lazy] });
    test.controller.connect();
    for (const name of ['a', 'b', 'c']) test.informer.create(anObject(name));
    expect(ready(test)).to.deep.equal(['default/a', 'default/b', 'default/c']);
    expect(test.controller.counters.predicateErrors).to.equal(6);
    expect(test.logger.at('error')).to.have.length(2);
    test.clock.advanceSync('1m');
    test.informer.create(web);
    expect(test.logger.at('error').map(({ fields }) => fields['repeated'])).to.deep.equal([0, 0, 2, 2]);
  });

  it('E10 calls a handler that threw again, later each time, until it succeeds', async () => {
    const calls: number[] = [];
    let broken = true;
    const handler: EventHandler = {
      create(event, enqueue) {
        calls.push(test.clock.monotonic());
        if (broken) throw new Error('not now');
        enqueue(keyed(event.object.metadata.name));
      },
    };
    await using test = rig(busy, { start: false, source: { handler } });
    test.controller.connect();
    test.informer.create(web);
    await test.clock.advance('130s');
    expect(calls.map((at) => at / 1_000)).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 123]);
    broken = false;
    await test.clock.advance('60s');
    expect(ready(test)).to.deep.equal(['default/web']);
    await test.clock.advance('1h');
    expect(calls).to.have.length(9);
    expect(test.controller.counters.handlerErrors).to.equal(8);
  });

  it('E10 gives up a failed call when a newer event of the object succeeds', async () => {
    const seen: string[] = [];
    const handler: EventHandler = {
      create() {
        seen.push('create');
        throw new Error('never');
      },
      update: () => void seen.push('update'),
    };
    await using test = rig(busy, { start: false, source: { handler } });
    test.controller.connect();
    test.informer.create(web);
    test.informer.update(web, web);
    await test.clock.advance('1h');
    expect(seen).to.deep.equal(['create', 'update']);
  });

  it('E10 keeps the events of one object in order while a call is under way, and lets other objects go on', async () => {
    const open: { event: ObjectEvent; end: () => void }[] = [];
    const handle = (event: ObjectEvent): Promise<void> => new Promise((end) => void open.push({ event, end }));
    await using test = rig(busy, {
      start: false,
      source: { handler: { create: handle, update: handle, delete: handle } },
    });
    test.controller.connect();
    test.informer.create(web);
    test.informer.update(web, web);
    test.informer.create(anObject('db'));
    test.informer.delete(web);
    const started = (): string[] =>
      open.map(
        ({ event }) => `${event.type} ${(event.type === 'update' ? event.newObject : event.object).metadata.name}`,
      );
    expect(started()).to.deep.equal(['create web', 'create db']);
    open[0]?.end();
    await test.settle();
    expect(started().slice(2)).to.deep.equal(['update web']);
    open[2]?.end();
    await test.settle();
    expect(started().slice(3)).to.deep.equal(['delete web']);
  });

  it('E10 takes 30 s without an answer as a failure', async () => {
    let calls = 0;
    const handler = forMapping(() => {
      calls += 1;
      return calls === 1 ? new Promise<undefined>(() => {}) : Promise.resolve({ name: 'web' });
    });
    await using test = rig(busy, { start: false, source: { handler } });
    test.controller.connect();
    test.informer.create(web);
    await test.clock.advance('30999ms');
    expect(ready(test)).to.deep.equal([]);
    await test.clock.advance('1ms');
    expect(ready(test)).to.deep.equal(['web']);
  });

  it('E10 leaves no timer behind when it is stopped', async () => {
    const handler = forMapping(() => Promise.reject(new Error('never')));
    const test = rig(busy, { start: false, source: { handler } });
    test.controller.connect();
    test.informer.create(web);
    await test.settle();
    await test.controller.stop(new Error('over'));
    expect(test.clock.timers).to.equal(0);
    expect(test.informer.handlers).to.equal(0);
  });

  it('E11 drops a request without a name and says so', async () => {
    const handler: EventHandler = {
      create(_event, enqueue) {
        enqueue({ namespace: 'default' } as unknown as Request);
        enqueue({ name: '' });
        enqueue({ name: 'good' });
      },
    };
    await using test = rig(busy, { start: false, source: { handler } });
    test.controller.connect();
    test.informer.create(web);
    expect(ready(test)).to.deep.equal(['good']);
    expect(test.controller.counters.badRequests).to.equal(2);
    expect(test.logger.at('error').map(({ message }) => message)).to.deep.equal([
      'a handler asked for a request without a name; it was dropped',
    ]);
  });

  it('E12 runs a live change before the initial list it came with', async () => {
    const order: string[] = [];
    await using test = rig((request) => void order.push(request.name), { start: false });
    test.controller.connect();
    for (let index = 0; index < 50; index++) test.informer.create(anObject(`listed-${index}`), true);
    test.informer.create(anObject('live'));
    test.informer.update(anObject('listed-30'), anObject('listed-30', { resourceVersion: '2' }));
    test.controller.start();
    await test.settle();
    expect(order).to.have.length(51);
    expect(order.slice(0, 3)).to.deep.equal(['live', 'listed-30', 'listed-0']);
  });

  it('E12 a priority of the source, or of the handler, wins', async () => {
    const handler: EventHandler = {
      create: ({ object }, enqueue) =>
        enqueue(keyed(object.metadata.name), object.metadata.name === 'urgent' ? { priority: 900 } : {}),
    };
    await using test = rig(busy, { start: false, source: { handler, priority: 5 } });
    test.controller.connect();
    test.informer.create(web, true);
    test.informer.create(anObject('urgent'));
    expect(test.controller.snapshot().ready).to.deep.equal([
      { key: 'default/urgent', priority: 900 },
      { key: 'default/web', priority: 5 },
    ]);
  });

  it('M19 gives a request the cluster of its event', async () => {
    const handler = forMapping(() => [{ name: 'own' }, { name: 'other', cluster: 'west' }]);
    await using test = rig(busy, { start: false, source: { handler, cluster: 'east' } });
    test.controller.connect();
    test.informer.create(web);
    expect(ready(test)).to.deep.equal(['east|own', 'west|other']);
  });
});

describe('channelSource', () => {
  const connected = (channel: Channel): ReturnType<typeof rig> =>
    rig(busy, { start: false, sources: [channel.source({ label: 'channel', handler: forObject() })] });

  it('E13 makes a generic event of an object or a request, for every controller that lists it', async () => {
    const channel = channelSource();
    await using first = connected(channel);
    await using second = connected(channel);
    first.controller.connect();
    second.controller.connect();
    expect(channel.push(web)).to.equal(true);
    expect(channel.push({ name: 'node-1' })).to.equal(true);
    expect(ready(first)).to.deep.equal(['default/web', 'node-1']);
    expect(ready(second)).to.deep.equal(['default/web', 'node-1']);
  });

  it('E13 keeps the newest 1024 keys until the start, and says what it drops', async () => {
    const channel = channelSource();
    channel.push({ name: 'before any controller' });
    await using test = connected(channel);
    const kept = Array.from({ length: 1_023 }, (_, index) => channel.push({ name: `k${index}` }));
    expect(new Set(kept)).to.deep.equal(new Set([true]));
    expect(channel.push({ name: 'k5' }), 'a key that is there already').to.equal(true);
    expect(channel.push({ name: 'one too many' })).to.equal(false);
    test.controller.connect();
    const keys = ready(test);
    expect(keys).to.have.length(1_024);
    expect(keys).to.include.members(['k0', 'k5', 'one too many']).and.not.include('before any controller');
  });

  it('E13 says false once its controller is stopped', async () => {
    const channel = channelSource();
    const test = connected(channel);
    test.controller.connect();
    await test.controller.stop(new Error('over'));
    expect(channel.push(web)).to.equal(false);
  });
});

describe('sources of one controller', () => {
  it('C2 are synced when each that is not optional delivered its initial list', async () => {
    const [slow, optional] = [new HandInformer(), new HandInformer()];
    await using test = rig(busy, {
      start: false,
      sources: [
        new KindSource({ label: 'slow', informer: slow, handler: forObject() }),
        new KindSource({ label: 'optional', informer: optional, handler: forObject(), optional: true }),
      ],
    });
    let synced = false;
    void test.controller.synced.then(() => (synced = true));
    test.controller.connect();
    await test.settle();
    expect([synced, test.controller.isSynced()]).to.deep.equal([false, false]);
    slow.sync();
    await test.settle();
    expect([synced, test.controller.isSynced()]).to.deep.equal([true, true]);
  });

  it('C23 come and go while the controller runs', async () => {
    const late = new HandInformer().sync();
    const runs: string[] = [];
    await using test = rig((request) => void runs.push(request.name));
    const handle = test.controller.watch(new KindSource({ label: 'late', informer: late, handler: forObject() }));
    late.create(anObject('seen'));
    await test.settle();
    handle.dispose();
    late.create(anObject('not seen'));
    await test.settle();
    expect(runs).to.deep.equal(['seen']);
    expect(late.handlers).to.equal(0);
  });
});

describe('defaults of sources', () => {
  it('E10 E12 E13 are these', () => {
    expect(SOURCE_DEFAULTS).to.deep.equal({
      initialListPriority: -100,
      handlerTimeout: 30_000,
      handlerRetryBase: 1_000,
      handlerRetryMax: 60_000,
      channelBuffer: 1_024,
      slowCallback: 50,
      slowCallbackTold: 3_600_000,
      everyTick: 10,
      lateKindRetry: 10_000,
    });
  });
});
