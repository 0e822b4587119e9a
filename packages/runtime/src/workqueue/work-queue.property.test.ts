import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { VirtualClock } from '../testing/virtual-clock.js';
import { WorkQueue } from './work-queue.js';

const PROMOTE_AFTER = 30;

interface NaiveKey {
  name: string;
  place: 'delayed' | 'ready' | 'processing';
  wanted: boolean;
  priority: number;
  due: number;
  afterDone: number;
  floor: number;
  urgent: boolean;
  level: number;
  since: number;
  order: number;
}

/** What the rules say, without regard for cost: a list that is searched and sorted anew at each step. */
class NaiveQueue {
  keys: NaiveKey[] = [];
  now = 0;
  order = 0;
  tries = new Map<string, number>();

  add(name: string, { priority, after, urgent }: { priority: number; after: number; urgent: boolean }): void {
    let key = this.keys.find((known) => known.name === name);
    if (key === undefined) {
      key = {
        name,
        place: 'delayed',
        wanted: false,
        priority,
        due: Infinity,
        afterDone: Infinity,
        floor: 0,
        urgent: false,
        level: 0,
        since: 0,
        order: this.order++,
      };
      this.keys.push(key);
    }
    key.priority = key.wanted ? Math.max(key.priority, priority) : priority;
    key.wanted = true;
    if (urgent) Object.assign(key, { urgent: true, floor: 0 });
    if (key.place === 'processing') key.afterDone = Math.min(key.afterDone, after);
    else key.due = Math.min(key.due, this.now + after);
    if (key.place === 'ready' && key.priority > key.level) this.stand(key, key.priority);
    this.ripen();
  }

  rateLimited(name: string): number {
    const before = this.tries.get(name) ?? 0;
    this.tries.set(name, before + 1);
    return 4 * 2 ** before;
  }

  get(): string | undefined {
    const ready = this.keys.filter(({ place }) => place === 'ready');
    const levels = [...new Set(ready.map(({ level }) => level))].sort((a, b) => b - a);
    for (const [index, level] of levels.entries())
      for (const key of ready.filter((one) => one.level === level).sort((a, b) => a.order - b.order))
        if (index > 0 && this.now - key.since >= PROMOTE_AFTER) {
          const above = ready.filter((one) => one.level > level).map((one) => one.level);
          this.stand(key, Math.min(...above));
        }
    const [first] = ready.sort((a, b) => b.level - a.level || a.order - b.order);
    if (first === undefined) return undefined;
    Object.assign(first, {
      place: 'processing',
      wanted: false,
      urgent: false,
      due: Infinity,
      afterDone: Infinity,
      floor: 0,
    });
    return first.name;
  }

  done(name: string, floor: number): void {
    const key = this.keys.find((known) => known.name === name && known.place === 'processing');
    if (key === undefined) return;
    if (floor > 0 && !key.urgent) key.floor = this.now + floor;
    Object.assign(key, { place: 'delayed', due: this.now + key.afterDone, order: this.order++ });
    this.ripen();
  }

  advance(ms: number): void {
    for (let step = 0; step < ms; step++) {
      this.now += 1;
      this.ripen();
    }
  }

  private ripen(): void {
    const dueAt = (key: NaiveKey): number => Math.max(key.wanted ? key.due : 0, key.floor);
    const ripe = this.keys.filter((key) => key.place === 'delayed' && dueAt(key) <= this.now);
    for (const key of ripe.sort((a, b) => dueAt(a) - dueAt(b) || a.order - b.order))
      if (key.wanted) this.stand(Object.assign(key, { place: 'ready' }), key.priority);
      else this.keys.splice(this.keys.indexOf(key), 1);
  }

  private stand(key: NaiveKey, level: number): void {
    Object.assign(key, { level, since: this.now, order: this.order++ });
  }
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      name,
      priority: fc.constantFrom(-100, 0, 0, 0, 7),
      after: fc.constantFrom(0, 0, -3, 5, 40, 200),
      rateLimited: fc.constantFrom(false, false, true),
      urgent: fc.constantFrom(false, false, false, false, true),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('get' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('done' as const), name, floor: fc.constantFrom(0, 0, 10, 60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 45 }) }) },
);

describe('WorkQueue against a naive model', () => {
  it('Q23 hands out what the model hands out, when it does, for 10,000 random histories', function () {
    this.timeout(120_000);
    const naiveLimiter = (
      model: NaiveQueue,
    ): { when(key: string): number; forget(key: string): void; retries(key: string): number } => ({
      when: (key) => model.rateLimited(key),
      forget: (key) => void model.tries.delete(key),
      retries: (key) => model.tries.get(key) ?? 0,
    });
    fc.assert(
      fc.property(fc.array(operation, { minLength: 15, maxLength: 60, size: 'max' }), (operations) => {
        const clock = new VirtualClock();
        const model = new NaiveQueue();
        const queue = new WorkQueue({
          clock,
          random: () => 0,
          promoteAfter: PROMOTE_AFTER,
          rateLimiter: naiveLimiter(model),
        });
        for (const step of operations) {
          if (step.do === 'add') {
            const { priority, urgent } = step;
            const after = queue.add(
              { name: step.name },
              { priority, urgent, after: step.after, rateLimited: step.rateLimited },
            );
            if (after === undefined || after < Math.max(0, urgent ? 0 : step.after))
              throw new Error('an add was shortened');
            model.add(step.name, { priority, urgent, after });
          } else if (step.do === 'get') {
            const processing = model.keys.filter(({ place }) => place === 'processing').map((key) => key.name);
            const item = queue.tryGet();
            if (item !== undefined && processing.includes(item.key)) throw new Error(`${item.key} is with two workers`);
            expect(item?.key).to.equal(model.get());
          } else if (step.do === 'done') {
            queue.done(step.name, { floor: step.floor });
            model.done(step.name, step.floor);
          } else if (step.do === 'forget') {
            queue.forget(step.name);
          } else {
            clock.advanceSync(step.ms);
            model.advance(step.ms);
          }
          const held = model.keys.filter((key) => key.place === 'processing' && key.wanted && key.afterDone === 0);
          expect(queue.length).to.equal(model.keys.filter(({ place }) => place === 'ready').length + held.length);
          if (clock.timers > 1) throw new Error('the queue has more than one timer');
        }
        // Q4 Q21: with patience, everything is handed out and nothing is left.
        for (let round = 0; round < 20; round++) {
          for (const key of ['a', 'b', 'c', 'd', 'e']) {
            queue.done(key);
            model.done(key, 0);
          }
          for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
            expect(item.key).to.equal(model.get());
            queue.done(item.key);
            model.done(item.key, 0);
          }
          clock.advanceSync(1_000_000);
          model.advance(0);
          model.now = clock.monotonic() - 1;
          model.advance(1);
        }
        expect(queue.snapshot()).to.deep.include({ depth: 0, ready: [], delayed: [], processing: [], held: [] });
        expect(model.keys).to.deep.equal([]);
      }),
      { numRuns: 10_000 },
    );
  });
});
