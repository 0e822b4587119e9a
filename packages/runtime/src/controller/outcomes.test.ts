import { ApiError, KubewrightError, type Request, Result, TerminalError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { anObject, gate, keyed, rig, type RigOptions } from '../testing/rig.test.js';
import { itemExponential } from '../workqueue/item-exponential.js';

const web = keyed('web');
const conflict = (): ApiError =>
  new ApiError('KW_API_CONFLICT', 'conflict', { status: 409, verb: 'update', kind: 'PodSet' });

describe('Controller: results', () => {
  it('C6 C7 runs a key once for each event, also when the object is absent', async () => {
    const seen: Request[] = [];
    await using test = rig((request) => void seen.push(request));
    test.informer.create(anObject('web'));
    await test.settle();
    test.informer.delete(anObject('web'));
    await test.settle();
    await test.clock.advance('1h');
    expect(seen).to.deep.equal([web, web]);
    expect(test.controller.counters.success).to.equal(2);
  });

  it('C7 C13 retries a thrown error later and later, and tells key, attempt and next try', async () => {
    const at: number[] = [];
    const attempts: number[] = [];
    await using test = rig((_request, ctx) => {
      at.push(test.clock.monotonic());
      attempts.push(ctx.attempt);
      throw new Error('no cluster');
    });
    test.controller.enqueue(web);
    await test.clock.advance(5 + 10 + 20 + 40);
    expect(at).to.deep.equal([0, 5, 15, 35, 75]);
    expect(attempts).to.deep.equal([0, 1, 2, 3, 4]);
    expect(test.controller.counters.error).to.equal(5);
    const [line] = test.logger.at('error');
    expect(line?.message).to.equal('reconcile failed');
    expect(line?.fields).to.include({
      controller: 'podset',
      namespace: 'default',
      name: 'web',
      attempt: 0,
      nextTryMs: 5,
    });
    expect(line?.fields['err']).to.include({ message: 'no cluster' });
  });

  it('C7 does not retry a TerminalError, wrapped or not, and runs the key again for an event', async () => {
    let runs = 0;
    await using test = rig(() => {
      runs += 1;
      throw new Error('outer', { cause: new TerminalError(new Error('bad spec')) });
    });
    test.controller.enqueue(web);
    await test.clock.advance('1h');
    expect(runs).to.equal(1);
    expect(test.logger.at('error')).to.have.length(1);
    test.informer.create(anObject('web'));
    await test.settle();
    expect(runs).to.equal(2);
    expect(test.controller.counters).to.include({ error: 2, terminal: 2 });
  });

  it('C7 requeue() backs off like an error, without being one', async () => {
    const at: number[] = [];
    await using test = rig(() => {
      at.push(test.clock.monotonic());
      return Result.requeue();
    });
    test.controller.enqueue(web);
    await test.clock.advance(15);
    expect(at).to.deep.equal([0, 5, 15]);
    expect(test.controller.counters).to.include({ requeue: 3, error: 0 });
    expect(test.logger.at('error')).to.deep.equal([]);
  });

  it('C8 C11 requeueAfter runs the key again after that time and resets its count', async () => {
    const runs: [number, number][] = [];
    await using test = rig((_request, ctx) => {
      runs.push([test.clock.monotonic(), ctx.attempt]);
      if (runs.length < 3) throw new Error('not yet');
      return runs.length === 3 ? Result.requeueAfter('10m') : Result.requeueAfter('1h');
    });
    test.controller.enqueue(web);
    await test.clock.advance('1h');
    expect(runs).to.deep.equal([
      [0, 0],
      [5, 1],
      [15, 2],
      [600_015, 0],
    ]);
    expect(test.controller.counters.requeueAfter).to.equal(2);
  });

  it('C8 requeueAfter keeps the priority of the run unless it names one, and is shortened by its jitter', async () => {
    await using test = rig(
      (request) => Result.requeueAfter(1_000, request.name === 'a' ? {} : { priority: 7, jitter: 0.5 }),
      {
        random: () => 0.5,
      },
    );
    test.controller.enqueue({ name: 'a' }, { priority: 3 });
    test.controller.enqueue({ name: 'b' }, { priority: 3 });
    await test.settle();
    expect(test.controller.snapshot().delayed).to.deep.equal([
      { key: 'b', priority: 7, dueIn: 750 },
      { key: 'a', priority: 3, dueIn: 1_000 },
    ]);
  });

  it('C8 takes a priority out of range as an error', async () => {
    await using test = rig(() => Result.requeueAfter('1h', { priority: 5_000 }));
    test.controller.enqueue(web);
    await test.settle();
    expect((test.logger.at('error')[0]?.fields['err'] as Error | undefined)?.message).to.contain('priority 5000');
    expect(test.controller.snapshot().processing).to.deep.equal([]);
    expect(test.controller.snapshot().delayed).to.have.length(1);
  });

  it('C8 takes any other return value as an error', async () => {
    await using test = rig((() => Promise.resolve({ requeue: true })) as unknown as () => void);
    test.controller.enqueue(web);
    await test.settle();
    const [line] = test.logger.at('error');
    expect(line?.fields['err']).to.include({ code: 'KW_CONTROLLER_RESULT' });
    expect((line?.fields['err'] as Error | undefined)?.message).to.contain('returned an object');
    expect(test.controller.snapshot().delayed).to.have.length(1);
  });

  it('C10 retries quiet errors without a word, ten times in a row', async () => {
    await using test = rig(() => {
      throw conflict();
    });
    test.controller.enqueue(web);
    await test.clock.advance(5 * (2 ** 10 - 1) - 1);
    expect(test.controller.counters).to.include({ requeue: 10, conflicts: 10, error: 0 });
    expect(test.logger.at('error')).to.deep.equal([]);
    await test.clock.advance(1);
    expect(test.controller.counters).to.include({ requeue: 10, error: 1 });
    expect(test.logger.at('error')).to.have.length(1);
  });

  it('C10 an apply conflict is not quiet, and another error begins the row anew', async () => {
    const errors = [conflict(), new Error('x'), ...Array.from({ length: 10 }, conflict)];
    await using test = rig(() => {
      const error = errors.shift();
      if (error) throw error;
    });
    test.controller.enqueue(web);
    await test.clock.advance('1h');
    expect(test.controller.counters).to.include({ conflicts: 11, error: 1, success: 1 });

    await using other = rig(() => {
      throw new ApiError('KW_API_APPLY_CONFLICT', 'conflict', { status: 409, verb: 'apply', kind: 'PodSet' });
    });
    other.controller.enqueue(web);
    await other.settle();
    expect(other.controller.counters).to.include({ conflicts: 0, error: 1 });
  });

  it('C12 an event before a requeueAfter voids it', async () => {
    const at: number[] = [];
    await using test = rig(() => {
      at.push(test.clock.monotonic());
      return at.length === 1 ? Result.requeueAfter('10m') : Result.done();
    });
    test.controller.enqueue(web);
    await test.clock.advance('1m');
    test.informer.update(anObject('web'), anObject('web'));
    await test.clock.advance('1h');
    expect(at).to.deep.equal([0, 60_000]);
  });

  it('C14 waits at least as long as the error asks', async () => {
    const at: number[] = [];
    await using test = rig(() => {
      at.push(test.clock.monotonic());
      throw new KubewrightError('KW_TRANSPORT_FAILED', 'slow down', { retryAfterMs: 45_000 });
    });
    test.controller.enqueue(web);
    await test.clock.advance('1m');
    expect(at).to.deep.equal([0, 45_000]);
  });

  it('C15 stops retrying after maxRetries, tells the last attempt, and runs again for events', async () => {
    const last: boolean[] = [];
    let healthy = false;
    await using test = rig(
      (_request, ctx) => {
        last.push(ctx.lastAttempt);
        if (!healthy) throw new Error('no');
      },
      { options: { maxRetries: 3 } },
    );
    test.controller.enqueue(web);
    await test.clock.advance('1h');
    expect(last).to.deep.equal([false, false, false, true]);
    test.controller.enqueue(web);
    await test.clock.advance('1h');
    expect(last).to.deep.equal([false, false, false, true, true]);
    healthy = true;
    test.controller.enqueue(web);
    await test.clock.advance('1h');
    healthy = false;
    test.controller.enqueue(web);
    await test.settle();
    expect(last.slice(5)).to.deep.equal([true, false]);
  });
});

describe('Controller: events during back-off', () => {
  const slow = (): RigOptions => ({ options: { rateLimiter: itemExponential('60s', '1000s'), jitter: 0 } });

  it('C13 five edits in a back-off of 60 s give five more runs, and the attempt stays 1', async () => {
    const attempts: number[] = [];
    await using test = rig((_request, ctx) => {
      attempts.push(ctx.attempt);
      throw new Error('bad spec');
    }, slow());
    test.informer.create(anObject('web'));
    await test.settle();
    for (let edit = 0; edit < 5; edit++) {
      await test.clock.advance('2s');
      test.informer.update(anObject('web'), anObject('web'));
      await test.settle();
    }
    expect(attempts).to.deep.equal([0, 1, 1, 1, 1, 1]);
    expect(test.controller.snapshot().delayed).to.deep.equal([{ key: 'default/web', priority: 0, dueIn: 50_000 }]);
    await test.clock.advance('50s');
    expect(attempts.slice(6), 'the attempt at the old due time').to.deep.equal([1]);
    await test.clock.advance('119s');
    expect(attempts).to.have.length(7);
    await test.clock.advance('1s');
    expect(attempts.slice(7)).to.deep.equal([2]);
  });

  it('C13 a failing run that touches its own object goes round once a second', async () => {
    const at: number[] = [];
    await using test = rig(() => {
      at.push(test.clock.monotonic());
      test.informer.update(anObject('web'), anObject('web'));
      throw new Error('bad spec');
    }, slow());
    test.informer.create(anObject('web'));
    await test.clock.advance('5s');
    expect(at).to.deep.equal([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('C13 an early run that outlasts the old due time counts as the attempt', async () => {
    const attempts: number[] = [];
    let hold = Promise.resolve();
    await using test = rig(async (_request, ctx) => {
      attempts.push(ctx.attempt);
      await hold;
      throw new Error('bad spec');
    }, slow());
    test.informer.create(anObject('web'));
    await test.clock.advance('50s');
    const { opened, open } = gate();
    hold = opened;
    test.informer.update(anObject('web'), anObject('web'));
    await test.clock.advance('20s');
    hold = Promise.resolve();
    open();
    await test.settle();
    await test.clock.advance('120s');
    expect(attempts).to.deep.equal([0, 1, 2]);
  });

  it('C17 the delete event of the primary ends back-off and floor at once', async () => {
    const attempts: number[] = [];
    await using test = rig((_request, ctx) => {
      attempts.push(ctx.attempt);
      if (attempts.length === 1) throw new Error('bad spec');
    }, slow());
    test.informer.create(anObject('web'));
    await test.settle();
    test.informer.delete(anObject('web'));
    await test.settle();
    await test.clock.advance('1h');
    expect(attempts).to.deep.equal([0, 0]);
  });

  it('C17 keeps nothing of objects that came and went', async () => {
    await using test = rig(() => {});
    for (let index = 0; index < 1_000; index++) {
      const object = anObject(`o${index}`);
      test.informer.create(object);
      await test.clock.yield();
      test.informer.delete(object);
      await test.clock.yield();
    }
    await test.settle();
    expect(test.controller.counters.success).to.be.at.least(1_000);
    expect(test.controller.keptKeys).to.equal(0);
  });
});
