import { Result } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { never } from '../predicate/by-object.js';
import { managerRig } from '../testing/manager-rig.test.js';
import { anObject, gate, keyed, rig } from '../testing/rig.test.js';
import type { InspectorEvent } from './contract.js';
import { INSPECTOR_DEFAULTS } from './defaults.js';
import { requestOfKey } from './request-of-key.js';

const KEY = 'default/web';

describe('Inspector', () => {
  it('C25 snapshot tells phase, streams, queues, options and stuck keys, as plain JSON', async () => {
    const test = managerRig();
    const open = gate();
    const { informer, controller } = test.addController('podset', () => open.opened, {
      config: { options: { reconcileTimeout: '1m' } },
    });
    const { inspector } = test.manager;
    expect(inspector.snapshot()).to.deep.include({ phase: 'new', eventLoopLagMs: 0 });
    const ended = test.start();
    await test.clock.settle();
    expect(inspector.snapshot().phase).to.equal('starting');
    informer.sync();
    await test.manager.elected;
    informer.create(anObject('web'));
    informer.create(anObject('other'));
    controller.enqueue(keyed('later'), { after: 600_000 });
    await test.clock.advance('90s');
    const snapshot = inspector.snapshot();
    expect(snapshot.phase).to.equal('running');
    expect(snapshot.streams).to.deep.equal([
      {
        kind: 'app.example.com/v1alpha1 PodSet',
        state: 'watching',
        synced: true,
        objects: 0,
        resourceVersion: '1',
        failures: 0,
      },
    ]);
    const [first] = snapshot.controllers;
    expect(first).to.deep.include({
      name: 'podset',
      kind: 'PodSet',
      phase: 'running',
      paused: false,
      synced: true,
      stuck: [KEY],
      sources: ['podset @For(PodSet)'],
    });
    expect(first?.options).to.deep.include({ reconcileTimeout: 60_000, maxConcurrentReconciles: 1 });
    expect(first?.queue.processing.map(({ key }) => key)).to.include(KEY);
    expect(first?.queue.delayed).to.deep.equal([{ key: 'default/later', priority: 0, dueIn: 510_000 }]);
    expect(JSON.parse(JSON.stringify(snapshot))).to.deep.equal(snapshot);
    open.open();
    await test.manager.stop();
    await ended;
    expect(inspector.snapshot().phase).to.equal('stopped');
  });

  it('C25 object tells the count, when and why it runs next, the last error, causes and runs', async () => {
    const answers = [new Error('no quota'), new Error('still no quota'), Result.requeueAfter('1h')];
    await using test = rig(() => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    });
    expect(test.controller.inspectKey(KEY)).to.equal(undefined);
    test.informer.create(anObject('web'));
    await test.settle();
    expect(test.controller.inspectKey(KEY)).to.deep.include({ attempts: 1, place: 'delayed', dueIn: 5, why: 'error' });
    await test.clock.advance('1s');
    const known = test.controller.inspectKey(KEY);
    expect(known).to.deep.include({ attempts: 0, place: 'delayed', why: 'requeue_after' });
    expect(known?.lastError).to.deep.include({ message: 'still no quota' });
    expect(known?.causes.map(({ type }) => type)).to.deep.equal(['retry']);
    expect(known?.runs.map(({ result, attempt, error }) => [result, attempt, error?.message])).to.deep.equal([
      ['error', 0, 'no quota'],
      ['error', 1, 'still no quota'],
      ['requeue_after', 2, undefined],
    ]);
    expect(JSON.parse(JSON.stringify(known))).to.deep.equal(known);
  });

  it('C25 keeps 20 runs of a key, 1,000 keys that went well and 10,000 that failed; C17 nothing of an absent object', async () => {
    expect(INSPECTOR_DEFAULTS).to.deep.equal({ runs: 20, keys: 1_000, failingKeys: 10_000 });
    await using test = rig(({ name }) => {
      if (name.startsWith('bad')) throw new Error('bad');
    });
    const web = anObject('web');
    for (let version = 0; version < 25; version++) {
      test.informer.create(web);
      await test.settle();
    }
    expect(test.controller.inspectKey(KEY)?.runs).to.have.length(20);
    test.informer.create(anObject('bad'));
    for (let index = 0; index < 1_000; index++) test.informer.create(anObject(`good-${index}`));
    while (test.controller.snapshot().depth > 0) await test.settle();
    expect(test.controller.inspectKey(KEY), 'the oldest that went well is out').to.equal(undefined);
    expect(test.controller.inspectKey('default/good-0')).not.to.equal(undefined);
    expect(test.controller.inspectKey('default/bad')?.lastError?.message).to.equal('bad');
    test.informer.delete(anObject('good-999'));
    await test.settle();
    expect(test.controller.inspectKey('default/good-999')).to.equal(undefined);
  });

  it('C25 C19 subscribe tells what happens until it is ended, and a listener that throws harms nobody', async () => {
    await using test = rig(() => {});
    const events: InspectorEvent[] = [];
    const ends = [
      test.controller.feed.subscribe(() => {
        throw new Error('broken dashboard');
      }),
      test.controller.feed.subscribe((event) => void events.push(event)),
    ];
    test.informer.create(anObject('web'));
    await test.settle();
    expect(events.map(({ type, key }) => [type, key])).to.deep.equal([
      ['enqueued', KEY],
      ['run-started', KEY],
      ['run-ended', KEY],
    ]);
    expect(test.controller.feed.faults).to.equal(3);
    for (const end of ends) end();
    expect(test.controller.feed.active).to.equal(false);
    test.informer.create(anObject('web'));
    await test.settle();
    expect(events).to.have.length(3);
  });

  it('C25 subscribe tells of events that predicates dropped', async () => {
    await using test = rig(() => {}, { predicates: [never()] });
    const events: InspectorEvent[] = [];
    test.controller.feed.subscribe((event) => void events.push(event));
    test.informer.create(anObject('web'));
    expect(events).to.deep.equal([
      { type: 'filtered', controller: 'podset', key: KEY, event: 'create', at: test.clock.now() },
    ]);
  });
});

