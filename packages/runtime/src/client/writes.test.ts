import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { added, deleted, modified, pod } from '../cache/cache-harness.test.js';
import { failure, podList, type Seen } from '../cache/scripted-transport.test.js';
import { child, ClientHarness, NodeKind, type Pod, PodKind, thrown, Widget } from './client-harness.test.js';

const a = { namespace: 'default', name: 'a' };
const draft = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default' } };

/** A harness whose server answers each write with the body it got, at version 150. */
const echo = (extra: object = {}): ClientHarness =>
  new ClientHarness({
    answer: ({ body, path }: Seen) => {
      const name = path.includes('/pods/') ? 'a' : ((body as Pod).metadata?.name ?? 'a');
      return { status: 201, body: { ...pod(name, '150'), ...extra } };
    },
  });

describe('client: writes', () => {
  it('L7 fills apiVersion and kind, refuses a contradiction, changes no argument', async () => {
    const h = echo();
    const object = { metadata: { name: 'a', namespace: 'default' } };
    await h.client.create(PodKind, object);
    expect(h.transport.seen[0]).to.include({ method: 'POST', path: '/api/v1/namespaces/default/pods' });
    expect(h.transport.seen[0]?.body).to.deep.equal({ metadata: object.metadata, apiVersion: 'v1', kind: 'Pod' });
    expect(object).to.deep.equal({ metadata: { name: 'a', namespace: 'default' } });
    expect(await thrown(h.client.create(PodKind, { ...draft, kind: 'Node' }))).to.include({
      code: 'KW_CLIENT_KIND_MISMATCH',
    });
  });

  it('L2 refuses a namespace on a cluster-scoped object', async () => {
    expect(await thrown(echo().client.create(NodeKind, { metadata: { name: 'n', namespace: 'stray' } }))).to.include({
      code: 'KW_CLIENT_NAMESPACE_UNWANTED',
    });
  });

  it('L8 wants a resourceVersion for update unless it is unconditional', async () => {
    const h = echo();
    expect(await thrown(h.client.update(draft))).to.include({ code: 'KW_CLIENT_UPDATE_WITHOUT_VERSION' });
    await h.client.update(pod('a', '7'));
    await h.client.update(pod('a', '7'), { unconditional: true });
    expect(h.transport.seen.map(({ body }) => (body as Pod).metadata.resourceVersion)).to.deep.equal(['7', undefined]);
  });

  it('L9 sends each patch type with its content type and lock, and refuses the wrong body', async () => {
    const h = echo();
    const target = pod('a', '7');
    await h.client.patch(target, { spec: { x: 1 } }, { optimisticLock: true });
    await h.client.patch(target, [{ op: 'remove', path: '/spec' }], { type: 'json', optimisticLock: true });
    await h.client.patch(target, { spec: {} }, { type: 'strategic' });
    expect(h.transport.seen.map(({ contentType, body }) => [contentType, body])).to.deep.equal([
      ['application/merge-patch+json', { spec: { x: 1 }, metadata: { resourceVersion: '7' } }],
      [
        'application/json-patch+json',
        [
          { op: 'test', path: '/metadata/resourceVersion', value: '7' },
          { op: 'remove', path: '/spec' },
        ],
      ],
      ['application/strategic-merge-patch+json', { spec: {} }],
    ]);
    expect(await thrown(h.client.patch(target, []))).to.include({ code: 'KW_CLIENT_PATCH_BODY' });
    expect(await thrown(h.client.patch(target, {}, { type: 'json' }))).to.include({ code: 'KW_CLIENT_PATCH_BODY' });
    expect(await thrown(h.client.patch(Widget, a, {}, { type: 'strategic' }))).to.include({
      code: 'KW_CLIENT_STRATEGIC_CUSTOM',
    });
    expect(await thrown(h.client.patch(PodKind, a, {}, { optimisticLock: true }))).to.include({
      code: 'KW_CLIENT_LOCK_WITHOUT_VERSION',
    });
  });

  it('L11 applies with the manager of operator and controller, and refuses what was read', async () => {
    const h = echo();
    await h.client.apply(draft);
    const run = { controllerName: 'podset', signal: new AbortController().signal, loggerFields: {} };
    await h.runContexts.run(run, () => h.client.apply(draft, { force: false }));
    expect(h.transport.seen.map(({ query }) => [query['fieldManager'], query['force']])).to.deep.equal([
      ['op', 'true'],
      ['op-podset', undefined],
    ]);
    expect(h.transport.seen[0]?.contentType).to.equal('application/apply-patch+yaml');
    expect(await thrown(h.client.apply(pod('a', '7')))).to.include({ code: 'KW_CLIENT_APPLY_READ_OBJECT' });
  });

  it('L12 deletes in the background, only the uid it was given, and tells what is left', async () => {
    const answers: { status?: number; body: object }[] = [
      { body: pod('a', '9') },
      { body: pod('a', '9', { metadata: { finalizers: ['x/y'] } }) },
      { body: pod('a', '9', { metadata: { deletionGracePeriodSeconds: 30 } }) },
      { body: { kind: 'Status', apiVersion: 'v1', status: 'Success', details: { name: 'a', uid: 'uid-a' } } },
      { status: 404, body: failure(404, 'NotFound', { details: { name: 'a' } }) },
      {
        status: 409,
        body: failure(409, 'Conflict', {
          message: 'Precondition failed: UID in precondition: x, UID in object meta: y',
        }),
      },
    ];
    const h = new ClientHarness({ answer: () => answers.shift() ?? new Error('no more') });
    const outcomes = [];
    while (answers.length > 0) outcomes.push(await h.client.delete(pod('a', '7')));
    expect(outcomes).to.deep.equal(['deleted', 'deleting', 'deleting', 'deleted', 'absent', 'absent']);
    expect(h.transport.seen[0]?.body).to.deep.equal({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions: { uid: 'uid-a' },
    });
    answers.push({ status: 404, body: failure(404, 'NotFound', { details: { name: 'a' } }) });
    expect(await thrown(h.client.delete(PodKind, a, { mustExist: true }))).to.include({ code: 'KW_API_NOT_FOUND' });
    expect(h.transport.seen.at(-1)?.body).to.not.have.property('preconditions');
  });

  it('L14 writes the status alone', async () => {
    const h = echo();
    await h.client.status(PodKind, a).patch({ phase: 'Running' });
    await h.client.status<Pod>(pod('a', '7')).update({ phase: 'Running' });
    await h.client.status(PodKind, a).apply({ phase: 'Running' });
    expect(h.asked).to.deep.equal([
      'PATCH /api/v1/namespaces/default/pods/a/status',
      'PUT /api/v1/namespaces/default/pods/a/status',
      'PATCH /api/v1/namespaces/default/pods/a/status',
    ]);
    expect(h.transport.seen[0]?.body).to.deep.equal({ status: { phase: 'Running' } });
    expect(h.transport.seen[1]?.body).to.have.nested.property('metadata.resourceVersion', '7');
  });

  it('L14 names @Status where the kind has no status subresource', async () => {
    const notFound = { status: 404, body: failure(404, 'NotFound', { details: { name: 'a' } }) };
    const resources: object[] = [{ name: 'widgets', kind: 'Widget', namespaced: true }];
    const h = new ClientHarness({ answer: ({ method }) => (method === 'GET' ? { body: { resources } } : notFound) });
    const error = await thrown(h.client.status(Widget, a).patch({ phase: 'x' }));
    expect(error.code).to.equal('KW_CLIENT_NO_STATUS');
    expect(error.message).to.contain('@Status');
    resources.push({ name: 'widgets/status', kind: 'Widget', namespaced: true });
    expect(await thrown(h.client.status(Widget, a).patch({ phase: 'x' }))).to.include({ code: 'KW_API_NOT_FOUND' });
  });

  it('L15 does not send a status patch that would change nothing in the newest cached state', async () => {
    const stored = pod('a', '3', { status: { phase: 'Running', extra: { deep: [1] } } });
    await using h = await new ClientHarness({
      objects: [stored],
      answer: () => ({ body: pod('a', '150', { status: { phase: 'Done' } }) }),
    }).watchPods();
    const status = h.client.status(PodKind, a);
    expect(await status.patch({ phase: 'Running' })).to.deep.equal(stored);
    expect(h.asked).to.have.length(0);
    await status.patch({ phase: 'Running' }, { always: true });
    expect(h.asked).to.have.length(1);
    await status.patch({ phase: 'Done' });
    expect(h.asked).to.have.length(1);
    await status.patch({ phase: null });
    expect(h.asked).to.have.length(2);
  });

  it('L16 L17 sends the options of a write, of the call before those of the derived client', async () => {
    const h = echo();
    const derived = h.client.with({ namespace: 'default', dryRun: true, fieldManager: 'me', fieldValidation: 'Warn' });
    await h.client.create(draft);
    await derived.create(PodKind, { metadata: { name: 'a' } }, { fieldManager: 'other' });
    expect(h.transport.seen.map(({ query }) => query)).to.deep.equal([
      { fieldManager: 'op', fieldValidation: 'Strict' },
      { dryRun: 'All', fieldManager: 'other', fieldValidation: 'Warn' },
    ]);
    expect(await thrown(derived.get(PodKind, { namespace: 'other', name: 'a' }))).to.include({
      code: 'KW_CLIENT_NAMESPACE_MISMATCH',
    });
  });

  it('L18 ends a call with the run it is part of', async () => {
    const h = echo();
    const controller = new AbortController();
    controller.abort(new Error('the run is over'));
    const run = { controllerName: 'c', signal: controller.signal, loggerFields: {} };
    expect((await thrown(h.runContexts.run(run, () => h.client.create(draft)))).message).to.equal('the run is over');
  });

  it('L24 refuses an update of a kind that the cache keeps in part, and never sends what erases managedFields', async () => {
    await using h = await new ClientHarness({
      options: { transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) },
      answer: () => ({ body: pod('a', '150') }),
    }).watchPods();
    expect(await thrown(h.client.update(pod('a', '7')))).to.include({ code: 'KW_CLIENT_UPDATE_TRANSFORMED' });
    for (const managedFields of [[], [{}]])
      await h.client.update(pod('a', '7', { metadata: { managedFields } }), { transformed: true });
    for (const { body } of h.transport.seen) expect((body as Pod).metadata).to.not.have.property('managedFields');
  });

  it('T22 refuses a number that was rounded when it was read, before any request', async () => {
    const h = echo();
    const object = { ...pod('a', '7'), spec: { big: JSON.parse('9007199254740993') as number } };
    const error = await thrown(h.client.update(object));
    expect(error.code).to.equal('KW_JSON_UNSAFE_INTEGER');
    expect(error.message).to.contain('spec.big');
    expect(h.asked).to.deep.equal([]);
  });
});

