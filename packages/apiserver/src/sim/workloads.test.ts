import { expect } from 'chai';
import fc from 'fast-check';
import { afterEach, describe, it } from 'mocha';
import { failure } from '../core/errors.js';
import type { JsonObject } from '../core/types.js';
import type { Workload } from '../kinds/shapes.js';
import { type AnyJson, deployment, pod, SimWorld } from './harness.test.js';
import { availableOf, limitsOf, replicasOf, rollingStep, sum } from './rollout.js';

let world: SimWorld;

const running = (): AnyJson[] =>
  world.all('pods').filter((p) => p.status.phase === 'Running' && !p.metadata.deletionTimestamp);
const images = (): string[] => running().map((p) => p.spec.containers[0].image);
const revision = (object: AnyJson): string => object.metadata.annotations['deployment.kubernetes.io/revision'];
const sets = (): Record<string, number> =>
  Object.fromEntries(world.all('replicasets').map((set) => [revision(set), set.spec.replicas]));
const podSpec = (name: string): JsonObject => ({ containers: [{ name: 'main', image: name }] });
const template = (name: string): JsonObject => ({ spec: podSpec(name) });
const image = (name: string): JsonObject => ({ spec: { template: template(name) } });

describe('pretend Deployments and ReplicaSets', () => {
  afterEach(() => world.stop());

  it('SI-4 SI-5 a Deployment makes a ReplicaSet, which makes Pods', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment());
    await world.pass(200);
    const d = world.get('deployments', 'd');
    expect(d.status).to.deep.include({
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: d.metadata.generation,
    });
    expect(d.status.conditions.map((c: AnyJson) => [c.type, c.status, c.reason])).to.deep.equal([
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ]);
    const [set] = world.all('replicasets');
    const hash = set.metadata.labels['pod-template-hash'];
    expect(set.metadata.name).to.equal(`d-${hash}`);
    expect(set.metadata.ownerReferences[0]).to.include({
      kind: 'Deployment',
      name: 'd',
      controller: true,
      blockOwnerDeletion: true,
    });
    expect(running()).to.have.length(3);
    for (const p of running()) expect(p.metadata.labels).to.deep.equal({ app: 'x', 'pod-template-hash': hash });
    expect(revision(d)).to.equal('1');
    expect(
      [d, ...running()].map((o) => o.metadata.generation),
      'nobody asked for a change',
    ).to.deep.equal([1, 1, 1, 1]);
  });

  it('SI-4 a new template rolls out within maxSurge and maxUnavailable', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment({ replicas: 4 }));
    await world.pass(200);
    const events = await world.watch('pods');
    await world.merge('deployments', 'd', image('example.com/app:2'));
    await world.pass(3000);
    expect(images()).to.deep.equal(Array(4).fill('example.com/app:2'));
    expect(sets()).to.deep.equal({ 1: 0, 2: 4 });
    // 25% of 4: never more than five active, never fewer than three available.
    const active = new Map<string, AnyJson>();
    for (const { type, object } of events as AnyJson[]) {
      const key = object.metadata.name;
      if (type === 'DELETED' || object.metadata.deletionTimestamp) active.delete(key);
      else if (type === 'ADDED') active.set(key, object);
      expect(active.size).to.be.at.most(5);
    }
  });

  it('SI-4 an older template comes back as the newest revision (undo)', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment({ replicas: 1 }));
    await world.pass(200);
    await world.merge('deployments', 'd', image('example.com/app:2'));
    await world.pass(2000);
    await world.merge('deployments', 'd', image('example.com/app:1'));
    await world.pass(2000);
    expect(sets()).to.deep.equal({ 2: 0, 3: 1 });
    expect(revision(world.get('deployments', 'd'))).to.equal('3');
    expect(world.all('replicasets')).to.have.length(2);
  });

  it('SI-4 Recreate waits until the old Pods are gone', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment({ replicas: 2, strategy: { type: 'Recreate' } }));
    await world.pass(200);
    await world.merge('deployments', 'd', image('example.com/app:2'));
    await world.pass(50);
    expect(images().filter((name) => name.endsWith(':1'))).to.deep.equal([]);
    await world.pass(2000);
    expect(images()).to.deep.equal(['example.com/app:2', 'example.com/app:2']);
  });

  it('SI-4 a paused Deployment changes its size, not its template', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment({ replicas: 1 }));
    await world.pass(200);
    await world.merge('deployments', 'd', {
      spec: { paused: true, replicas: 2, template: template('example.com/app:2') },
    });
    await world.pass(500);
    expect(images()).to.deep.equal(['example.com/app:1', 'example.com/app:1']);
    await world.merge('deployments', 'd', { spec: { paused: false } });
    await world.pass(3000);
    expect(images()).to.deep.equal(['example.com/app:2', 'example.com/app:2']);
  });

  it('SI-4 only as many old ReplicaSets stay as the history limit says', async () => {
    world = await SimWorld.start(undefined, { podGrace: 0 });
    await world.create('deployments', deployment({ replicas: 1, revisionHistoryLimit: 1 }));
    for (const tag of ['2', '3', '4']) {
      await world.pass(300);
      await world.merge('deployments', 'd', image(`example.com/app:${tag}`));
    }
    await world.pass(1000);
    expect(sets()).to.deep.equal({ 3: 0, 4: 1 });
  });

  it('SI-5 a ReplicaSet replaces lost Pods and gives up the least useful ones', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment());
    await world.pass(200);
    await world.delete('pods', running()[0].metadata.name, { gracePeriodSeconds: 0 });
    await world.pass(200);
    expect(running()).to.have.length(3);
    const before = running().map((p) => p.metadata.name);
    await world.merge('deployments', 'd', { spec: { replicas: 5 } });
    await world.semantics.settle();
    await world.merge('deployments', 'd', { spec: { replicas: 3 } });
    await world.pass(200);
    expect(
      running().map((p) => p.metadata.name),
      'those without a node went first',
    ).to.deep.equal(before);
  });

  it('SI-5 a ReplicaSet takes in matching Pods and lets go those that match no more', async () => {
    world = await SimWorld.start();
    await world.create('pods', pod('stray', {}, { labels: { app: 'x' } }));
    const spec = {
      replicas: 2,
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x' } }, spec: podSpec('example.com/app:1') },
    };
    await world.create('replicasets', { metadata: { name: 'r' }, spec });
    await world.pass(200);
    expect(world.get('pods', 'stray').metadata.ownerReferences[0]).to.include({ kind: 'ReplicaSet', name: 'r' });
    expect(running()).to.have.length(2);
    await world.merge('pods', 'stray', { metadata: { labels: { app: 'y' } } });
    await world.pass(200);
    expect(world.get('pods', 'stray').metadata).not.to.have.property('ownerReferences');
    expect(running()).to.have.length(3);
  });

  it('SI-5 Pods that are refused show as ReplicaFailure, and are tried again', async () => {
    world = await SimWorld.start();
    const refuse = (attributes: { resource: { kind: string } }): void => {
      if (attributes.resource.kind === 'Pod') throw failure(403, 'Forbidden', 'pods are not wanted here');
    };
    world.semantics.admission = {
      mutate: async ({ object }) => object,
      validate: async (attributes) => refuse(attributes),
    };
    await world.create('deployments', deployment());
    await world.pass(200);
    for (const object of [world.all('replicasets')[0], world.get('deployments', 'd')]) {
      const condition = object.status.conditions.find((c: AnyJson) => c.type === 'ReplicaFailure');
      expect(condition).to.include({ status: 'True', reason: 'FailedCreate', message: 'pods are not wanted here' });
    }
    world.semantics.admission = undefined;
    await world.pass(6000);
    expect(running()).to.have.length(3);
    for (const object of [world.all('replicasets')[0], world.get('deployments', 'd')]) {
      expect((object.status.conditions ?? []).map((c: AnyJson) => c.type)).not.to.include('ReplicaFailure');
    }
  });

  it('SI-6 deleting the Deployment takes everything with it', async () => {
    world = await SimWorld.start();
    await world.create('deployments', deployment());
    await world.pass(200);
    await world.delete('deployments', 'd');
    await world.pass(2000);
    expect([...world.all('replicasets'), ...world.all('pods')]).to.deep.equal([]);
  });
});

