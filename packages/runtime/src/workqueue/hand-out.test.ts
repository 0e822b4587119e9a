import { expect } from 'chai';
import { describe, it } from 'mocha';
import { VirtualClock } from '../testing/virtual-clock.js';
import { WorkQueue } from './work-queue.js';

const keyed = (name: string): { name: string } => ({ name });

describe('WorkQueue: hand-outs', () => {
  it('Q4 follows every add with a hand-out that begins after it, wherever the key was', () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock, random: () => 0.5 });
    queue.add(keyed('quiet'));
    expect(queue.tryGet()?.key).to.equal('quiet');
    queue.add(keyed('quiet'));
    expect(queue.tryGet(), 'not while it is out').to.equal(undefined);
    queue.done('quiet');
    expect(queue.tryGet()?.key).to.equal('quiet');
    queue.done('quiet');
    queue.add(keyed('quiet'), { after: 1_000 });
    queue.add(keyed('quiet'));
    expect(queue.tryGet()?.key, 'also when it waited for later').to.equal('quiet');
    queue.done('quiet');
    clock.advanceSync('1h');
    expect(queue.tryGet(), 'and no more than that').to.equal(undefined);
  });

  it('Q6 is not blocked by keys that are delayed or held', () => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock, random: () => 0.5 });
    queue.add(keyed('held'), { priority: 100 });
    queue.tryGet();
    queue.add(keyed('held'), { priority: 100 });
    queue.add(keyed('delayed'), { priority: 100, after: 60_000 });
    queue.add(keyed('other'), { priority: -100 });
    expect(queue.tryGet()?.key).to.equal('other');
  });
});
