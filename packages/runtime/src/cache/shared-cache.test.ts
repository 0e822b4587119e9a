import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ObjectEvent, StoredObject } from '@kubewright/api';
import { added, CacheHarness, deleted, modified, pod, POD, told } from './cache-harness.test.js';
import { podList } from './scripted-transport.test.js';

const labelled = (name: string, version: string, app: string): StoredObject =>
  pod(name, version, { metadata: { labels: { app } } });
const page = { initialLoad: 'page' } as const;
const harness = (...objects: readonly StoredObject[]): CacheHarness =>
  new CacheHarness({ options: page, answer: () => ({ body: podList('5', ...objects) }) });

describe('shared cache', () => {
  it('R1 R2 watches once for ten wishes with one unselected among them', async () => {
    await using cache = harness(labelled('a', '3', 'x'));
    for (const scope of [{ labels: 'app=x' }, { namespace: 'default' }, { fields: 'metadata.name=a' }])
      for (let wish = 0; wish < 3; wish++) cache.cache.informer(POD, scope, page);
    await cache.start();
    expect(cache.transport.watches).to.have.length(1);
    expect(cache.cache.streams()).to.have.length(1);
  });

  it('R2 shows a view what the server would: leaving the selector is a delete, entering a create', async () => {
    await using cache = harness(labelled('a', '3', 'x'), labelled('b', '4', 'y'));
    const events: ObjectEvent[] = [];
    cache.cache.informer(POD, { labels: 'app=x' }, page).addHandler((event) => events.push(event));
    await cache.start();
    await cache.send(
      modified(labelled('b', '6', 'x')),
      modified(labelled('a', '7', 'x')),
      modified(labelled('a', '8', 'y')),
      deleted(labelled('a', '9', 'y')),
      deleted(labelled('b', '10', 'x')),
    );
    expect(told(events)).to.deep.equal(['create a', 'create b', 'update a@3→7', 'delete a', 'delete b']);
  });

  it('R1 refuses two transforms on one stream, naming both users', async () => {
    await using cache = harness();
    const transform = (object: StoredObject): StoredObject => object;
    cache.cache.informer(POD, { labels: 'app=x' }, { ...page, label: 'First @For(Pod)', transform });
    cache.cache.informer(
      POD,
      { labels: 'app=x' },
      { ...page, label: 'Second @Owns(Pod)', transform: (object) => object },
    );
    expect(() => cache.cache.start())
      .to.throw(/First @For\(Pod\) and Second @Owns\(Pod\)/)
      .with.property('code', 'KW_CACHE_TRANSFORM_CONFLICT');
  });

  it('R25 gives a handler that comes late creates for what is stored, then live events, without gap or repeat', async () => {
    await using cache = await harness(pod('a', '3'), pod('b', '4')).start();
    await cache.send(modified(pod('a', '6')));
    const events: ObjectEvent[] = [];
    const late = cache.informer.addHandler((event) => events.push(event));
    expect(late.isSynced()).to.equal(false);
    await cache.send(added(pod('c', '7')));
    await late.synced;
    expect(told(events)).to.deep.equal(['create a', 'create b', 'create c']);
    expect(events.map((event) => event.type === 'create' && event.isInInitialList)).to.deep.equal([true, true, false]);
  });

  it('R25 is synced for a handler when it saw the whole initial list', async () => {
    await using cache = harness(pod('a', '3'));
    const seen: boolean[] = [];
    const registration = cache.informer.addHandler(() => seen.push(registration.isSynced()));
    expect(cache.informer.state()).to.include({ state: 'waiting', synced: false });
    await cache.start();
    await registration.synced;
    expect(seen).to.deep.equal([false]);
    registration.dispose();
    await cache.send(added(pod('b', '6')));
    expect(seen).to.have.length(1);
  });

  it('goes on when a handler throws, and says so', async () => {
    await using cache = harness(pod('a', '3'));
    cache.informer.addHandler(() => {
      throw new Error('a bug');
    });
    await cache.start();
    await cache.send(added(pod('b', '6')));
    expect(told(cache.events)).to.deep.equal(['create a', 'create b']);
    expect(cache.logger.of('error')).to.have.length(2);
  });

  it('R27 strips managedFields and nothing else, unless asked to keep them', async () => {
    const full = pod('a', '3', { metadata: { managedFields: [{ manager: 'x' }] }, status: { unknown: null } });
    for (const keepManagedFields of [false, true]) {
      await using cache = await new CacheHarness({
        options: { ...page, keepManagedFields },
        answer: () => ({ body: podList('5', full) }),
      }).start();
      const [event] = cache.events;
      const expected = keepManagedFields ? full : pod('a', '3', { status: { unknown: null } });
      expect(event?.type === 'create' && event.object).to.deep.equal(expected);
    }
  });

  it('R28 asks for metadata only where no wish needs more, and names the kind itself', async () => {
    const wrapped = { ...pod('a', '3'), apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
    await using cache = await new CacheHarness({
      options: { ...page, metadataOnly: true },
      answer: () => ({ body: podList('5', wrapped) }),
    }).start();
    const [event] = cache.events;
    expect(event?.type === 'create' && event.object).to.include({ apiVersion: 'v1', kind: 'Pod' });
  });

  it('R22 drops an object without name or version, and keeps the metadata of one whose transform fails', async () => {
    const transform = (object: StoredObject): StoredObject => {
      if (object.metadata.name === 'bad') throw new Error('cannot');
      return object.metadata.name === 'renamed' ? pod('other', '4') : object;
    };
    await using cache = await new CacheHarness({
      options: { ...page, transform },
      answer: () => ({
        body: podList(
          '5',
          pod('bad', '3', { spec: {} }),
          pod('renamed', '4', { spec: {} }),
          { metadata: {} },
          pod('good', '2'),
        ),
      }),
    }).start();
    expect(told(cache.events)).to.deep.equal(['create bad', 'create renamed', 'create good']);
    expect(cache.events.map((event) => 'object' in event && 'spec' in event.object)).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(cache.logger.of('warn')).to.have.length(3);
  });

  it('R34 warns who keeps every Secret of the cluster, unless it is narrowed or meant', async () => {
    await using cache = harness();
    const secret = { ...POD, kind: 'Secret', plural: 'secrets' };
    cache.cache.informer(secret, { labels: 'a=b' }, page);
    cache.cache.informer({ ...secret, kind: 'ConfigMap', plural: 'configmaps' }, {}, { ...page, unscoped: true });
    await cache.start();
    expect(cache.logger.of('warn')).to.deep.equal([]);
    cache.cache.informer(secret, {}, { ...page, label: 'AppController @Owns(V1Secret)' });
    expect(cache.logger.of('warn').join()).to.match(
      /^AppController @Owns\(V1Secret\) keeps every Secret .*metadataOnly/,
    );
  });

  it('R36 stops a stream with its last informer and frees its store', async () => {
    await using cache = await harness(pod('a', '3')).start();
    const second = cache.cache.informer(POD, {}, page);
    await cache.informer.dispose();
    expect(cache.cache.streams()).to.have.length(1);
    await second.dispose();
    expect(cache.cache.streams()).to.deep.equal([]);
    expect(cache.clock.timers).to.equal(0);
    expect(cache.cache.streamsOf(POD)).to.deep.equal([]);
  });

  it('R29 fills an index that is declared after the start in one pass', async () => {
    await using cache = await harness(labelled('a', '3', 'x'), labelled('b', '4', 'y')).start();
    cache.cache.informer(POD, {}, { ...page, indexers: { app: ({ metadata }) => [metadata.labels?.['app'] ?? ''] } });
    const [stream] = cache.cache.streamsOf(POD);
    expect([...(stream?.store.visible.byIndex('app', 'y') ?? [])].map(({ metadata }) => metadata.name)).to.deep.equal([
      'b',
    ]);
    await cache.send(modified(labelled('a', '6', 'y')));
    expect(stream?.store.visible.byIndex('app', 'y')?.size).to.equal(2);
    expect(stream?.store.visible.byIndex('app', 'x')?.size).to.equal(0);
  });
});