describe('Control', () => {
  it('C26 pause lets the queue fill and no run begin; resume lets them run', async () => {
    const ran: string[] = [];
    const test = managerRig();
    const { informer } = test.addController('podset', ({ name }) => void ran.push(name));
    informer.sync();
    const ended = test.start();
    await test.manager.elected;
    const { control, inspector } = test.manager;
    expect(control.pause('podset')).to.equal(true);
    for (const name of ['a', 'b']) informer.create(anObject(name));
    await test.clock.advance('20m');
    expect(ran).to.deep.equal([]);
    expect(inspector.snapshot().controllers[0]).to.deep.include({ paused: true });
    expect(inspector.snapshot().controllers[0]?.queue.depth).to.equal(2);
    expect(control.resume('podset')).to.equal(true);
    await test.clock.settle();
    expect(ran).to.deep.equal(['a', 'b']);
    expect([control.pause('nobody'), control.resume('nobody'), control.trigger('nobody', 'a/b')]).to.deep.equal([
      false,
      false,
      false,
    ]);
    control.pause('podset');
    await test.manager.stop();
    expect(await ended, 'a paused controller stops too').to.equal('well');
    expect(control.trigger('podset', KEY)).to.equal(false);
  });

  it('C26 trigger runs a key at once, back-off or not', async () => {
    let runs = 0;
    await using test = rig(() => {
      runs += 1;
      throw new Error('no');
    });
    test.informer.create(anObject('web'));
    await test.clock.advance('1h');
    const before = runs;
    expect(test.controller.trigger(keyed('web'))).to.equal(true);
    await test.settle();
    expect(runs).to.equal(before + 1);
  });

  it('C26 a key names a request', () => {
    expect(requestOfKey('web')).to.deep.equal({ name: 'web' });
    expect(requestOfKey('default/web')).to.deep.equal({ namespace: 'default', name: 'web' });
    expect(requestOfKey('east|default/web')).to.deep.equal({ cluster: 'east', namespace: 'default', name: 'web' });
    expect(requestOfKey('east|web')).to.deep.equal({ cluster: 'east', name: 'web' });
  });
});
