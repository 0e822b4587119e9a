import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { type AnyJson, managers, pod, SimWorld } from './harness.test.js';

let world: SimWorld;

const condition = (object: AnyJson, type: string): string | undefined =>
  object.status.conditions?.find((c: AnyJson) => c.type === type)?.status;

describe('pretend scheduler and kubelet', () => {
  afterEach(() => world.stop());

  it('SI-1 SI-2 a Pod gets a node and becomes Running and Ready, each step a watch event', async () => {
    world = await SimWorld.start();
    const events = await world.watch('pods');
    await world.create(
      'pods',
      pod('p', {
        readinessGates: [{ conditionType: 'example.com/gate' }],
        initContainers: [{ name: 'i', image: 'i:1' }],
      }),
    );
    await world.semantics.settle();
    expect(world.get('pods', 'p').status.phase, 'before any time has passed').to.equal('Pending');
    await world.pass(100);
    const running = world.get('pods', 'p');
    expect(running.spec.nodeName).to.equal('embedded-node');
    expect(running.status).to.deep.include({
      phase: 'Running',
      hostIP: '127.0.0.1',
      podIPs: [{ ip: running.status.podIP }],
    });
    for (const type of ['PodScheduled', 'Initialized', 'Ready', 'ContainersReady', 'example.com/gate'])
      expect(condition(running, type), type).to.equal('True');
    expect(running.status.containerStatuses[0]).to.deep.include({
      name: 'main',
      ready: true,
      state: { running: { startedAt: '2030-01-01T00:00:00Z' } },
    });
    expect(running.status.initContainerStatuses[0].state.terminated.exitCode).to.equal(0);
    expect(events.map((event) => event.type)).to.deep.equal(['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED']);
  });

  it('SI-8 each controller writes under its own name', async () => {
    world = await SimWorld.start();
    await world.create('pods', pod('p'));
    await world.pass(100);
    expect(managers(world.get('pods', 'p'))).to.include.members(['me', 'embedded-scheduler', 'embedded-kubelet']);
  });

  it('SI-1 gates and nodes that do not fit keep a Pod waiting', async () => {
    world = await SimWorld.start();
    await world.create('pods', pod('gated', { schedulingGates: [{ name: 'example.com/hold' }] }));
    await world.create('pods', pod('picky', { nodeSelector: { disk: 'fast' } }));
    await world.pass(100);
    expect(world.get('pods', 'gated').status.conditions[0]).to.include({
      type: 'PodScheduled',
      status: 'False',
      reason: 'SchedulingGated',
    });
    expect(world.get('pods', 'picky').status.conditions[0]).to.include({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
    });
    await world.merge('pods', 'gated', { spec: { schedulingGates: null } });
    await world.merge('nodes', 'embedded-node', { metadata: { labels: { disk: 'fast' } } });
    await world.pass(150);
    expect(world.get('pods', 'gated').status.phase).to.equal('Running');
    expect(world.get('pods', 'picky').status.phase).to.equal('Running');
  });

  it('SI-1 a Pod bound to a node nobody knows is left alone', async () => {
    world = await SimWorld.start();
    await world.create('pods', pod('p', { nodeName: 'elsewhere' }));
    await world.pass(200);
    expect(world.get('pods', 'p').status).to.deep.equal({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  it('SI-2 DL-1 a deleted Pod is Terminating for the shorter of grace period and cap, then gone', async () => {
    world = await SimWorld.start(undefined, { podGrace: 5000 });
    await world.create('pods', pod('long'));
    await world.create('pods', pod('short', { terminationGracePeriodSeconds: 2 }));
    await world.pass(100);
    await world.delete('pods', 'long');
    await world.delete('pods', 'short');
    await world.pass(1900);
    expect(world.get('pods', 'long').metadata).to.include({ deletionGracePeriodSeconds: 30 });
    expect(world.all('pods')).to.have.length(2);
    await world.pass(200);
    expect(world.all('pods').map((p) => p.metadata.name)).to.deep.equal(['long']);
    await world.pass(3000);
    expect(world.all('pods')).to.deep.equal([]);
  });

  it('SI-2 finalizers hold a Pod after its grace period', async () => {
    world = await SimWorld.start();
    await world.create('pods', pod('p', {}, { finalizers: ['example.com/hold'] }));
    await world.pass(100);
    await world.delete('pods', 'p');
    await world.pass(1500);
    expect(world.get('pods', 'p').metadata).to.include({ deletionGracePeriodSeconds: 0 });
    await world.merge('pods', 'p', { metadata: { finalizers: null } });
    expect(world.all('pods')).to.deep.equal([]);
  });

  it('SI-3 annotations make Pods fail, end with a code, or never become ready', async () => {
    world = await SimWorld.start();
    await world.create('pods', pod('fails', {}, { annotations: { 'embedded/phase': 'Failed' } }));
    await world.create('pods', pod('ends', {}, { annotations: { 'embedded/exit-code': '7' } }));
    await world.create('pods', pod('unready', {}, { annotations: { 'embedded/never-ready': '' } }));
    await world.pass(600);
    expect(world.get('pods', 'fails').status.phase).to.equal('Failed');
    expect(world.get('pods', 'ends').status.containerStatuses[0].state.terminated).to.include({
      exitCode: 7,
      reason: 'Error',
    });
    const unready = world.get('pods', 'unready');
    expect([unready.status.phase, condition(unready, 'Ready')]).to.deep.equal(['Running', 'False']);
  });

  it('TC-8 a paused controller does nothing until it is stepped or resumed', async () => {
    world = await SimWorld.start(undefined, { delays: { schedule: [0, 0], start: [0, 0] } });
    world.simulation.pause('kubelet');
    await world.create('pods', pod('a'));
    await world.create('pods', pod('b'));
    await world.semantics.settle();
    const phases = (): string[] => world.all('pods').map((p) => p.status.phase);
    expect(phases()).to.deep.equal(['Pending', 'Pending']);
    expect(await world.simulation.step('kubelet')).to.equal(true);
    expect(phases()).to.deep.equal(['Running', 'Pending']);
    world.simulation.resume('kubelet');
    await world.semantics.settle();
    expect(phases()).to.deep.equal(['Running', 'Running']);
    expect(() => world.simulation.pause('nobody')).to.throw(
      /no controller "nobody" runs here; there are: serviceaccount, event-expiry, scheduler/,
    );
  });

  it('DF-5 an Event lives for an hour after its last write', async () => {
    world = await SimWorld.start([]);
    const event = (name: string): Parameters<SimWorld['create']>[1] => ({
      metadata: { name },
      involvedObject: { namespace: 'default' },
    });
    await world.create('events', event('old'));
    await world.create('events', event('renewed'));
    world.clock.advance(50 * 60_000);
    await world.semantics.settle();
    await world.merge('events', 'renewed', { count: 2 });
    for (let minute = 0; minute < 12; minute++) {
      world.clock.advance(60_000);
      await world.semantics.settle();
    }
    expect(world.all('events').map((e) => e.metadata.name)).to.deep.equal(['renewed']);
  });

  it('SI-6 BO-1 every namespace has its ServiceAccount and root certificate, and gets them back', async () => {
    world = await SimWorld.start([], { caPem: 'PEM' });
    expect(world.get('serviceaccounts', 'default')).to.be.an('object');
    expect(world.get('configmaps', 'kube-root-ca.crt').data).to.deep.equal({ 'ca.crt': 'PEM' });
    await world.delete('serviceaccounts', 'default');
    await world.merge('configmaps', 'kube-root-ca.crt', { data: { 'ca.crt': 'other' } });
    await world.semantics.settle();
    expect(world.get('serviceaccounts', 'default')).to.be.an('object');
    expect(world.get('configmaps', 'kube-root-ca.crt').data).to.deep.equal({ 'ca.crt': 'PEM' });
  });
});
