import type { Context } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { anObject, keyed, PodSetKind, rig } from '../testing/rig.test.js';
import { Controller } from './controller.js';

const web = keyed('web');

describe('Controller: workers', () => {
  it('C3 never runs a key twice at once, and as many keys as it may', async () => {
    const open = new Map<string, () => void>();
    let most = 0;
    await using test = rig(
      async ({ name }) => {
        expect(open.has(name), `${name} runs twice`).to.equal(false);
        await new Promise<void>((resolve) => open.set(name, resolve));
        open.delete(name);
      },
      { options: { maxConcurrentReconciles: 3 } },
    );
    for (let round = 0; round < 4; round++) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) test.controller.enqueue({ name });
      await test.settle();
      most = Math.max(most, open.size);
      for (const end of open.values()) end();
    }
    while (open.size > 0) {
      for (const end of open.values()) end();
      await test.settle();
    }
    expect(most).to.equal(3);
  });

  it('C2 runs nothing before it is started, and starts once', async () => {
    let runs = 0;
    await using test = rig(() => void runs++, { start: false });
    test.controller.connect();
    test.informer.create(anObject('web'), true);
    await test.settle();
    expect(runs).to.equal(0);
    test.controller.start();
    await test.settle();
    expect(runs).to.equal(1);
    expect(() => test.controller.start())
      .to.throw()
      .with.property('code', 'KW_CONTROLLER_STARTED');
  });

  it('C5 needs a reconcile method and a source', () => {
    const build = (change: object): (() => Controller) => {
      const test = rig(() => {}, { start: false });
      const config = { name: 'x', sources: test.controller.sources, reconciler: { reconcile() {} }, clock: test.clock };
      const rest = { random: Math.random, logger: test.logger, runContext: test.runContexts };
      return () => new Controller({ ...config, ...rest, ...change });
    };
    expect(build({})).not.to.throw();
    expect(build({ sources: [] }))
      .to.throw('watches nothing')
      .with.property('code', 'KW_CONTROLLER_NO_SOURCE');
    expect(build({ reconciler: {} }))
      .to.throw('no reconcile')
      .with.property('code', 'KW_CONTROLLER_NO_SOURCE');
    expect(build({ options: { maxConcurrentReconciles: 0 } })).to.throw(RangeError);
    expect(build({ options: { reconcileTimeout: 'soon' } })).to.throw(RangeError);
  });

  it('C18 tells why it runs', async () => {
    const contexts: Context[] = [];
    await using test = rig((_request, ctx) => void contexts.push(ctx), { start: false });
    test.controller.connect();
    test.informer.create(anObject('web', { resourceVersion: '7' }), true);
    for (let index = 0; index < 20; index++) test.controller.enqueue(web);
    test.controller.start();
    await test.settle();
    expect(contexts[0]?.causes).to.have.length(10);
    expect(contexts[0]?.causes[0]).to.deep.equal({
      type: 'create',
      kind: 'PodSet',
      key: 'default/web',
      resourceVersion: '7',
      at: test.clock.now(),
    });
    expect(contexts[0]?.causes[1]).to.include({ type: 'enqueue', key: 'default/web' });
    expect(contexts[0]?.causesDropped).to.equal(11);
  });

  it('C19 takes whatever is thrown, and whichever way, as one kind of failure', async () => {
    const thrown: unknown[] = ['x', undefined, null, 7, { a: 1 }, new Error('e')];
    await using test = rig(({ name }) => {
      const value = thrown[Number(name)];
      if (Number(name) % 2 === 0) throw value;
      return Promise.reject(value);
    });
    thrown.forEach((_, index) => test.controller.enqueue({ name: `${index}` }));
    await test.settle();
    expect(test.controller.snapshot().delayed).to.have.length(6);
    expect(test.logger.at('error').map(({ fields }) => (fields['err'] as Error).message)).to.deep.equal([
      'threw a string: "x"',
      'threw undefined',
      'threw null',
      'threw a number: 7',
      'threw an object that is no Error',
      'e',
    ]);
  });

  it('C19 works on with a logger that throws', async () => {
    let runs = 0;
    const broken = (): never => {
      throw new Error('disk full');
    };
    const logger = { trace: broken, debug: broken, info: broken, warn: broken, error: broken, child: broken };
    const test = rig(() => {}, { start: false });
    const controller = new Controller({
      name: 'x',
      sources: test.controller.sources,
      clock: test.clock,
      random: () => 0,
      runContext: test.runContexts,
      logger,
      reconciler: {
        reconcile(_request, ctx) {
          runs += 1;
          ctx.logger.info('hello');
          throw new Error('no');
        },
      },
    });
    controller.start();
    controller.enqueue(web);
    await test.clock.advance(15);
    expect(runs).to.equal(3);
    await controller.stop(new Error('over'));
  });

  it('C4 counts panics, and stops for them only when told so', async () => {
    const panic = (): never => {
      throw new TypeError('x is not a function');
    };
    await using lenient = rig(panic);
    lenient.controller.enqueue(web);
    await lenient.settle();
    expect(lenient.controller.counters).to.include({ panics: 1, error: 1 });

    const fatal: unknown[] = [];
    await using strict = rig(panic, { start: false, options: { recoverPanic: false } });
    strict.controller.connect((error) => fatal.push(error));
    strict.controller.start();
    strict.controller.enqueue(web);
    await strict.settle();
    expect(fatal).to.have.length(1);
    expect(fatal[0]).to.be.instanceOf(TypeError);
  });

  it('L23 says what to do when a run writes to a cached object', async () => {
    await using test = rig(() => {
      const cached: { spec: number } = Object.freeze({ spec: 1 });
      cached.spec = 2;
    });
    test.controller.enqueue(web);
    await test.settle();
    expect(test.logger.at('error')[0]?.fields['hint']).to.contain('mutable(object)');
  });

  it('C22 gives each run an id of its own, and enqueues for others', async () => {
    const ids = new Set<string>();
    const seen: string[] = [];
    await using test = rig((request, ctx) => {
      ids.add(ctx.reconcileId);
      seen.push(request.name);
      if (request.name === 'web') ctx.enqueue({ name: 'other' }, { after: 1_000 });
    });
    test.controller.enqueue(web);
    await test.clock.advance('1s');
    expect(seen).to.deep.equal(['web', 'other']);
    expect(ids.size).to.equal(2);
  });

  it('M18 logs a run with its keys', async () => {
    await using test = rig((_request, ctx) => ctx.logger.info('hello'));
    test.controller.enqueue({ cluster: 'west', ...web });
    await test.settle();
    const [line] = test.logger.at('info');
    expect(line?.fields).to.deep.include({
      controller: 'podset',
      controllerGroup: PodSetKind.group,
      controllerKind: 'PodSet',
      PodSet: { namespace: 'default', name: 'web' },
      cluster: 'west',
      namespace: 'default',
      name: 'web',
      attempt: 0,
    });
    expect(line?.fields['reconcileID']).to.match(/^[0-9a-f-]{36}$/);
  });

  it('M18 logs the same failure of a key once a minute, with a count', async () => {
    await using test = rig(() => {
      throw new Error('no');
    });
    test.controller.enqueue(web);
    await test.clock.advance('59s');
    expect(test.logger.at('error')).to.have.length(1);
    await test.clock.advance('2m');
    const counts = test.logger.at('error').map(({ fields }) => fields['repeated']);
    expect(counts.length).to.be.within(2, 3);
    expect(counts[1]).to.be.greaterThan(5);
  });

  it('M18 logs an outage for twenty keys a minute, and counts the others', async () => {
    await using test = rig(() => {
      throw new Error('no cluster');
    });
    for (let index = 0; index < 100; index++) test.controller.enqueue({ name: `k${index}` });
    await test.settle();
    expect(test.controller.counters.error).to.be.at.least(100);
    expect(test.logger.at('error')).to.have.length(20);
    await test.clock.advance('2m');
    expect(test.logger.at('error')[20]?.fields['otherKeys']).to.equal(80);
  });

  it('L18 lets code below a run find its signal, log keys and controller', async () => {
    const found: unknown[] = [];
    await using test = rig(async (_request, ctx) => {
      await Promise.resolve();
      const context = test.runContexts.current();
      found.push(
        context?.controllerName,
        context?.signal.aborted,
        context?.loggerFields['reconcileID'] === ctx.reconcileId,
      );
    });
    test.controller.enqueue(web);
    await test.settle();
    expect(found).to.deep.equal(['podset', false, true]);
    expect(test.runContexts.current()).to.equal(undefined);
  });

  it('lets the event loop run while keys without end are reconciled', async () => {
    let runs = 0;
    await using test = rig(({ name }, ctx) => {
      runs += 1;
      ctx.enqueue({ name });
    });
    test.controller.enqueue(web);
    for (let turn = 0; turn < 5; turn++) await test.clock.yield();
    expect(runs).to.be.within(64, 64 * 6);
  });
});
