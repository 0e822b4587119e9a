import { expect } from 'chai';
import { describe, it } from 'mocha';
import { metadataOf, type StoredObject } from '@kubewright/api';
import { modified, pod } from '../cache/cache-harness.test.js';
import { failure, podList } from '../cache/scripted-transport.test.js';
import { ClientHarness, NodeKind, type Pod, PodKind, thrown } from './client-harness.test.js';

const a = { namespace: 'default', name: 'a' };
const scaleAt = (version: string): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { ...a, uid: 'uid-a', resourceVersion: version },
  spec: { replicas: 3 },
});

describe('client: deleteAllOf', () => {
  it('L13 is one call, and wants a namespace and a selector or all: true', async () => {
    const h = new ClientHarness({ answer: () => ({ body: podList('9') }) });
    await h.client.deleteAllOf(PodKind, { namespace: 'default', labels: { app: 'x' } });
    await h.client.with({ namespace: 'n' }).deleteAllOf(PodKind, { all: true });
    expect(h.asked).to.deep.equal(['DELETE /api/v1/namespaces/default/pods', 'DELETE /api/v1/namespaces/n/pods']);
    expect(h.transport.seen[0]?.query).to.deep.equal({ labelSelector: 'app=x' });
    expect(h.transport.seen[0]?.body).to.include({ propagationPolicy: 'Background' });
    expect(await thrown(h.client.deleteAllOf(PodKind, { all: true }))).to.include({
      code: 'KW_CLIENT_NAMESPACE_REQUIRED',
    });
    expect(await thrown(h.client.deleteAllOf(PodKind, { namespace: 'n' }))).to.include({
      code: 'KW_CLIENT_DELETE_ALL',
    });
  });

  it('L41 hides at once what its answer lists, and reads live after a bare Status', async () => {
    const answers: object[] = [podList('120', pod('a', '5')), { kind: 'Status', apiVersion: 'v1', status: 'Success' }];
    await using h = await new ClientHarness({
      objects: [pod('a', '5'), pod('b', '6')],
      answer: ({ method }) => ({ body: method === 'DELETE' ? (answers.shift() as object) : pod('b', '6') }),
    }).watchPods();
    await h.client.deleteAllOf(PodKind, { namespace: 'default', all: true });
    expect(await h.client.find(PodKind, a)).to.equal(undefined);
    await h.client.deleteAllOf(PodKind, { namespace: 'default', all: true });
    await h.client.get(PodKind, { ...a, name: 'b' });
    expect(h.asked.at(-1)).to.equal('GET /api/v1/namespaces/default/pods/b');
  });
});

describe('client: subresources', () => {
  it('L14 reads and sets the scale', async () => {
    const h = new ClientHarness({ answer: () => ({ body: scaleAt('150') }) });
    expect((await h.client.scale(PodKind, a).get()).spec?.replicas).to.equal(3);
    await h.client.scale(pod('a', '7')).set(3);
    expect(h.asked).to.deep.equal([
      'GET /api/v1/namespaces/default/pods/a/scale',
      'PATCH /api/v1/namespaces/default/pods/a/scale',
    ]);
    expect(h.transport.seen[1]?.body).to.deep.equal({ spec: { replicas: 3 } });
  });

  it('L41 reads the scaled object live until the stream has reached the version of the scale', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '5')],
      answer: ({ path }) => ({ body: path.endsWith('/scale') ? scaleAt('150') : pod('a', '150') }),
    }).watchPods();
    await h.client.scale(PodKind, a).set(3);
    await h.client.get(PodKind, a);
    expect(h.asked).to.have.length(2);
    await h.send(modified(pod('a', '150')));
    await h.client.get(PodKind, a);
    expect(h.asked).to.have.length(2);
  });

  it('L14 evicts, and a blocked eviction fails at once with its own code', async () => {
    const blocked = failure(429, 'TooManyRequests', {
      details: { name: 'a', causes: [{ reason: 'DisruptionBudget', message: 'needs 2 healthy pods' }] },
    });
    const answers = [
      { status: 201, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } },
      { status: 429, body: blocked },
    ];
    const h = new ClientHarness({ answer: () => answers.shift() ?? new Error('no more') });
    await h.client.evict(pod('a', '7'), { gracePeriodSeconds: 5 });
    expect(h.asked).to.deep.equal(['POST /api/v1/namespaces/default/pods/a/eviction']);
    expect(h.transport.seen[0]?.body).to.deep.equal({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: a,
      deleteOptions: { gracePeriodSeconds: 5, preconditions: { uid: 'uid-a' } },
    });
    expect(await thrown(h.client.evict(a))).to.include({ code: 'KW_API_EVICTION_BLOCKED' });
  });

  it('L14 asks for tokens of at least 600 s', async () => {
    const status = { token: 't', expirationTimestamp: '2026-01-01T00:00:00Z' };
    const h = new ClientHarness({ answer: () => ({ status: 201, body: { kind: 'TokenRequest', status } }) });
    expect(await h.client.token(a, { audiences: ['x'], boundTo: pod('p', '3') })).to.deep.equal(status);
    expect(h.asked).to.deep.equal(['POST /api/v1/namespaces/default/serviceaccounts/a/token']);
    expect(h.transport.seen[0]?.body).to.have.deep.property('spec', {
      audiences: ['x'],
      expirationSeconds: 3600,
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'uid-p' },
    });
    expect(await thrown(h.client.token(a, { expirationSeconds: 599 }))).to.include({ code: 'KW_CLIENT_TOKEN_SECONDS' });
  });

  it('L14 L35 reaches any subresource, and remembers an answer that is the object itself', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '5')],
      answer: () => ({ body: pod('a', '150') }),
    }).watchPods();
    await h.client.subresource(PodKind, a, 'resize').patch({ spec: {} });
    expect((await h.client.get(PodKind, a)).metadata.resourceVersion).to.equal('150');
    await h.client.subresource(PodKind, a, 'ephemeralcontainers').update(pod('a', '150'));
    await h.client.subresource(pod('a', '150'), 'binding').create({ kind: 'Binding' });
    expect(h.asked).to.deep.equal([
      'PATCH /api/v1/namespaces/default/pods/a/resize',
      'PUT /api/v1/namespaces/default/pods/a/ephemeralcontainers',
      'POST /api/v1/namespaces/default/pods/a/binding',
    ]);
  });
});