describe('pretend Jobs and endpoints', () => {
  afterEach(() => world.stop());

  const job = (spec: object = {}, annotations: object = {}): Parameters<SimWorld['create']>[1] => ({
    metadata: { name: 'j' },
    spec: {
      template: {
        metadata: { annotations: { ...annotations } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1' }] },
      },
      ...spec,
    },
  });
  const ended = (): string[] => (world.get('jobs', 'j').status.conditions ?? []).map((c: AnyJson) => c.type);

  it('SI-5 a Job runs its Pods, at most so many at a time, and completes', async () => {
    world = await SimWorld.start();
    await world.create('jobs', job({ completions: 3, parallelism: 2 }));
    await world.pass(100);
    expect(world.get('jobs', 'j').status).to.include({ active: 2 });
    await world.pass(2000);
    expect(world.get('jobs', 'j').status).to.include({
      succeeded: 3,
      completionTime: world.get('jobs', 'j').status.completionTime,
    });
    expect(ended()).to.deep.equal(['SuccessCriteriaMet', 'Complete']);
    expect(world.all('pods').map((p) => p.status.phase)).to.deep.equal(['Succeeded', 'Succeeded', 'Succeeded']);
  });

  it('SI-5 SI-3 a Job whose Pods fail is tried again up to its limit', async () => {
    world = await SimWorld.start();
    await world.create('jobs', job({ backoffLimit: 2 }, { 'embedded/exit-code': '1' }));
    await world.pass(5000);
    expect(world.get('jobs', 'j').status).to.include({ failed: 3 });
    expect(ended()).to.deep.equal(['FailureTarget', 'Failed']);
  });

  it('SI-5 a finished Job goes when its time is over', async () => {
    world = await SimWorld.start();
    await world.create('jobs', job({ ttlSecondsAfterFinished: 5 }));
    await world.pass(1000);
    expect(ended()).to.include('Complete');
    await world.pass(6000);
    expect(world.all('jobs')).to.deep.equal([]);
  });

  it('SI-5 ready Pods of a Service stand in its EndpointSlice and Endpoints', async () => {
    world = await SimWorld.start();
    await world.create('services', {
      metadata: { name: 's' },
      spec: { selector: { app: 'x' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    await world.create('deployments', deployment({ replicas: 2 }));
    await world.pass(200);
    const slice = world.all('endpointslices').find((o) => o.metadata.labels['kubernetes.io/service-name'] === 's');
    const addresses = running().map((p) => p.status.podIP);
    expect(slice.endpoints.map((e: AnyJson) => e.addresses[0])).to.have.members(addresses);
    expect(slice.ports).to.deep.equal([{ name: '', port: 8080, protocol: 'TCP' }]);
    expect(world.get('endpoints', 's').subsets[0].addresses.map((a: AnyJson) => a.ip)).to.have.members(addresses);
    await world.delete('services', 's');
    await world.pass(100);
    expect(world.get('endpoints', 's')).to.equal(undefined);
  });
});

describe('arithmetic of rollouts', () => {
  const set = (replicas: number, available: number): Workload =>
    ({
      spec: { replicas, template: { spec: { containers: [] } } },
      status: { availableReplicas: available },
    }) as unknown as Workload;

  it('SI-4 steps keep within the limits and reach the end, whatever the numbers', () => {
    const share = fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 100 }).map((n) => `${n}%`),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12 }),
        share,
        share,
        fc.integer({ min: 0, max: 12 }),
        (wanted, maxSurge, maxUnavailable, oldReplicas) => {
          const target = {
            spec: {
              replicas: wanted,
              strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
            },
          } as unknown as Workload;
          const { surge, unavailable } = limitsOf(target);
          let old = set(oldReplicas, oldReplicas);
          let current = set(0, 0);
          for (let step = 0; step < 100; step++) {
            const change = rollingStep(target, current, [old]);
            if (!change.size) break;
            const before = replicasOf(current) + replicasOf(old);
            current = set(
              change.get(current) ?? replicasOf(current),
              Math.min(availableOf(current), change.get(current) ?? 99),
            );
            old = set(change.get(old) ?? replicasOf(old), Math.min(availableOf(old), change.get(old) ?? 99));
            const total = replicasOf(current) + replicasOf(old);
            expect(total, 'surge').to.be.at.most(Math.max(before, wanted + surge));
            const floor = Math.min(oldReplicas, wanted - Math.min(unavailable, wanted));
            expect(sum([current, old], availableOf), 'availability').to.be.at.least(floor);
            current = set(replicasOf(current), replicasOf(current));
          }
          expect([replicasOf(current), replicasOf(old)]).to.deep.equal([wanted, 0]);
        },
      ),
    );
  });
});