describe('client: own writes in cached reads', () => {
  it('L35 shows a created child at once, in every index, and counts it once when its event comes', async () => {
    const owner = pod('owner', '1');
    await using h = await new ClientHarness({
      objects: [owner],
      answer: () => ({ status: 201, body: child('c', '150', owner) }),
    }).watchPods();
    const names = async (): Promise<string[]> =>
      (await h.client.list(PodKind, { ownedBy: owner })).map((o) => o.metadata.name);
    await h.client.create(child('c', '', owner));
    expect(await names()).to.deep.equal(['c']);
    await h.send(added(child('c', '150', owner)));
    expect(await names()).to.deep.equal(['c']);
    await h.send(deleted(child('c', '160', owner)));
    expect(await names()).to.deep.equal([]);
  });

  it('L35 hands out an object of its own: what the caller does with the answer does not reach the cache', async () => {
    await using h = await new ClientHarness({
      answer: () => ({ status: 201, body: pod('a', '150', { spec: { nodeName: 'n' } }) }),
    }).watchPods();
    const created = (await h.client.create(draft)) as unknown as { spec: { nodeName: string } };
    created.spec.nodeName = 'changed';
    expect(await h.client.get(PodKind, a)).to.have.nested.property('spec.nodeName', 'n');
  });

  it('L37 hides an object whose write left the selector of the informer', async () => {
    const labelled = (version: string, app: string): ReturnType<typeof pod> =>
      pod('a', version, { metadata: { labels: { app } } });
    await using h = await new ClientHarness({
      objects: [labelled('3', 'x')],
      scope: { labels: 'app=x' },
      answer: ({ method }) => (method === 'PATCH' ? { body: labelled('150', 'y') } : { body: podList('150') }),
    }).watchPods();
    await h.client.patch(PodKind, a, { metadata: { labels: { app: 'y' } } });
    expect(await h.client.list(PodKind, { labels: 'app=x' })).to.have.length(0);
    expect(h.asked).to.deep.equal(['PATCH /api/v1/namespaces/default/pods/a']);
  });

  it('L38 hides a deleted object until its event, and never a new one of its name', async () => {
    const answers = [{ body: pod('a', '150') }, { status: 201, body: pod('a', '160', { metadata: { uid: 'new' } }) }];
    await using h = await new ClientHarness({
      objects: [pod('a', '3')],
      answer: () => answers.shift() as object,
    }).watchPods();
    expect(await h.client.delete(pod('a', '3'))).to.equal('deleted');
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
    await h.send(modified(pod('a', '149')));
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
    await h.client.create(draft);
    expect(await h.client.find(PodKind, a)).to.have.nested.property('metadata.uid', 'new');
    await h.send(deleted(pod('a', '150')));
    expect(await h.client.find(PodKind, a)).to.have.nested.property('metadata.uid', 'new');
  });

  it('L38 hides an object whose last finalizer was taken off, since the answer is its last state', async () => {
    const going = (version: string, more: object): StoredObject =>
      pod('a', version, { metadata: { deletionTimestamp: 'now', deletionGracePeriodSeconds: 0, ...more } });
    await using h = await new ClientHarness({
      objects: [going('3', { finalizers: ['x/y'] })],
      answer: () => ({ body: going('150', {}) }),
    }).watchPods();
    await h.client.patch(PodKind, a, { metadata: { finalizers: null } });
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
    await h.send(deleted(going('151', {})));
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
  });

  it('L43 L46 does not remember dry runs and writes that ask not to be', async () => {
    await using h = await new ClientHarness({ answer: () => ({ status: 201, body: pod('a', '150') }) }).watchPods();
    await h.client.create(draft, { dryRun: true });
    await h.client.create(draft, { remember: false });
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
  });

  it('L44 reads live after a write of unknown outcome, for 60 s and until the stream has caught up', async () => {
    let answer: (seen: Seen) => object = () => ({ status: 504, body: failure(504, 'Timeout') });
    await using h = await new ClientHarness({ answer: (seen) => answer(seen) }).watchPods();
    await thrown(h.client.create(draft));
    answer = ({ path }) => (path.endsWith('/pods') ? { body: podList('150') } : { body: pod('a', '140') });
    const asked = async (): Promise<number> => {
      h.transport.seen.length = 0;
      await h.client.find(PodKind, a);
      return h.transport.seen.length;
    };
    expect(await asked()).to.equal(1);
    await h.clock.advance('60s');
    expect(await asked()).to.equal(2);
    await h.send(added(pod('z', '150')));
    expect(await asked()).to.equal(0);
  });
});
