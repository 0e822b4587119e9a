import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { failureOf, World } from '../harness.test.js';
import type { Draft } from '../harness.test.js';
import type { KubeObject, OwnerReference } from './types.js';

const HOLD = 'example.com/hold';
const held = { finalizers: [HOLD] };

describe('deletion', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const exists = async (name: string, kind = 'ConfigMap'): Promise<boolean> => {
    try {
      await world.get('v1', kind, name);
      return true;
    } catch {
      return false;
    }
  };

  it('DL-5 an object that nothing holds is gone at once', async () => {
    const result = await world.delete(await world.configMap('a'));
    expect(result.gone).to.equal(true);
    expect(await exists('a')).to.equal(false);
  });

  it('DL-3 MG-14 finalizers hold it, with time, grace 0 and one more generation; again changes nothing', async () => {
    await world.defineWidgets();
    const object = await world.widget('a', { metadata: { name: 'a', ...held } });
    const first = await world.delete(object);
    expect(first.gone).to.equal(false);
    expect(first.object.metadata).to.deep.include({
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
    });
    world.clock.advance(5000);
    const second = await world.delete(object);
    expect(second.object).to.deep.equal(first.object);
  });

  it('DL-4 the update that takes the last finalizer removes it', async () => {
    const object = await world.configMap('a', { metadata: { name: 'a', ...held } });
    await world.delete(object);
    const last = await world.patch(object, { metadata: { finalizers: null } });
    expect(last.metadata.finalizers).to.equal(undefined);
    expect(await exists('a')).to.equal(false);
  });

  it('ER-5 CK-85 preconditions are checked first', async () => {
    const object = await world.configMap('a', { metadata: { name: 'a', ...held } });
    const uid = await failureOf(world.delete(object, { preconditions: { uid: 'x' } }));
    expect(uid.message).to.equal(
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (${object.metadata.uid}). ` +
        'The object might have been deleted and then recreated',
    );
    expect(uid.details).to.deep.equal({ name: 'a', kind: 'ConfigMap' });
    const version = await failureOf(world.delete(object, { preconditions: { resourceVersion: '1' } }));
    expect(version.message).to.contain('the ResourceVersion in the precondition (1) does not match');
    expect((await world.get('v1', 'ConfigMap', 'a')).metadata.deletionTimestamp).to.equal(undefined);
  });

  it('QP-14 refuses options that do not go together or are unknown', async () => {
    const object = await world.configMap('a');
    const unknown = await failureOf(world.delete(object, { propagationPolicy: 'x' as never }));
    expect(unknown.details?.causes?.[0]).to.include({ reason: 'FieldValueNotSupported', field: 'propagationPolicy' });
    const both = await failureOf(world.delete(object, { propagationPolicy: 'Orphan', orphanDependents: true }));
    expect([both.code, both.message?.startsWith('DeleteOptions.meta.k8s.io "" is invalid: ')]).to.deep.equal([
      422,
      true,
    ]);
  });

  describe('Pods', () => {
    const pod = (name: string, spec: Draft = {}): Promise<KubeObject> =>
      world.create('v1', 'Pod', {
        metadata: { name },
        spec: { nodeName: 'n', containers: [{ name: 'm', image: 'i' }], ...spec },
      });

    it('DL-1 MG-24 a Pod on a node stays for its grace without any finalizer', async () => {
      const { object, gone } = await world.delete(await pod('p', { terminationGracePeriodSeconds: 20 }));
      expect(gone).to.equal(false);
      expect(object.metadata).to.deep.include({
        deletionTimestamp: '2026-01-01T00:00:20Z',
        deletionGracePeriodSeconds: 20,
      });
      expect(object.metadata.finalizers).to.equal(undefined);
      const touched = await world.patch(object, { metadata: { labels: { a: 'b' } } });
      expect(touched.metadata.labels).to.deep.equal({ a: 'b' });
    });

    it('DL-1 a shorter grace shortens, a longer one changes nothing, 0 removes', async () => {
      const object = await pod('p');
      await world.delete(object);
      expect(
        (await world.delete(object, { gracePeriodSeconds: 60 })).object.metadata.deletionGracePeriodSeconds,
      ).to.equal(30);
      const shorter = await world.delete(object, { gracePeriodSeconds: 10 });
      expect(shorter.object.metadata).to.deep.include({
        deletionTimestamp: '2026-01-01T00:00:10Z',
        deletionGracePeriodSeconds: 10,
      });
      expect((await world.delete(object, { gracePeriodSeconds: 0 })).gone).to.equal(true);
    });

    it('DL-1 a Pod without a node, or one that is done, goes at once', async () => {
      const unscheduled = await world.create('v1', 'Pod', {
        metadata: { name: 'u' },
        spec: { containers: [{ name: 'm', image: 'i' }] },
      });
      expect((await world.delete(unscheduled)).gone).to.equal(true);
      const done = await pod('p');
      await world.patch(done, { status: { phase: 'Succeeded' } }, { subresource: 'status' });
      expect((await world.delete(done)).gone).to.equal(true);
    });
  });

  it('deletecollection deletes what the selector fits and answers it', async () => {
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const)
      await world.configMap(name, { metadata: { name, labels: { app } } });
    const target = world.target('v1', 'ConfigMap');
    const { items } = await world.semantics.objects.deleteCollection(target, { ...world.call, labelSelector: 'app=x' });
    expect(items.map((item) => item.metadata.name)).to.deep.equal(['a', 'c']);
    expect((await world.list('v1', 'ConfigMap')).items.map((item) => item.metadata.name)).to.deep.equal(['b']);
  });
});

describe('garbage collection', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const ref = (owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name as string,
    uid: owner.metadata.uid as string,
    ...more,
  });
  const child = (name: string, ...ownerReferences: OwnerReference[]): Promise<KubeObject> =>
    world.configMap(name, { metadata: { name, ownerReferences } });
  const names = async (): Promise<string[]> =>
    (await world.list('v1', 'ConfigMap')).items.map((item) => item.metadata.name as string);

  it('GC-2 MG-20 deletes children and grandchildren of a deleted owner', async () => {
    const owner = await world.configMap('owner');
    const middle = await child('child', ref(owner));
    await child('grandchild', ref(middle));
    await world.configMap('bystander');
    await world.delete(owner);
    await world.semantics.settle();
    expect(await names()).to.deep.equal(['bystander']);
  });

  it('GC-1 an owner with another uid, or that never was, does not count', async () => {
    const owner = await world.configMap('owner');
    await child('wrong', ref(owner, { uid: 'other' }));
    await child('absent', ref(owner, { name: 'none', uid: 'none' }));
    await child('right', ref(owner));
    await world.semantics.settle();
    expect(await names()).to.deep.equal(['owner', 'right']);
  });

  it('GC-1 an owner of a kind nobody serves keeps its children', async () => {
    await child('a', { apiVersion: 'nobody.example.com/v1', kind: 'Thing', name: 't', uid: 'u' });
    await world.semantics.settle();
    expect(await names()).to.deep.equal(['a']);
  });

  it('GC-2 of two owners the dead one leaves the list, and the child lives', async () => {
    const [a, b] = [await world.configMap('a'), await world.configMap('b')];
    await child('both', ref(a), ref(b));
    await world.delete(a);
    await world.semantics.settle();
    expect((await world.get('v1', 'ConfigMap', 'both')).metadata.ownerReferences).to.deep.equal([ref(b)]);
    await world.delete(b);
    await world.semantics.settle();
    expect(await names()).to.deep.equal([]);
  });

  it('GC-3 Orphan: the object comes back with the finalizer, its children lose the reference and live', async () => {
    const owner = await world.configMap('owner');
    await child('child', ref(owner));
    const { object } = await world.delete(owner, { propagationPolicy: 'Orphan' });
    expect(object.metadata.finalizers).to.deep.equal(['orphan']);
    await world.semantics.settle();
    expect(await names()).to.deep.equal(['child']);
    expect((await world.get('v1', 'ConfigMap', 'child')).metadata.ownerReferences).to.equal(undefined);
  });

  it('GC-3 Foreground: the owner stays until the last blocking child is gone', async () => {
    const owner = await world.configMap('owner');
    const blocking = await world.configMap('blocking', {
      metadata: { name: 'blocking', ownerReferences: [ref(owner, { blockOwnerDeletion: true })], ...held },
    });
    await child('free', ref(owner));
    await world.delete(owner, { propagationPolicy: 'Foreground' });
    await world.semantics.settle();
    expect(await names()).to.deep.equal(['blocking', 'free', 'owner']);
    expect((await world.get('v1', 'ConfigMap', 'blocking')).metadata.deletionTimestamp).to.be.a('string');
    await world.patch(blocking, { metadata: { finalizers: null } });
    await world.semantics.settle();
    expect(await names()).to.deep.equal([]);
  });

  it('GC-3 Foreground: owners in a circle do not wait for each other', async () => {
    const owner = await world.configMap('a');
    const second = await child('b', ref(owner, { blockOwnerDeletion: true }));
    const third = await child('c', ref(second, { blockOwnerDeletion: true }));
    const back = ref(third, { blockOwnerDeletion: true });
    const closed = await world.patch(owner, { metadata: { ownerReferences: [back] } });
    await world.delete(closed, { propagationPolicy: 'Foreground' });
    await world.semantics.settle();
    expect(await names()).to.deep.equal([]);
  });

  it('GC-4 an owner in another namespace is none, and an Event says so', async () => {
    await world.create('v1', 'Namespace', { metadata: { name: 'other' } });
    const owner = await world.configMap('owner', { metadata: { name: 'owner', namespace: 'other' } });
    await child('stray', ref(owner));
    await world.semantics.settle();
    expect(await names()).to.deep.equal([]);
    const [event] = (await world.list('v1', 'Event')).items;
    expect(event?.['message']).to.equal(
      `ownerRef [v1/ConfigMap, namespace: t, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "t"`,
    );
  });

  it('GC-4 a cluster-scoped object with a namespaced owner is left alone', async () => {
    const owner = await world.configMap('owner');
    await world.create('v1', 'Namespace', { metadata: { name: 'scoped', ownerReferences: [ref(owner)] } });
    await world.delete(owner);
    await world.semantics.settle();
    expect((await world.get('v1', 'Namespace', 'scoped')).metadata.deletionTimestamp).to.equal(undefined);
  });

  it('GC-5 waits for gcDelayMs, and settle says who is busy', async () => {
    const slow = await World.open({ gcDelayMs: 5000 });
    const owner = await slow.configMap('owner');
    await slow.configMap('child', { metadata: { name: 'child', ownerReferences: [ref(owner)] } });
    await slow.delete(owner);
    let message = '';
    await slow.semantics.settle({ maxMs: 5 }).catch((error: Error) => (message = error.message));
    expect(message).to.contain('garbage-collector');
    expect((await slow.get('v1', 'ConfigMap', 'child')).metadata.name).to.equal('child');
    slow.clock.advance(5000);
    await slow.semantics.settle();
    expect((await failureOf(slow.get('v1', 'ConfigMap', 'child'))).code).to.equal(404);
    slow.close();
  });
});

describe('namespaces', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  const namespace = (): Promise<KubeObject> => world.get('v1', 'Namespace', 't');

  it('PI-4 MG-22 nothing is created in a missing or terminating namespace', async () => {
    const missing = await failureOf(world.configMap('a', { metadata: { name: 'a', namespace: 'none' } }));
    expect(missing).to.deep.include({
      code: 404,
      message: 'namespaces "none" not found',
      details: { name: 'none', kind: 'namespaces' },
    });
    await world.configMap('held', { metadata: { name: 'held', ...held } });
    await world.delete(await namespace());
    const terminating = await failureOf(world.configMap('a'));
    expect(terminating.code).to.equal(403);
    expect(terminating.message).to.equal(
      'configmaps "a" is forbidden: unable to create new content in namespace t because it is being terminated',
    );
    expect(terminating.details?.causes).to.deep.equal([
      { reason: 'NamespaceTerminating', message: 'namespace t is being terminated', field: 'metadata.namespace' },
    ]);
  });

  it('NS-2 a deleted namespace is Terminating without grace period, as often as it is deleted', async () => {
    await world.configMap('held', { metadata: { name: 'held', ...held } });
    const { object, gone } = await world.delete(await namespace());
    expect(gone).to.equal(false);
    expect(object['status']).to.deep.include({ phase: 'Terminating' });
    expect(object.metadata).not.to.have.any.keys('deletionGracePeriodSeconds', 'finalizers');
    const again = await world.delete(object);
    expect(again.object.metadata.resourceVersion).to.equal(object.metadata.resourceVersion);
  });

  it('NS-3 what Pods use stays until the last of them is gone', async () => {
    await world.configMap('used');
    const spec = { containers: [{ name: 'main', image: 'example.com/a:1' }] };
    const pod = await world.create('v1', 'Pod', { metadata: { name: 'p', ...held }, spec });
    await world.delete(await namespace());
    await world.semantics.settle();
    expect((await world.get('v1', 'ConfigMap', 'used')).metadata.deletionTimestamp).to.equal(undefined);
    await world.patch(pod, { metadata: { finalizers: null } });
    await world.semantics.settle();
    expect((await failureOf(namespace())).code).to.equal(404);
  });

  it('NS-3 MG-19 is emptied of all kinds and then gone; what finalizers hold is told in conditions', async () => {
    await world.defineWidgets();
    await world.widget('w', { metadata: { name: 'w', ...held } });
    await world.configMap('a');
    await world.delete(await namespace());
    await world.semantics.settle();
    const conditions = (
      (await namespace())['status'] as { conditions: { type: string; status: string; message: string }[] }
    ).conditions;
    const remaining = conditions.find((condition) => condition.type === 'NamespaceContentRemaining');
    expect(remaining?.message).to.equal(
      'Some resources are remaining: widgets.demo.example.com has 1 resource instances',
    );
    const finalizers = conditions.find((condition) => condition.type === 'NamespaceFinalizersRemaining');
    expect(finalizers?.message).to.equal(
      'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    );
    await world.patch(
      { apiVersion: 'demo.example.com/v1', kind: 'Widget', metadata: { name: 'w' } },
      { metadata: { finalizers: null } },
    );
    await world.semantics.settle();
    expect((await failureOf(namespace())).code).to.equal(404);
  });

  it('NS-4 default, kube-system and kube-public stay', async () => {
    await world.create('v1', 'Namespace', { metadata: { name: 'default' } });
    const status = await failureOf(world.delete(await world.get('v1', 'Namespace', 'default')));
    expect([status.code, status.message]).to.deep.equal([
      403,
      'namespaces "default" is forbidden: this namespace may not be deleted',
    ]);
  });
});
