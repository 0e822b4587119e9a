import { expect } from 'chai';
import { describe, it } from 'mocha';
import { added, deleted, modified, pod, POD } from '../cache/cache-harness.test.js';
import { failure, podList } from '../cache/scripted-transport.test.js';
import { child, ClientHarness, NodeKind, PodKind, thrown, Widget } from './client-harness.test.js';
import { mutable } from './json.js';

const a = { namespace: 'default', name: 'a' };

describe('client: reads', () => {
  it('L1 finds an unknown plural by one read of its group-version and remembers a miss for 10 s', async () => {
    const resources = [
      { name: 'gadgets', kind: 'Gadget', namespaced: true },
      { name: 'gadgets/status', kind: 'Gadget', namespaced: true },
    ];
    const h = new ClientHarness({
      answer: ({ path }) => ({ body: path === '/apis/x.dev/v1' ? { resources } : podList('3') }),
    });
    const gadget = { group: 'x.dev', version: 'v1', kind: 'Gadget' };
    await h.client.list(gadget);
    await h.client.list({ ...gadget });
    expect(h.asked).to.deep.equal(['GET /apis/x.dev/v1', 'GET /apis/x.dev/v1/gadgets', 'GET /apis/x.dev/v1/gadgets']);
    h.transport.seen.length = 0;
    const missing = { group: 'x.dev', version: 'v1', kind: 'Gizmo' };
    for (let read = 0; read < 2; read++)
      expect((await thrown(h.client.list(missing))).code).to.equal('KW_CLIENT_KIND_NOT_SERVED');
    expect(h.asked).to.have.length(1);
    await h.clock.advance('10s');
    await thrown(h.client.list(missing));
    expect(h.asked).to.have.length(2);
  });

  it('L2 wants a namespace for namespaced kinds and ignores a stray one when reading cluster-scoped ones', async () => {
    const h = new ClientHarness({ answer: () => ({ body: pod('n', '1') }) });
    expect(await thrown(h.client.get(PodKind, { name: 'a' }))).to.include({ code: 'KW_CLIENT_NAMESPACE_REQUIRED' });
    await h.client.get(NodeKind, { namespace: 'stray', name: 'n' });
    expect(h.asked).to.deep.equal(['GET /api/v1/nodes/n']);
  });

  it('L4 throws NotFound from get and answers undefined from find, live and cached', async () => {
    await using h = await new ClientHarness().watchPods();
    expect(await thrown(h.client.get(PodKind, a))).to.include({
      code: 'KW_API_NOT_FOUND',
      fromCache: true,
      key: 'default/a',
    });
    expect(await thrown(h.client.live.get(PodKind, a))).to.include({ code: 'KW_API_NOT_FOUND', fromCache: false });
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
    expect(await h.client.live.find(PodKind, a)).to.equal(undefined);
  });

  it('L4 takes a 404 that names no object for a kind that is not served', async () => {
    for (const body of ['404 page not found', failure(404, 'NotFound', { details: {} })]) {
      const h = new ClientHarness({ answer: () => ({ status: 404, body }) });
      for (const call of [h.client.find(Widget, a), h.client.get(Widget, a), h.client.list(Widget)])
        expect(await thrown(call)).to.include({ code: 'KW_CLIENT_KIND_NOT_SERVED' });
    }
  });

  it('L5 fetches live lists to the end by pages of 500, with kind and version on each item', async () => {
    const item = { metadata: { name: 'w', namespace: 'default' } };
    const h = new ClientHarness({
      answer: ({ query }) => ({
        body: {
          kind: 'WidgetList',
          metadata: { resourceVersion: '9', ...(query['continue'] ? {} : { continue: 'more' }) },
          items: [item],
        },
      }),
    });
    const list = await h.client.list(Widget, { labels: { app: 'x' }, fields: 'metadata.name=w' });
    expect(list).to.have.length(2);
    expect(list.resourceVersion).to.equal('9');
    expect(list[0]).to.include({ apiVersion: 'x.dev/v1', kind: 'Widget' });
    expect(h.transport.seen[1]?.query).to.deep.equal({
      limit: '500',
      labelSelector: 'app=x',
      fieldSelector: 'metadata.name=w',
      continue: 'more',
    });
  });

  it('L20 answers keys and lists from an informer over the namespace without selector, and nothing else', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '3', { metadata: { labels: { app: 'x' } } }), pod('b', '4')],
      scope: { namespace: 'default' },
      answer: () => ({ body: podList('200') }),
    }).watchPods();
    expect(await h.client.get(PodKind, a)).to.have.nested.property('metadata.resourceVersion', '3');
    expect(await h.client.find(PodKind, { ...a, name: 'absent' })).to.equal(undefined);
    const names = async (options: object): Promise<string[]> =>
      (await h.client.list(PodKind, { namespace: 'default', ...options }))
        .map(({ metadata }) => metadata.name)
        .toSorted();
    expect(await names({})).to.deep.equal(['a', 'b']);
    expect(await names({ labels: 'app=x' })).to.deep.equal(['a']);
    expect(await names({ limit: 1 })).to.have.length(1);
    expect(h.asked).to.deep.equal([]);
    await h.client.list(PodKind);
    await h.client.list(PodKind, { namespace: 'other' });
    expect(h.asked).to.deep.equal(['GET /api/v1/pods', 'GET /api/v1/namespaces/other/pods']);
  });

  it('L19 starts no informer by reading, and hints once at a kind that is listed live 100 times in 10 min', async () => {
    await using h = await new ClientHarness({ answer: () => ({ body: podList('9') }) }).watchPods();
    for (let list = 0; list < 250; list++) await h.client.list(Widget);
    expect(h.cache.streams()).to.have.length(1);
    expect(h.logger.of('info')).to.have.length(1);
    expect(h.logger.of('info')[0]).to.contain('Widget').and.to.contain('@Watches');
    for (let list = 0; list < 150; list++) {
      await h.client.list(NodeKind);
      await h.clock.advance('10s');
    }
    expect(h.logger.of('info')).to.have.length(1);
  });

  it('L20 proves presence, not absence, with an informer that selects', async () => {
    await using h = await new ClientHarness({ objects: [pod('a', '3')], scope: { labels: 'app=x' } }).watchPods();
    await h.client.get(PodKind, a);
    expect(h.asked).to.deep.equal([]);
    await h.client.find(PodKind, { ...a, name: 'b' });
    expect(h.asked).to.deep.equal(['GET /api/v1/namespaces/default/pods/b']);
  });

  it('L20 refuses to ask the server in mode cache', async () => {
    await using h = await new ClientHarness().watchPods();
    expect(await thrown(h.client.list(Widget, { read: 'cache' }))).to.include({ code: 'KW_CACHE_NOT_CACHED' });
    expect(h.asked).to.deep.equal([]);
  });

  it('L21 fails before the start, waits for the first list, and names the state when that takes too long', async () => {
    const h = new ClientHarness({ answer: () => new Error('connect ECONNREFUSED') });
    h.cache.informer(POD, {}, { initialLoad: 'page' });
    expect(await thrown(h.client.get(PodKind, a))).to.include({ code: 'KW_CACHE_NOT_STARTED' });
    h.cache.start();
    const read = thrown(h.client.get(PodKind, a));
    await h.clock.advance('2m');
    const error = await read;
    expect(error.code).to.equal('KW_CACHE_NOT_SYNCED');
    expect(error.message).to.contain('backoff').and.to.contain('ECONNREFUSED');
    await h.cache.stop();
    expect(h.clock.timers).to.equal(0);
  });

  it('L23 freezes cached objects deeply, once, and mutable() gives a copy that may be changed', async () => {
    await using h = await new ClientHarness({ objects: [pod('a', '3', { spec: { nodeName: 'n' } })] }).watchPods();
    const object = await h.client.get(PodKind, a);
    expect(() => Object.assign(object.spec ?? {}, { nodeName: 'other' })).to.throw(TypeError);
    const copy = mutable(object);
    Object.assign(copy.spec ?? {}, { nodeName: 'other' });
    expect(await h.client.get(PodKind, a)).to.equal(object);
  });

  it('L28 R29 answers ownedBy, controlledBy and declared indexes from the cache, and knows what is not declared', async () => {
    const owner = pod('owner', '1');
    await using h = await new ClientHarness({
      objects: [
        owner,
        child('c', '2', owner),
        child('d', '3', owner, false),
        pod('e', '4', { spec: { nodeName: 'n1' } }),
      ],
      options: { indexers: { node: (o) => [(o as { spec?: { nodeName?: string } }).spec?.nodeName ?? 'none'] } },
    }).watchPods();
    const names = async (options: object): Promise<string[]> =>
      (await h.client.list(PodKind, options)).map(({ metadata }) => metadata.name).toSorted();
    expect(await names({ ownedBy: owner })).to.deep.equal(['c', 'd']);
    expect(await names({ controlledBy: owner })).to.deep.equal(['c']);
    expect(await names({ index: { node: 'n1' } })).to.deep.equal(['e']);
    expect(await names({ index: { node: 'none' }, ownedBy: owner })).to.deep.equal(['c', 'd']);
    expect(await names({ index: { node: 'n2' } })).to.deep.equal([]);
    await h.send(modified(pod('e', '105', { spec: { nodeName: 'n2' } })), deleted(child('c', '106', owner)));
    expect(await names({ index: { node: 'n2' } })).to.deep.equal(['e']);
    expect(await names({ ownedBy: owner })).to.deep.equal(['d']);
    const error = await thrown(h.client.list(PodKind, { index: { zone: 'x' } }));
    expect(error.message).to.contain('"zone"').and.to.contain('node');
    expect(h.asked).to.deep.equal([]);
  });

  it('L28 lists live in the namespace of the owner and filters where there is no informer', async () => {
    const owner = pod('owner', '1');
    const h = new ClientHarness({ answer: () => ({ body: podList('9', child('c', '2', owner), pod('d', '3')) }) });
    expect((await h.client.list(PodKind, { controlledBy: owner })).map(({ metadata }) => metadata.name)).to.deep.equal([
      'c',
    ]);
    expect(h.asked).to.deep.equal(['GET /api/v1/namespaces/default/pods']);
  });

  it('L40 never follows a live read with an older cached one', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '3')],
      answer: () => ({ body: pod('a', '120') }),
    }).watchPods();
    await h.client.live.get(PodKind, a);
    expect(await h.client.get(PodKind, a)).to.have.nested.property('metadata.resourceVersion', '120');
    await h.send(modified(pod('a', '110')));
    expect(await h.client.get(PodKind, a)).to.have.nested.property('metadata.resourceVersion', '120');
    await h.send(modified(pod('a', '120')), added(pod('z', '121')));
    expect(await h.client.get(PodKind, a)).to.have.nested.property('metadata.resourceVersion', '120');
  });

  it('R22 does not let one object that a transform cannot take blind the kind', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '3'), pod('b', '4')],
      options: {
        indexers: {
          bad: ({ metadata }) => {
            if (metadata.name === 'a') throw new Error('no spec');
            return ['x'];
          },
        },
      },
    }).watchPods();
    expect((await thrown(h.client.get(PodKind, a))).code).to.equal('KW_CACHE_MALFORMED');
    expect((await h.client.list(PodKind)).map(({ metadata }) => metadata.name)).to.deep.equal(['b']);
    expect(h.logger.of('warn')).to.have.length(1);
  });
});
