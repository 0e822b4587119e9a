import type { Request } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { VirtualClock } from '../testing/virtual-clock.js';
import type { WorkItem } from './contract.js';
import { itemExponential } from './item-exponential.js';
import { WorkQueue, type WorkQueueOptions } from './work-queue.js';

const foo: Request = { name: 'foo' };
const bar: Request = { name: 'bar' };
const baz: Request = { name: 'baz' };

function arrange(options: Partial<WorkQueueOptions> = {}): {
  clock: VirtualClock;
  queue: WorkQueue;
  next: () => string | undefined;
} {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0.5, jitter: 0, ...options });
  return { clock, queue, next: () => queue.tryGet()?.key };
}

const drain = (next: () => string | undefined): string[] => {
  const keys: string[] = [];
  for (let key = next(); key !== undefined; key = next()) keys.push(key);
  return keys;
};

describe('WorkQueue', () => {
  it('Q2 hands a key that was added twice out once', () => {
    const { queue, next } = arrange();
    queue.add(foo);
    queue.add({ name: 'foo' });
    expect(queue.length).to.equal(1);
    expect(drain(next)).to.deep.equal(['foo']);
  });

  it('Q2 keeps keys apart that differ in namespace or cluster alone', () => {
    const { queue, next } = arrange();
    queue.add({ namespace: 'a', name: 'foo' });
    queue.add({ namespace: 'b', name: 'foo' });
    queue.add({ cluster: 'c', namespace: 'b', name: 'foo' });
    expect(drain(next)).to.have.length(3);
  });

  it('Q1 Q3 holds a key that is added while processed, and hands it out once after done', () => {
    const { queue, next } = arrange();
    queue.add(foo);
    next();
    queue.add(foo);
    queue.add(foo);
    expect(next(), 'while it is processed').to.equal(undefined);
    queue.done('foo');
    expect(next()).to.equal('foo');
    queue.done('foo');
    expect(next()).to.equal(undefined);
  });

  it('Q5 goes by priority, then by order', () => {
    const { queue, next } = arrange();
    queue.add(foo, { priority: -100 });
    queue.add(bar);
    queue.add(baz);
    expect(drain(next)).to.deep.equal(['bar', 'baz', 'foo']);
  });

  it('Q5 lines entries that come due up by due time', () => {
    const { clock, queue, next } = arrange();
    queue.add(foo, { after: 300 });
    queue.add(bar, { after: 100 });
    queue.add(baz, { after: 200 });
    clock.advanceSync(1_000);
    expect(drain(next)).to.deep.equal(['bar', 'baz', 'foo']);
  });

  it('Q7 counts ready and held keys, not delayed ones', () => {
    const { queue, next } = arrange();
    queue.add(foo);
    queue.add(bar);
    queue.add(baz, { after: 10 });
    queue.add({ name: 'qux' }, { after: 10 });
    expect(queue.length).to.equal(2);

    const second = arrange();
    second.queue.add(foo);
    expect(second.next()).to.equal('foo');
    second.queue.add(foo);
    second.queue.add(bar);
    expect(second.next()).to.equal('bar');
    expect(second.queue.length).to.equal(1);
    expect(next()).to.equal('foo');
  });

  it('Q8 takes the earlier of two due times, whichever came first', () => {
    const { clock, queue, next } = arrange();
    queue.add(foo, { after: 3_600_000 });
    queue.add(foo, { after: 1_000 });
    queue.add(bar, { after: 1_000 });
    queue.add(bar, { after: 3_600_000 });
    clock.advanceSync(999);
    expect(next()).to.equal(undefined);
    clock.advanceSync(1);
    expect(drain(next)).to.deep.equal(['foo', 'bar']);
  });

  it('Q8 drops a delay for a key that is ready', () => {
    const { clock, queue, next } = arrange();
    queue.add(foo);
    queue.add(foo, { after: 3_600_000 });
    expect(next()).to.equal('foo');
    queue.done('foo');
    clock.advanceSync(7_200_000);
    expect(next()).to.equal(undefined);
  });

  it('Q8 lets a delay for a key in processing begin at done', () => {
    const { clock, queue, next } = arrange();
    queue.add(foo);
    next();
    queue.add(foo, { after: 1_000 });
    clock.advanceSync(5_000);
    queue.done('foo');
    clock.advanceSync(999);
    expect(next()).to.equal(undefined);
    clock.advanceSync(1);
    expect(next()).to.equal('foo');
  });

  it('Q8 hands nothing out before the floor, whatever is added', () => {
    const { clock, queue, next } = arrange();
    queue.add(foo);
    next();
    queue.add(foo);
    queue.done('foo', { floor: 1_000 });
    queue.add(foo);
    clock.advanceSync(999);
    expect(next()).to.equal(undefined);
    clock.advanceSync(1);
    expect(next()).to.equal('foo');
  });

  it('Q8 hands an urgent add out in spite of a floor', () => {
    const { queue, next } = arrange();
    queue.add(foo);
    next();
    queue.done('foo', { floor: 1_000 });
    queue.add(foo, { urgent: true });
    expect(next()).to.equal('foo');
  });

  it('Q9 refuses delays that are no numbers, and takes negative ones as now', () => {
    const { queue, next } = arrange();
    expect(() => queue.add(foo, { after: NaN })).to.throw(RangeError);
    expect(() => queue.add(foo, { after: Infinity })).to.throw(RangeError);
    queue.add(foo, { after: -1 });
    expect(next()).to.equal('foo');
  });

  it('Q9 waits longer than one timer can', () => {
    const { clock, queue, next } = arrange();
    const day = 86_400_000;
    queue.add(foo, { after: 60 * day });
    expect(clock.timers).to.equal(1);
    clock.advanceSync(59 * day);
    expect(next()).to.equal(undefined);
    clock.advanceSync(day);
    expect(next()).to.equal('foo');
  });

  it('Q10 ignores jumps of the wall clock', () => {
    const { clock, queue, next } = arrange();
    queue.add(foo, { after: 1_000 });
    clock.jumpWall(3_600_000);
    expect(next()).to.equal(undefined);
    clock.jumpWall(-7_200_000);
    clock.advanceSync(1_000);
    expect(next()).to.equal('foo');
  });

  it('Q13 backs a key off from 5 ms, doubling, and starts again after forget', () => {
    const { queue } = arrange();
    const delays = [1, 2, 3, 4].map(() => queue.add(foo, { rateLimited: true }));
    expect(delays).to.deep.equal([5, 10, 20, 40]);
    expect(queue.retries('foo')).to.equal(4);
    queue.forget('foo');
    expect(queue.retries('foo')).to.equal(0);
    expect(queue.add(foo, { rateLimited: true })).to.equal(5);
  });

  it('Q14 shortens a back-off by at most a fifth', () => {
    const delayWith = (chance: number): number | undefined =>
      arrange({ random: () => chance, jitter: 0.2, rateLimiter: itemExponential(1_000, 1_000) }).queue.add(foo, {
        rateLimited: true,
      });
    expect(delayWith(0)).to.equal(1_000);
    expect(delayWith(0.999_999)).to.be.within(800, 801);
  });

  it('Q15 sends a raised key to the end of its new level and ignores lower re-adds', () => {
    const { queue, next } = arrange();
    queue.add(foo);
    queue.add(bar);
    queue.add(baz);
    queue.add(baz, { priority: 1 });
    queue.add(baz, { priority: -5 });
    expect(drain(next)).to.deep.equal(['baz', 'foo', 'bar']);
  });

  it('Q15 refuses priorities that are not whole or out of range', () => {
    const { queue } = arrange();
    for (const priority of [0.5, 1_001, -1_001, NaN]) expect(() => queue.add(foo, { priority })).to.throw(RangeError);
  });

  it('Q16 serves low priorities under endless load', () => {
    const { clock, queue } = arrange();
    queue.add(foo, { priority: -100 });
    let served: WorkItem | undefined;
    for (let second = 0; second < 40 && served === undefined; second++) {
      // Two new keys for each one taken: the higher level never runs dry.
      queue.add({ name: `a${second}` });
      queue.add({ name: `b${second}` });
      clock.advanceSync(1_000);
      const item = queue.tryGet();
      if (item?.key === 'foo') served = item;
      else queue.done(item?.key ?? '');
    }
    for (let item = queue.tryGet(); item !== undefined && served === undefined; item = queue.tryGet())
      if (item.key === 'foo') served = item;
      else {
        queue.add({ name: `${item.key}x` });
        queue.done(item.key);
      }
    expect(served?.priority, 'metrics keep the label').to.equal(-100);
  });

  it('Q16 never promotes with promoteAfter 0', () => {
    const { clock, queue, next } = arrange({ promoteAfter: 0 });
    queue.add(foo, { priority: -100 });
    clock.advanceSync(3_600_000);
    queue.add(bar);
    queue.add(baz);
    expect(drain(next)).to.deep.equal(['bar', 'baz', 'foo']);
  });

  it('Q17 merges adds that follow each other, but not for ever', () => {
    const { clock, queue, next } = arrange({ coalesce: { window: 100 } });
    const handedOut: number[] = [];
    for (let step = 0; step < 20; step++) {
      if (step < 15) queue.add(foo);
      if (next() === 'foo') {
        handedOut.push(clock.monotonic());
        queue.done('foo');
      }
      clock.advanceSync(50);
    }
    expect(handedOut).to.deep.equal([500, 800]);
  });

  it('Q18 stop drops what waits and answers every get', async () => {
    const { clock, queue } = arrange();
    queue.add(foo);
    const item = await queue.get();
    const waiting = [queue.get(), queue.get()];
    queue.add(foo);
    queue.add(bar, { after: 10 });
    queue.stop();
    expect(await Promise.all(waiting)).to.deep.equal([undefined, undefined]);
    expect(queue.add(baz)).to.equal(undefined);
    const idle = queue.idle();
    queue.done(item?.key ?? '');
    await idle;
    clock.advanceSync(1_000);
    expect(await queue.get()).to.equal(undefined);
    expect(clock.timers).to.equal(0);
  });

  it('Q18 stop with drain hands out what is ready first', async () => {
    const { queue, next } = arrange();
    queue.add(foo);
    queue.add(bar);
    queue.add(baz, { after: 10 });
    queue.stop({ drain: true });
    expect(drain(next)).to.deep.equal(['foo', 'bar']);
    expect(await queue.get()).to.equal(undefined);
    queue.done('foo');
    queue.done('bar');
    await queue.idle();
  });

  it('Q19 an aborted get takes nothing with it', async () => {
    const { queue, next } = arrange();
    const abort = new AbortController();
    const waiting = queue.get(abort.signal);
    abort.abort(new Error('enough'));
    queue.add(foo);
    const outcome = await waiting.catch((error: Error) => error.message);
    expect(outcome).to.equal('enough');
    expect(next()).to.equal('foo');
  });

  it('Q20 counts done of a key that nobody holds, and outlives a broken limiter', () => {
    const faults: unknown[] = [];
    const broken = (): never => {
      throw new Error('limiter broke');
    };
    const rateLimiter = { when: broken, forget: broken, retries: broken };
    const { queue } = arrange({ rateLimiter, onLimiterError: (error) => faults.push(error) });
    queue.done('foo');
    expect(queue.snapshot().strayDone).to.equal(1);
    expect(queue.add(foo, { rateLimited: true })).to.equal(1_000);
    queue.forget('foo');
    expect(queue.retries('foo')).to.equal(0);
    expect(faults).to.have.length(3);
  });

  it('Q20 takes a delay that is no number as 1 s', () => {
    const rateLimiter = { when: () => NaN, forget() {}, retries: () => 0 };
    expect(arrange({ rateLimiter }).queue.add(foo, { rateLimited: true })).to.equal(1_000);
  });

  it('Q21 keeps nothing of 100,000 keys that were added, done and forgotten', () => {
    const { clock, queue, next } = arrange();
    for (let index = 0; index < 100_000; index++) {
      const key = `k${index}`;
      queue.add({ name: key }, index % 3 === 0 ? { rateLimited: true } : index % 3 === 1 ? { after: 5 } : {});
    }
    for (let round = 0; round < 200_000 && clock.timers > 0; round++) clock.advanceSync(60_000);
    let handedOut = 0;
    for (let key = next(); key !== undefined; key = next()) {
      handedOut += 1;
      queue.done(key, { floor: handedOut % 2 });
      queue.forget(key);
      clock.advanceSync(1);
    }
    expect(handedOut).to.equal(100_000);
    const { ready, delayed, processing } = queue.snapshot();
    expect([ready, delayed, processing]).to.deep.equal([[], [], []]);
    expect(queue.has('k0')).to.equal(false);
  });

  it('Q22 goes three rounds with 5,000 keys that are requeued at once', async () => {
    const { queue } = arrange();
    const runs = new Map<string, number>();
    for (let index = 0; index < 5_000; index++) queue.add({ name: `k${index}` });
    const work = async (): Promise<void> => {
      for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
        const count = (runs.get(item.key) ?? 0) + 1;
        runs.set(item.key, count);
        if (count < 3) queue.add(item.request);
        queue.done(item.key);
        if (queue.length === 0) queue.stop();
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    expect(runs.size).to.equal(5_000);
    expect(new Set(runs.values())).to.deep.equal(new Set([3]));
  });

  it('C18 keeps the first and the newest nine causes of a hand-out', () => {
    const { queue } = arrange();
    for (let at = 0; at < 25; at++) queue.add(foo, { cause: { type: 'update', at } });
    const item = queue.tryGet();
    expect(item?.causes.map(({ at }) => at)).to.deep.equal([0, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
    expect(item?.causesDropped).to.equal(15);
  });

  it('tells in its snapshot where each key stands', () => {
    const { clock, queue } = arrange();
    queue.add(foo, { priority: 5 });
    queue.tryGet();
    queue.add(foo);
    queue.add(bar, { priority: -1 });
    queue.add(baz, { after: 300 });
    clock.advanceSync(100);
    expect(queue.snapshot()).to.deep.equal({
      depth: 2,
      ready: [{ key: 'bar', priority: -1 }],
      delayed: [{ key: 'baz', priority: 0, dueIn: 200 }],
      processing: [{ key: 'foo', for: 100 }],
      held: ['foo'],
      strayDone: 0,
    });
  });
});
