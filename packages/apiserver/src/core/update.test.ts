import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { failureOf, World } from '../harness.test.js';
import type { KubeObject, ObjectMeta } from './types.js';

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

describe('update and patch', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const change = (object: KubeObject, metadata: ObjectMeta, rest: object = {}): KubeObject => ({
    ...object,
    ...rest,
    metadata: { ...object.metadata, ...metadata },
  });
  const withoutVersion = (object: KubeObject): KubeObject => {
    const { resourceVersion: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  };

  it('ER-3 MG-17 a stale resourceVersion conflicts, on the object and on its status', async () => {
    await world.defineWidgets();
    const first = await world.widget('a', { spec: { size: 1 } });
    await world.put({ ...first, spec: { size: 2 } });
    for (const subresource of [undefined, 'status']) {
      const status = await failureOf(world.put({ ...first, status: { phase: 'x' } }, subresource));
      expect(status).to.deep.include({
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on widgets.demo.example.com "a": ${MODIFIED}`,
        details: { name: 'a', group: 'demo.example.com', kind: 'widgets' },
      });
    }
    expect((await world.get('demo.example.com/v1', 'Widget', 'a'))['spec']).to.deep.equal({ size: 2 });
  });

  it('ME-6 ER-8 MG-3 without resourceVersion some kinds take the live one, others refuse', async () => {
    await world.defineWidgets();
    const map = await world.configMap('a');
    expect((await world.put({ ...withoutVersion(map), data: { a: '2' } }))['data']).to.deep.equal({ a: '2' });
    const widget = await world.widget('a');
    const status = await failureOf(world.put({ ...withoutVersion(widget), spec: { size: 5 } }));
    expect(status.message).to.equal(
      'widgets.demo.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
    expect(status.details?.kind).to.equal('widgets');
  });

  it('ME-7 PUT creates where the kind allows it and answers 404 elsewhere', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'a' },
    };
    const target = world.target(lease.apiVersion, 'Lease', { name: 'l' });
    const made = await world.semantics.objects.update(target, { value: lease }, world.call);
    expect(made.created).to.equal(true);
    const missing = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'none' } };
    expect((await failureOf(world.put(missing))).message).to.equal('configmaps "none" not found');
  });

  it('ER-10 ER-4 another name is refused, another uid conflicts on PUT and is invalid in a patch', async () => {
    const object = await world.configMap('a');
    const target = world.target('v1', 'ConfigMap', { name: 'a' });
    const renamed = { value: change(object, { name: 'b' }) as never };
    expect((await failureOf(world.semantics.objects.update(target, renamed, world.call))).message).to.equal(
      'the name of the object (b) does not match the name on the URL (a)',
    );
    const put = await failureOf(world.put(change(object, { uid: 'other' })));
    expect(put.code).to.equal(409);
    expect(put.message).to.contain(
      `Precondition failed: UID in precondition: other, UID in object meta: ${object.metadata.uid}`,
    );
    const patched = await failureOf(world.patch(object, { metadata: { uid: 'other' } }));
    expect(patched.message).to.equal(
      'ConfigMap "a" is invalid: metadata.uid: Invalid value: "other": field is immutable',
    );
  });

  it('PI-3 MG-3 a patch never conflicts unless it carries a stale resourceVersion', async () => {
    const first = await world.configMap('a');
    await Promise.all(['b', 'c', 'd'].map((key) => world.patch(first, { data: { [key]: '1' } })));
    expect((await world.get('v1', 'ConfigMap', 'a'))['data']).to.deep.equal({ a: '1', b: '1', c: '1', d: '1' });
    const stale = await failureOf(
      world.patch(first, { metadata: { resourceVersion: first.metadata.resourceVersion }, data: { e: '1' } }),
    );
    expect([stale.code, stale.reason]).to.deep.equal([409, 'Conflict']);
  });

  it('PI-2 what changes nothing gets no new revision and no event', async () => {
    const object = await world.configMap('a');
    const seen = await world.watch('v1', 'ConfigMap', { resourceVersion: object.metadata.resourceVersion });
    world.clock.advance(60_000);
    const same = await world.put(object);
    expect(same).to.deep.equal(object);
    expect(await world.patch(object, { data: { a: '1' } })).to.deep.equal(object);
    expect(seen.events).to.deep.equal([]);
  });

  it('ME-4 what only the server may say stays, whatever a client sends', async () => {
    const object = await world.configMap('a');
    const metadata = { creationTimestamp: '2001-01-01T00:00:00Z', generation: 9, selfLink: '/x' };
    const next = await world.put(change(object, metadata, { data: { b: '2' } }));
    expect(next.metadata.creationTimestamp).to.equal(object.metadata.creationTimestamp);
    expect(next.metadata).not.to.have.any.keys('selfLink', 'generation');
  });

  it('ME-4 an update cannot begin a deletion', async () => {
    const object = await world.configMap('a');
    const status = await failureOf(world.patch(object, { metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' } }));
    expect(status.message).to.equal(
      'ConfigMap "a" is invalid: metadata.deletionTimestamp: Invalid value: "2001-01-01T00:00:00Z": field is immutable',
    );
  });

  it('ER-10 the body needs a name, and a resourceVersion that is a number', async () => {
    const object = await world.configMap('a');
    const nameless = await failureOf(world.patch(object, { metadata: null }));
    expect(nameless.message).to.equal(
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    );
    const odd = await failureOf(world.put(change(object, { resourceVersion: 'abc' })));
    expect([odd.code, odd.message]).to.deep.equal([500, 'strconv.ParseUint: parsing "abc": invalid syntax']);
  });

  it('ME-5 MG-4 MG-16 generation counts changes of the spec, not of labels or status', async () => {
    await world.defineWidgets();
    const object = await world.widget('a', { spec: { size: 1 } });
    expect((await world.patch(object, { metadata: { labels: { a: 'b' } } })).metadata.generation).to.equal(1);
    expect(
      (await world.patch(object, { status: { phase: 'x' } }, { subresource: 'status' })).metadata.generation,
    ).to.equal(1);
    expect((await world.patch(object, { spec: { size: 2 } })).metadata.generation).to.equal(2);
  });

  it('ME-5 CK-41 without a status subresource a change of status raises generation, and /status is 404', async () => {
    await world.defineWidgets({ subresources: {} });
    const object = await world.widget('a', { status: { phase: 'New' } });
    expect(object['status']).to.deep.equal({ phase: 'New' });
    expect((await world.patch(object, { status: { phase: 'Ready' } })).metadata.generation).to.equal(2);
    const status = await failureOf(world.patch(object, {}, { subresource: 'status' }));
    expect(status.message).to.equal('widgets.demo.example.com "a" not found');
  });

  it('ME-5 a Deployment counts annotations too', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'm', image: 'i' }] } };
    const object = await world.create('apps/v1', 'Deployment', {
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    });
    expect((await world.patch(object, { metadata: { labels: { l: '1' } } })).metadata.generation).to.equal(1);
    expect((await world.patch(object, { metadata: { annotations: { l: '1' } } })).metadata.generation).to.equal(2);
    expect((await world.patch(object, { spec: { replicas: 4 } })).metadata.generation).to.equal(3);
  });

  it('ME-8 MG-1 MG-2 status writes take the status alone, main writes keep it', async () => {
    await world.defineWidgets();
    const object = await world.widget('a', { spec: { size: 2 }, metadata: { name: 'a', labels: { l: '1' } } });
    const body = change(
      object,
      { labels: { l: '2' }, annotations: { x: 'y' }, finalizers: ['example.com/f'] },
      { spec: { size: 5 }, status: { phase: 'Ready' } },
    );
    const set = await world.put(body, 'status');
    expect([set['spec'], set['status'], set.metadata.labels]).to.deep.equal([
      { size: 2 },
      { phase: 'Ready' },
      { l: '1' },
    ]);
    expect(set.metadata).not.to.have.any.keys('annotations', 'finalizers');
    const main = await world.put({ ...set, spec: { size: 7 }, status: { phase: 'Other' } });
    expect([main['spec'], main['status']]).to.deep.equal([{ size: 7 }, { phase: 'Ready' }]);
    const { status: _, ...bare } = main;
    expect((await world.put(bare as KubeObject, 'status'))['status']).to.equal(undefined);
  });

  it('ME-4 CK-83 no finalizer can be added while an object is being deleted; all else can change', async () => {
    const object = await world.configMap('a', { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    await world.delete(object);
    const status = await failureOf(
      world.patch(object, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }),
    );
    expect(status.message).to.equal(
      'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, ' +
        'found new finalizers []string{"example.com/more"}',
    );
    const kept = await world.patch(object, { metadata: { labels: { a: 'b' }, deletionTimestamp: null } });
    expect(kept.metadata.labels).to.deep.equal({ a: 'b' });
    expect(kept.metadata.deletionTimestamp).to.equal('2026-01-01T00:00:00Z');
  });

  it('QP-10 a dry run changes nothing', async () => {
    const object = await world.configMap('a');
    const dry = await world.put({ ...object, data: { a: '2' } }, undefined, { dryRun: true });
    expect(dry['data']).to.deep.equal({ a: '2' });
    await world.delete(object, { dryRun: true });
    expect(await world.get('v1', 'ConfigMap', 'a')).to.deep.equal(object);
  });

  it('QP-11 QP-13 apply needs a manager, and only apply takes force', async () => {
    const object = await world.configMap('a');
    const nobody = await failureOf(world.patch(object, object, { type: 'apply', call: { fieldManager: '' } }));
    expect(nobody.message).to.equal(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
    const target = world.target('v1', 'ConfigMap', { name: 'a' });
    const forced = await failureOf(
      world.semantics.objects.patch(target, { type: 'merge', body: { value: {} }, force: true }, world.call),
    );
    expect(forced.message).to.equal(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });

  it('MG-7 SA-4 apply creates what is missing, and needs the name in the body for it', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'n' }, data: { a: '1' } };
    const made = await world.patch(body, body, { type: 'apply' });
    expect(made.metadata.managedFields?.[0]).to.include({ manager: 'tests', operation: 'Apply' });
    const nameless = await failureOf(
      world.patch({ ...body, metadata: { name: 'x' } }, { ...body, metadata: {} }, { type: 'apply' }),
    );
    expect(nameless.message).to.equal(
      'the name of the object (x based on URL) was undeterminable: name must be provided',
    );
    const mismatched = await failureOf(
      world.patch(
        { ...body, metadata: { name: 'x' } },
        { ...body, metadata: { name: 'x', uid: 'u' } },
        { type: 'apply' },
      ),
    );
    expect(mismatched.message).to.equal(
      'Operation cannot be fulfilled on configmaps "x": uid mismatch: the provided object specified uid u, and no existing object was found',
    );
    expect(await world.patch(body, body, { type: 'apply' })).to.deep.equal(made);
  });

  it('VE-1 a patch cannot change the version of a custom resource', async () => {
    await world.defineWidgets();
    const object = await world.widget('a');
    const status = await failureOf(world.patch(object, { apiVersion: 'demo.example.com/v2' }));
    expect(status.message).to.equal(
      'Widget.demo.example.com "a" is invalid: apiVersion: Invalid value: "demo.example.com/v2": must be demo.example.com/v1',
    );
  });

  it('ER-22 a patch that gives a built-in a wrong type is 422 with the whole object', async () => {
    const object = await world.configMap('a');
    const status = await failureOf(world.patch(object, { data: 'x' }));
    expect([status.code, status.details?.causes?.[0]?.field]).to.deep.equal([422, 'patch']);
    expect(status.message).to.match(
      /^ "" is invalid: patch: Invalid value: "\{.*\}": json: cannot unmarshal string into Go struct field/,
    );
  });
});

describe('scale', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
    await world.defineWidgets();
  });
  afterEach(() => world.close());

  const scaleTarget = () => world.target('demo.example.com/v1', 'Widget', { name: 'a', subresource: 'scale' });

  it('ME-9 shows replicas of spec and status, and changes those of the spec', async () => {
    const object = await world.widget('a', { spec: { size: 2 } });
    await world.patch(object, { status: { replicas: 1 } }, { subresource: 'status' });
    const scale = await world.semantics.objects.get(scaleTarget(), world.call);
    expect(scale).to.deep.include({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 2 },
      status: { replicas: 1 },
    });
    const { object: patched } = await world.semantics.objects.patch(
      scaleTarget(),
      { type: 'merge', body: { value: { spec: { replicas: 4 } } } },
      world.call,
    );
    expect(patched['spec']).to.deep.equal({ replicas: 4 });
    const live = await world.get('demo.example.com/v1', 'Widget', 'a');
    expect([live['spec'], live.metadata.generation]).to.deep.equal([{ size: 4 }, 2]);
    expect(live.metadata.managedFields?.find((entry) => entry.subresource === 'scale')?.fieldsV1).to.deep.equal({
      'f:spec': { 'f:size': {} },
    });
  });

  it('ME-9 a resourceVersion is honoured, none is unconditional', async () => {
    const object = await world.widget('a', { spec: { size: 2 } });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 5 } };
    const put = (metadata: object) =>
      world.semantics.objects.update(
        scaleTarget(),
        { value: { ...scale, metadata: { name: 'a', ...metadata } } },
        world.call,
      );
    await put({});
    expect((await failureOf(put({ resourceVersion: object.metadata.resourceVersion }))).code).to.equal(409);
  });

  it('ME-9 replicas that are not set are an error to read, and a resource without scale is 404', async () => {
    await world.widget('a');
    const status = await failureOf(world.semantics.objects.get(scaleTarget(), world.call));
    expect(status.message).to.equal('Internal error occurred: the spec replicas field ".spec.size" does not exist');
    await world.configMap('a');
    const none = world.target('v1', 'ConfigMap', { name: 'a', subresource: 'scale' });
    expect((await failureOf(world.semantics.objects.get(none, world.call))).code).to.equal(404);
  });

  it('ME-9 takes no apply on a custom resource, as a real server takes none, but on a Deployment', async () => {
    await world.widget('a', { spec: { size: 2 } });
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 4 } };
    const apply = (target: ReturnType<typeof scaleTarget>) =>
      world.semantics.objects.patch(target, { type: 'apply', body: { value: scale } }, world.call);
    expect((await failureOf(apply(scaleTarget()))).message).to.contain(
      'request to convert CR to an invalid group/version: autoscaling/v1',
    );
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'm', image: 'i' }] } };
    await world.create(
      'apps/v1',
      'Deployment',
      { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
      { fieldManager: 'tests' },
    );
    const target = world.target('apps/v1', 'Deployment', { name: 'a', subresource: 'scale' });
    const forced = await world.semantics.objects.patch(
      target,
      { type: 'apply', body: { value: scale }, force: true },
      world.call,
    );
    expect(forced.object['spec']).to.deep.equal({ replicas: 4 });
    const live = await world.get('apps/v1', 'Deployment', 'a');
    const entry = live.metadata.managedFields?.find(
      ({ subresource, operation }) => subresource === 'scale' && operation === 'Apply',
    );
    expect(entry?.fieldsV1).to.deep.equal({ 'f:spec': { 'f:replicas': {} } });
  });

  it('ME-9 a negative number is refused', async () => {
    await world.widget('a', { spec: { size: 2 } });
    const request = { type: 'merge' as const, body: { value: { spec: { replicas: -1 } } } };
    const status = await failureOf(world.semantics.objects.patch(scaleTarget(), request, world.call));
    expect(status.message).to.equal(
      'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
  });
});
