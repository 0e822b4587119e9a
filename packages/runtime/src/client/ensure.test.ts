import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { pod } from '../cache/cache-harness.test.js';
import { type Answer, failure, type Seen } from '../cache/scripted-transport.test.js';
import { ClientHarness, type Pod, PodKind, thrown } from './client-harness.test.js';

const a = { namespace: 'default', name: 'a' };
const absent = { status: 404, body: failure(404, 'NotFound', { details: { name: 'a' } }) };
const conflict = { status: 409, body: failure(409, 'Conflict', { details: { name: 'a' } }) };
const exists = { status: 409, body: failure(409, 'AlreadyExists', { details: { name: 'a' } }) };
const node = (nodeName: string, version: string): StoredObject => pod('a', version, { spec: { nodeName } });

/** A harness whose server gives these answers, one after another. */
const answering = (...answers: Answer[]): ClientHarness =>
  new ClientHarness({ answer: () => answers.shift() ?? new Error('nothing more was expected') });

const onto = (nodeName: string) => (object: { spec?: { nodeName?: string } }) => {
  object.spec = { ...object.spec, nodeName };
};
const verbs = (h: ClientHarness): string[] => h.transport.seen.map(({ method }) => method);
const bodies = (h: ClientHarness): unknown[] => h.transport.seen.flatMap(({ body }) => (body ? [body] : []));

describe('client: create or change', () => {
  it('L29 creates what is absent from an object that holds its kind and key alone', async () => {
    const h = answering(absent, { status: 201, body: node('n1', '5') });
    const seen: object[] = [];
    const outcome = await h.client.createOrUpdate(PodKind, a, (object) => {
      seen.push(structuredClone(object));
      onto('n1')(object);
    });
    expect(outcome).to.equal('created');
    expect(seen).to.deep.equal([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default' } }]);
    expect(verbs(h)).to.deep.equal(['GET', 'POST']);
  });

  it('L29 updates a copy, and sends nothing where nothing changes', async () => {
    await using h = await new ClientHarness({
      objects: [node('n1', '5')],
      answer: () => ({ body: node('n2', '150') }),
    }).watchPods();
    expect(await h.client.createOrUpdate(PodKind, a, onto('n1'))).to.equal('unchanged');
    expect(h.asked).to.deep.equal([]);
    expect(await h.client.createOrUpdate(PodKind, a, onto('n2'))).to.equal('updated');
    expect(h.asked).to.deep.equal(['PUT /api/v1/namespaces/default/pods/a']);
  });

  it('L29 begins again from a live read on conflict and when somebody else created it, five times in all', async () => {
    const h = answering(
      absent,
      exists,
      { body: node('n1', '6') },
      conflict,
      { body: node('n1', '7') },
      { body: node('n2', '8') },
    );
    expect(await h.client.createOrUpdate(PodKind, a, onto('n2'))).to.equal('updated');
    expect(verbs(h)).to.deep.equal(['GET', 'POST', 'GET', 'PUT', 'GET', 'PUT']);
    const always = new ClientHarness({
      answer: ({ method }) => (method === 'GET' ? { body: node('n1', '6') } : conflict),
    });
    expect(await thrown(always.client.createOrUpdate(PodKind, a, onto('n2')))).to.include({ code: 'KW_API_CONFLICT' });
    expect(verbs(always).filter((verb) => verb === 'PUT')).to.have.length(5);
  });

  it('L29 lets the error of the callback through untouched, and refuses another name; nothing is written', async () => {
    const h = new ClientHarness({ answer: () => ({ body: node('n1', '6') }) });
    const fault = Object.assign(new Error('mine'), { code: 'KW_API_CONFLICT' });
    const failing = (): never => {
      throw fault;
    };
    expect(await thrown(h.client.createOrUpdate(PodKind, a, failing))).to.equal(fault);
    const renaming = (object: { metadata: { name?: string | undefined } }): void => {
      object.metadata.name = 'b';
    };
    expect(await thrown(h.client.createOrUpdate(PodKind, a, renaming))).to.include({ code: 'KW_CLIENT_MUTATE_KEY' });
    expect(verbs(h)).to.deep.equal(['GET', 'GET']);
  });

  it('L24 reads live and updates the whole object where the cache keeps a part of it', async () => {
    await using h = await new ClientHarness({
      objects: [node('n1', '5')],
      options: { transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }) },
      answer: () => ({ body: pod('a', '150', { spec: { nodeName: 'n1', extra: true } }) }),
    }).watchPods();
    expect(await h.client.createOrUpdate(PodKind, a, onto('n2'))).to.equal('updated');
    expect(verbs(h)).to.deep.equal(['GET', 'PUT']);
    expect((bodies(h)[0] as Pod).spec).to.deep.equal({ nodeName: 'n2', extra: true });
  });

  it('L30 patches object and status apart, and the status of a new object not at all', async () => {
    const changes = { spec: { nodeName: 'n2' }, status: { phase: 'Running' } };
    const both = (object: object): void => void Object.assign(object, structuredClone(changes));
    const h = new ClientHarness({ answer: () => ({ body: node('n1', '6') }) });
    expect(await h.client.createOrPatch(PodKind, a, both)).to.equal('updatedStatus');
    expect(h.asked).to.deep.equal([
      'GET /api/v1/namespaces/default/pods/a',
      'PATCH /api/v1/namespaces/default/pods/a',
      'PATCH /api/v1/namespaces/default/pods/a/status',
    ]);
    expect(bodies(h)).to.deep.equal([{ spec: { nodeName: 'n2' } }, { status: { phase: 'Running' } }]);
    const status = (object: Pick<Pod, 'status'>): void => void (object.status = { phase: 'Failed' });
    expect(await h.client.createOrPatch(PodKind, a, status)).to.equal('updatedStatusOnly');
    expect(await h.client.createOrPatch(PodKind, a, onto('n3'))).to.equal('updated');
    expect(await h.client.createOrPatch(PodKind, a, onto('n1'))).to.equal('unchanged');
    const fresh = answering(absent, { status: 201, body: node('n2', '9') });
    expect(await fresh.client.createOrPatch(PodKind, a, both)).to.equal('created');
    expect(bodies(fresh)[0]).to.have.property('spec').and.not.to.equal(undefined);
    expect(bodies(fresh)[0]).to.not.have.property('status');
  });

  it('L31 edits what is there, again from a live read on conflict after 10, 20, 40, 80 ms at most', async () => {
    const h = new ClientHarness({ answer: ({ method }) => (method === 'GET' ? { body: node('n1', '6') } : conflict) });
    const begin = h.clock.monotonic();
    const call = thrown(h.client.edit(PodKind, a, onto('n2')));
    await h.clock.advance('1s');
    expect(await call).to.include({ code: 'KW_API_CONFLICT' });
    const times = h.transport.seen.filter(({ method }) => method === 'PUT').map(({ at }) => at - begin);
    expect(times).to.have.length(5);
    [0, 10, 30, 70, 150].forEach((most, index) => expect(times[index]).to.be.within(most / 2, most));
    const ok = answering({ body: node('n1', '6') }, { body: node('n2', '7') });
    expect((await ok.client.edit(PodKind, a, onto('n2'))).metadata.resourceVersion).to.equal('7');
    expect(await thrown(answering(absent).client.edit(PodKind, a, onto('n2')))).to.include({
      code: 'KW_API_NOT_FOUND',
    });
  });

  it('L33 warns once when the same paths are written three times within a minute, without values', async () => {
    const h = new ClientHarness({
      answer: ({ method }: Seen) => ({ body: node(method === 'GET' ? 'n1' : 'secret', '6') }),
    });
    const warnings = (): unknown[] => h.logger.lines.filter(({ level }) => level === 'warn');
    for (let i = 0; i < 2; i++) await h.client.createOrUpdate(PodKind, a, onto('secret'));
    await h.clock.advance('61s');
    for (let i = 0; i < 2; i++) await h.client.createOrUpdate(PodKind, a, onto('secret'));
    expect(warnings()).to.deep.equal([]);
    for (let i = 0; i < 3; i++) await h.client.createOrPatch(PodKind, a, onto('secret'));
    expect(warnings()).to.have.length(1);
    const text = JSON.stringify(warnings());
    expect(text).to.contain('spec.nodeName').and.to.contain('default/a').and.not.to.contain('secret');
  });
});