describe('client: derived clients and metadata', () => {
  it('L17 keeps to its namespace and its options, cluster-scoped kinds aside', async () => {
    const h = new ClientHarness({ answer: () => ({ status: 201, body: pod('a', '150') }) });
    const client = h.client.with({ namespace: 'n', dryRun: true, fieldManager: 'me', fieldValidation: 'Warn' });
    await client.create(PodKind, { metadata: { name: 'a' } });
    await client.get(NodeKind, { name: 'x' });
    expect(h.asked).to.deep.equal(['POST /api/v1/namespaces/n/pods', 'GET /api/v1/nodes/x']);
    expect(h.transport.seen[0]?.query).to.deep.equal({ dryRun: 'All', fieldManager: 'me', fieldValidation: 'Warn' });
    expect(await thrown(client.get(PodKind, a))).to.include({ code: 'KW_CLIENT_NAMESPACE_MISMATCH' });
    await client.with({ dryRun: false }).evict({ name: 'a' });
    expect(h.transport.seen.at(-1)?.query).to.not.have.property('dryRun');
  });

  it('L18 logs with the keys of the run', async () => {
    const h = new ClientHarness({ answer: () => ({ body: podList('9') }) });
    const children: object[] = [];
    h.logger.child = (fields: object) => {
      children.push(fields);
      return h.logger;
    };
    const loggerFields = { reconcileID: 'r1' };
    const run = { controllerName: 'c', signal: new AbortController().signal, loggerFields };
    await h.runContexts.run(run, async () => {
      for (let i = 0; i < 100; i++) await h.client.list(NodeKind);
    });
    expect(h.logger.of('info').filter((text) => text.includes('was listed from the server'))).to.have.length(1);
    expect(children).to.deep.include(loggerFields);
  });

  it('L22 reads metadata from any store of the kind, a full read of a metadata-only kind live', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '5', { metadata: { labels: { x: '1' } } })],
      options: { metadataOnly: true },
      answer: () => ({ body: pod('a', '5', { spec: { nodeName: 'n' } }) }),
    }).watchPods();
    const found = await h.client.get(metadataOf(PodKind), a);
    expect(found).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: pod('a', '5', { metadata: { labels: { x: '1' } } }).metadata,
    });
    expect(await h.client.list(metadataOf(PodKind))).to.have.length(1);
    expect(h.asked).to.deep.equal([]);
    expect(((await h.client.get(PodKind, a)) as Pod).spec).to.deep.equal({ nodeName: 'n' });
    expect(h.asked).to.have.length(1);
  });

  it('L22 projects a whole store, and asks the server for metadata alone where no store can answer', async () => {
    const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: pod('x', '9').metadata };
    await using h = await new ClientHarness({
      objects: [pod('a', '5', { spec: { nodeName: 'n' } })],
      answer: () => ({ body: partial }),
    }).watchPods();
    expect(await h.client.get(metadataOf(PodKind), a)).to.not.have.property('spec');
    const live: StoredObject = await h.client.live.get(metadataOf(PodKind), { ...a, name: 'x' });
    expect(live).to.include({ apiVersion: 'v1', kind: 'Pod' });
    expect(h.transport.seen[0]?.accept).to.contain('PartialObjectMetadata');
  });
});
