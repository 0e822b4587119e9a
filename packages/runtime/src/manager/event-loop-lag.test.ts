import { expect } from 'chai';
import { describe, it } from 'mocha';
import { managerRig } from '../testing/manager-rig.test.js';
import { VirtualClock } from '../testing/virtual-clock.js';

/** Time that goes by inside of a callback, as it does when something computes. */
class BusyClock extends VirtualClock {
  #held = 0;

  hold(ms: number): void {
    this.#held += ms;
  }

  override monotonic(): number {
    return super.monotonic() + this.#held;
  }
}

describe('EventLoopLag', () => {
  it('M17 Z33 warns once a minute when the event loop was held for more than a second', async () => {
    const clock = new BusyClock();
    const test = managerRig({ clock });
    const ended = test.start();
    const warnings = (): unknown[] => test.logger.at('warn').map(({ fields }) => fields['lagMs']);
    await clock.advance('10s');
    clock.hold(900);
    await clock.advance('10s');
    expect(warnings()).to.deep.equal([]);
    clock.hold(1_500);
    await clock.advance('1s');
    expect(test.manager.inspector.snapshot().eventLoopLagMs).to.equal(0);
    clock.hold(2_000);
    await clock.advance('1s');
    expect(warnings()).to.deep.equal([1_500]);
    await clock.advance('1m');
    clock.hold(3_000);
    await clock.advance('500ms');
    expect(warnings()).to.deep.equal([1_500, 3_000]);
    expect(test.manager.inspector.snapshot().eventLoopLagMs).to.equal(3_000);
    await test.manager.stop();
    expect(await ended).to.equal('well');
    expect(clock.timers).to.equal(0);
  });
});
