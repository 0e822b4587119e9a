import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { failureOf, World } from '../harness.test.js';
import type { KubeObject } from './types.js';

describe('watches', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const revisionOf = (object: KubeObject): string => object.metadata.resourceVersion as string;

  it('WA-2 MG-8 MG-9 replays all that came after a revision, deletions too, then goes on live', async () => {
    const a = await world.configMap('a');
    const { resourceVersion } = await world.list('v1', 'ConfigMap');
    await world.patch(a, { data: { a: '2' } });
    await world.delete(a);
    const seen = await world.watch('v1', 'ConfigMap', { resourceVersion });
    await world.configMap('b');
    expect(seen.events).to.deep.equal(['MODIFIED a', 'DELETED a', 'ADDED b']);
  });

  it('WA-2 a revision in the future keeps the watch silent until it has passed', async () => {
    const future = String(Number(world.semantics.objects.revision()) + 1);
    const seen = await world.watch('v1', 'ConfigMap', { resourceVersion: future });
    await world.configMap('a');
    await world.configMap('b');
    expect(seen.events).to.deep.equal(['ADDED b']);
  });

  it('WA-3 a revision older than the window gets one ERROR event 410 and the end', async () => {
    await world.configMap('a');
    world.semantics.core.store.compact();
    const seen = await world.watch('v1', 'ConfigMap', { resourceVersion: '1' });
    expect(seen.events).to.deep.equal(['ERROR 410']);
    expect(seen.raw[0]?.object).to.include({ reason: 'Expired' });
    expect(seen.ended).to.equal(true);
  });

  it('WA-3 the window of a new resource begins at its definition', async () => {
    await world.defineWidgets();
    const seen = await world.watch('demo.example.com/v1', 'Widget', { resourceVersion: '1' });
    expect(seen.events).to.deep.equal(['ERROR 410']);
  });

  it('WA-4 MG-11 an object that starts or stops to fit a selector appears and disappears', async () => {
    const seen = await world.watch('v1', 'ConfigMap', {
      labelSelector: 'on=yes',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
    });
    const a = await world.configMap('a');
    await world.patch(a, { metadata: { labels: { on: 'yes' } } });
    await world.patch(a, { data: { a: '2' } });
    const left = await world.patch(a, { metadata: { labels: { on: 'no' } }, data: { a: '3' } });
    await world.delete(a);
    expect(seen.events).to.deep.equal(['ADDED a', 'MODIFIED a', 'DELETED a']);
    const last = seen.raw.at(-1)?.object as KubeObject;
    expect(last.metadata.labels).to.deep.equal({ on: 'yes' });
    expect(last['data']).to.deep.equal({ a: '2' });
    expect(revisionOf(last)).to.equal(revisionOf(left));
  });

  it('MG-12 obeys field selectors', async () => {
    const seen = await world.watch('v1', 'ConfigMap', { fieldSelector: 'metadata.name=b' });
    await world.configMap('a');
    await world.configMap('b');
    expect(seen.events).to.deep.equal(['ADDED b']);
  });

  it('WA-5 MG-15 a finalized object is MODIFIED first and, when let go, DELETED with the finalizer still shown', async () => {
    const a = await world.configMap('a', { metadata: { finalizers: ['example.com/hold'] } });
    const seen = await world.watch('v1', 'ConfigMap', { resourceVersion: revisionOf(a) });
    await world.delete(a);
    await world.patch(a, { metadata: { finalizers: null }, data: { a: 'other' } });
    expect(seen.events).to.deep.equal(['MODIFIED a', 'DELETED a']);
    const last = seen.raw[1]?.object as KubeObject;
    expect(last.metadata.finalizers).to.deep.equal(['example.com/hold']);
    expect(last['data']).to.deep.equal({ a: '1' });
    expect(Number(revisionOf(last))).to.be.greaterThan(Number(revisionOf(seen.raw[0]?.object as KubeObject)));
  });

  it('QP-9 MG-10 sends the current objects, the marked bookmark, then live events', async () => {
    await world.configMap('a');
    await world.configMap('b');
    const seen = await world.watch('v1', 'ConfigMap', { allowWatchBookmarks: true });
    await world.configMap('c');
    expect(seen.events).to.deep.equal(['ADDED a', 'ADDED b', 'BOOKMARK marked', 'ADDED c']);
    const bookmark = seen.raw[2]?.object as KubeObject;
    expect(bookmark).to.deep.include({ kind: 'ConfigMap', apiVersion: 'v1' });
    expect(bookmark.metadata.annotations).to.deep.equal({ 'k8s.io/initial-events-end': 'true' });
  });

  it('QP-9 sends no bookmark to who did not ask, and no initial events to who declined them', async () => {
    await world.configMap('a');
    const plain = await world.watch('v1', 'ConfigMap');
    const declined = await world.watch('v1', 'ConfigMap', {
      sendInitialEvents: false,
      resourceVersionMatch: 'NotOlderThan',
    });
    expect(plain.events).to.deep.equal(['ADDED a']);
    expect(declined.events).to.deep.equal([]);
  });

  it('QP-8 sends bookmarks with the revision of the store, also to idle collections, and one before the deadline', async () => {
    const seen = await world.watch('v1', 'ConfigMap', { allowWatchBookmarks: true, timeoutSeconds: 100 });
    await world.create('v1', 'Secret', { metadata: { name: 'elsewhere' } });
    world.clock.advance(62_000);
    expect(seen.events).to.deep.equal(['BOOKMARK marked', 'BOOKMARK ']);
    const bookmark = seen.raw[1]?.object as KubeObject | undefined;
    expect(bookmark?.metadata.resourceVersion).to.equal(world.semantics.objects.revision());
    world.clock.advance(36_500);
    expect(seen.events).to.deep.equal(['BOOKMARK marked', 'BOOKMARK ', 'BOOKMARK ']);
    world.clock.advance(2000);
    expect(seen.ended).to.equal(true);
  });

  it('QP-6 ends cleanly after timeoutSeconds, and by itself after half an hour to an hour', async () => {
    const short = await world.watch('v1', 'ConfigMap', { timeoutSeconds: 5 });
    const long = await world.watch('v1', 'ConfigMap');
    world.clock.advance(5000);
    expect([short.ended, long.ended]).to.deep.equal([true, false]);
    world.clock.advance(29 * 60_000);
    expect(long.ended).to.equal(false);
    world.clock.advance(31 * 60_000);
    expect(long.ended).to.equal(true);
    expect(world.semantics.core.hub.watches).to.deep.equal([]);
  });

  it('QP-7 QP-9 refuses options that do not go together', async () => {
    const message = async (options: object): Promise<string | undefined> =>
      (await failureOf(world.watch('v1', 'ConfigMap', options))).message;
    expect(await message({ sendInitialEvents: true })).to.equal(
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
    expect(await message({ resourceVersionMatch: 'NotOlderThan', resourceVersion: '1' })).to.equal(
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
    const status = await failureOf(world.watch('v1', 'ConfigMap', { resourceVersion: 'abc' }));
    expect([status.code, status.reason]).to.deep.equal([500, undefined]);
  });

  it('WA-8 gives all watches of a version one and the same object', async () => {
    const one = await world.watch('v1', 'ConfigMap');
    const two = await world.watch('v1', 'ConfigMap', { labelSelector: 'x!=y' });
    await world.configMap('a');
    expect(one.raw[0]?.object).to.equal(two.raw[0]?.object);
  });

  it('VE-1 objects survive a time in which no version of their definition is served', async () => {
    await world.defineWidgets();
    await world.widget('a');
    const crd = await world.get('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.demo.example.com');
    const { spec } = crd as unknown as { spec: { versions: object[] } };
    const serve = (served: boolean) =>
      world.patch(crd, { spec: { versions: spec.versions.map((version) => ({ ...version, served })) } });
    await serve(false);
    expect(world.semantics.registry.byKind('demo.example.com', 'Widget')).to.equal(undefined);
    await serve(true);
    expect((await world.get('demo.example.com/v1', 'Widget', 'a')).metadata.name).to.equal('a');
  });

  it('DE-15 ends the watches of a resource that is no longer served', async () => {
    await world.defineWidgets();
    const seen = await world.watch('demo.example.com/v1', 'Widget');
    await world.widget('a');
    await world.delete(
      await world.get('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.demo.example.com'),
    );
    await world.semantics.settle();
    expect(seen.events).to.deep.equal(['ADDED a', 'DELETED a']);
    expect(seen.ended).to.equal(true);
  });
});
