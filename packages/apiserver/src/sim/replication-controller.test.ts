import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { pod, SimWorld } from './harness.test.js';

const LABELS = { app: 'rc' };

describe('pretend ReplicationControllers', () => {
  let world: SimWorld;
  beforeEach(async () => {
    world = await SimWorld.start();
    const template = {
      metadata: { labels: LABELS },
      spec: { containers: [{ name: 'main', image: 'example.com/a:1' }] },
    };
    await world.create('replicationcontrollers', {
      metadata: { name: 'rc' },
      spec: { replicas: 2, selector: LABELS, template },
    });
    await world.pass(200);
  });
  afterEach(() => world.stop());

  const owned = (): string[] =>
    world
      .all('pods')
      .filter((p) => !p.metadata.deletionTimestamp && p.metadata.ownerReferences?.[0]?.name === 'rc')
      .map((p) => p.metadata.name);

  it('SI-5 keep as many Pods as they ask for', async () => {
    expect(owned()).to.have.length(2);
    expect(world.get('replicationcontrollers', 'rc').status).to.include({ replicas: 2, readyReplicas: 2 });
    await world.merge('replicationcontrollers', 'rc', { spec: { replicas: 1 } });
    await world.pass(1500);
    expect(owned()).to.have.length(1);
    await world.delete('pods', owned()[0] ?? '');
    await world.pass(1500);
    expect(owned()).to.have.length(1);
  });

  it('SI-5 take in Pods that match, and let go those that match no more', async () => {
    const [first = ''] = owned();
    await world.merge('pods', first, { metadata: { labels: { app: 'other' } } });
    await world.pass(200);
    expect(world.get('pods', first).metadata.ownerReferences ?? []).to.deep.equal([]);
    expect(owned()).to.have.length(2);
    await world.merge('replicationcontrollers', 'rc', { spec: { replicas: 3 } });
    await world.create('pods', pod('orphan', {}, { labels: LABELS }));
    await world.pass(1500);
    expect(owned()).to.have.length(3);
  });
});
