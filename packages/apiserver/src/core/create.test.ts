import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { failureOf, World } from '../harness.test.js';
import type { ObjectMeta } from './types.js';

describe('create', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  it('PI-1 MG-5 fills what only the server may say, whatever was sent', async () => {
    const object = await world.configMap('a', {
      metadata: {
        name: 'a',
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 3,
        selfLink: '/x',
      },
    });
    const { metadata } = object;
    expect(metadata.uid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata.creationTimestamp).to.equal('2026-01-01T00:00:00Z');
    expect(metadata.namespace).to.equal('t');
    expect(metadata).not.to.have.any.keys('deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'generation');
    expect(await world.get('v1', 'ConfigMap', 'a')).to.deep.equal(object);
  });

  it('ME-1 MG-6 generates a name of the base and five characters, and another one when it is taken', async () => {
    const long = await world.configMap('', { metadata: { name: '', generateName: 'x'.repeat(70) } });
    expect(long.metadata.name).to.match(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const suffixes = ['aaaaa', 'aaaaa', 'bbbbb'];
    const fixed = await World.open({
      random: { next: () => 0, uuid: () => 'u', suffix: () => suffixes.shift() ?? 'aaaaa' },
    });
    const first = await fixed.configMap('', { metadata: { name: '', generateName: 'a-' } });
    const second = await fixed.configMap('', { metadata: { name: '', generateName: 'a-' } });
    expect([first.metadata.name, second.metadata.name]).to.deep.equal(['a-aaaaa', 'a-bbbbb']);
    const status = await failureOf(fixed.configMap('', { metadata: { name: '', generateName: 'a-' } }));
    expect(status.message).to.equal(
      'configmaps "a-aaaaa" already exists, the server was not able to generate a unique name for the object',
    );
    expect(status.details?.retryAfterSeconds).to.equal(1);
    fixed.close();
  });

  it('ER-2 an existing object is 409, a terminating one says so', async () => {
    const held = await world.configMap('a', { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    expect(await failureOf(world.configMap('a'))).to.deep.include({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
    await world.delete(held);
    expect((await failureOf(world.configMap('a'))).message).to.equal(
      'object is being deleted: configmaps "a" already exists',
    );
  });

  it('ER-9 a resourceVersion is refused with 500', async () => {
    const status = await failureOf(world.configMap('a', { metadata: { name: 'a', resourceVersion: '1' } }));
    expect([status.code, status.reason, status.message]).to.deep.equal([
      500,
      undefined,
      'resourceVersion should not be set on objects to be created',
    ]);
  });

  it('ER-10 another namespace in the body is refused', async () => {
    const body = { value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'other' } } };
    const status = await failureOf(world.semantics.objects.create(world.target('v1', 'ConfigMap'), body, world.call));
    expect([status.code, status.message]).to.deep.equal([
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ]);
  });

  it('ME-2 names obey the rule of their kind', async () => {
    const message = async (kind: string, metadata: ObjectMeta): Promise<string> =>
      (await failureOf(world.create('v1', kind, { metadata }))).message ?? '';
    expect(await message('ConfigMap', {})).to.equal(
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    );
    expect(await message('ConfigMap', { name: 'A' })).to.match(
      /^ConfigMap "A" is invalid: metadata\.name: Invalid value: "A": a lowercase RFC 1123 subdomain must/,
    );
    expect(await message('ConfigMap', { name: 'x'.repeat(254) })).to.contain('must be no more than 253 characters');
    expect(await message('Namespace', { name: 'a.b' })).to.equal(
      'Namespace "a.b" is invalid: metadata.name: Invalid value: "a.b": must not contain dots',
    );
    expect(await message('ConfigMap', { generateName: 'cr.' })).to.contain(
      'metadata.generateName: Invalid value: "cr."',
    );
    expect((await world.configMap('', { metadata: { name: '', generateName: 'cr-' } })).metadata.name).to.match(
      /^cr-.{5}$/,
    );
  });

  it('ME-3 labels, annotations, finalizers and owners are checked', async () => {
    const message = async (metadata: ObjectMeta): Promise<string> =>
      (await failureOf(world.configMap('a', { metadata: { name: 'a', ...metadata } }))).message ?? '';
    expect(await message({ labels: { 'a/b/c': 'x' } })).to.contain(
      'metadata.labels: Invalid value: "a/b/c": a valid label key must consist of',
    );
    expect(await message({ labels: { a: 'x'.repeat(64) } })).to.contain('must be no more than 63 bytes');
    expect(await message({ annotations: { a: 'x'.repeat(262_145) } })).to.equal(
      'ConfigMap "a" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
    );
    expect(await message({ finalizers: ['x'] })).to.equal(
      'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "x": name is neither a standard finalizer name nor is it fully qualified',
    );
    expect(await message({ ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '' }] })).to.contain(
      'metadata.ownerReferences[0].uid: Required value: must not be empty',
    );
    const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Pod', name: uid, uid, controller: true });
    expect(await message({ ownerReferences: [owner('1'), owner('2')] })).to.contain(
      'Only one reference can have Controller set to true. Found "true" in references for Pod/1 and Pod/2',
    );
  });

  it('ME-3 an unqualified finalizer of a custom resource is a warning', async () => {
    await world.defineWidgets();
    await world.widget('a', { metadata: { name: 'a', finalizers: ['mine', 'a.example.com'] } });
    expect(world.warnings).to.deep.equal([
      'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "a.example.com": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    ]);
  });

  it('PI-1 repeated owners are stored once, with a warning', async () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u1' };
    const object = await world.configMap('a', { metadata: { name: 'a', ownerReferences: [owner, { ...owner }] } });
    expect(object.metadata.ownerReferences).to.deep.equal([owner]);
    expect(world.warnings.join()).to.contain('duplicate UID(s) observed: u1');
  });

  it('MG-4 CK-37 a custom resource begins at generation 1 with defaults and without status', async () => {
    await world.defineWidgets();
    const object = await world.widget('a', { status: { phase: 'Ready' }, metadata: { name: 'a', generation: 9 } });
    expect(object['spec']).to.equal(undefined);
    expect(object['status']).to.equal(undefined);
    expect(object.metadata.generation).to.equal(1);
    expect((await world.widget('b', { spec: {} }))['spec']).to.deep.equal({ size: 3 });
  });

  it('ME-4 a kind without generation keeps the one sent on create', async () => {
    expect((await world.configMap('a', { metadata: { name: 'a', generation: 7 } })).metadata.generation).to.equal(7);
  });

  it('QP-10 a dry run answers uid and time but no resourceVersion, stores nothing and tells no watch', async () => {
    const seen = await world.watch('v1', 'ConfigMap');
    const object = await world.create('v1', 'ConfigMap', { metadata: { name: 'a' } }, { dryRun: true });
    expect(object.metadata.uid).to.be.a('string');
    expect(object.metadata.resourceVersion).to.equal(undefined);
    expect((await failureOf(world.get('v1', 'ConfigMap', 'a'))).code).to.equal(404);
    expect(seen.events).to.deep.equal([]);
    await world.configMap('a');
    expect(
      (await failureOf(world.create('v1', 'ConfigMap', { metadata: { name: 'a' } }, { dryRun: true }))).code,
    ).to.equal(409);
  });

  it('QP-12 unknown fields: refused, warned about or dropped in silence', async () => {
    await world.defineWidgets();
    const draft = { spec: { size: 1, foo: 'x' } };
    const status = await failureOf(
      world.create(
        'demo.example.com/v1',
        'Widget',
        { ...draft, metadata: { name: 'a' } },
        { fieldValidation: 'Strict' },
      ),
    );
    expect(status.message).to.equal(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.foo"',
    );
    const warned = await world.widget('b', draft);
    expect(warned['spec']).to.deep.equal({ size: 1 });
    expect(world.warnings).to.deep.equal(['unknown field "spec.foo"']);
    await world.create(
      'demo.example.com/v1',
      'Widget',
      { ...draft, metadata: { name: 'c' } },
      { fieldValidation: 'Ignore' },
    );
    expect(world.warnings).to.have.length(1);
  });

  it('BD-5 what the caller does to its object afterwards does not reach the store', async () => {
    const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' } };
    await world.semantics.objects.create(world.target('v1', 'ConfigMap'), { value }, world.call);
    value.data.a = 'changed';
    expect((await world.get('v1', 'ConfigMap', 'a'))['data']).to.deep.equal({ a: '1' });
  });
});