describe('client: patchFrom', () => {
  const before = pod('a', '7', { metadata: { labels: { x: '1', 'a/b': '2' } }, spec: { list: [1, 2] } });
  const after = pod('a', '7', {
    metadata: { labels: { x: '1' }, annotations: { k: 'v' } },
    spec: { list: [1, 3] },
  });

  it('L10 sends the difference alone, and nothing if there is none', async () => {
    const h = new ClientHarness({ answer: () => ({ body: after }) });
    const annotated = { ...before, metadata: { ...before.metadata, annotations: { k: 'v' } } };
    await h.client.patchFrom(before, annotated);
    await h.client.patchFrom(before, after, { optimisticLock: true });
    await h.client.patchFrom(before, structuredClone(before));
    await h.client.patchFrom(before, structuredClone(before), { type: 'json' });
    expect(bodies(h)).to.deep.equal([
      { metadata: { annotations: { k: 'v' } } },
      {
        metadata: { labels: { 'a/b': null }, annotations: { k: 'v' }, resourceVersion: '7' },
        spec: { list: [1, 3] },
      },
    ]);
  });

  it('L10 makes JSON patches, too, and refuses objects of two keys', async () => {
    const h = new ClientHarness({ answer: () => ({ body: after }) });
    await h.client.patchFrom(before, after, { type: 'json', optimisticLock: true });
    expect(bodies(h)).to.deep.equal([
      [
        { op: 'test', path: '/metadata/resourceVersion', value: '7' },
        { op: 'remove', path: '/metadata/labels/a~1b' },
        { op: 'add', path: '/metadata/annotations', value: { k: 'v' } },
        { op: 'replace', path: '/spec/list', value: [1, 3] },
      ],
    ]);
    expect(await thrown(h.client.patchFrom(before, pod('b', '7')))).to.include({ code: 'KW_CLIENT_MUTATE_KEY' });
  });
});
