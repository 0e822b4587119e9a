import { expect } from 'chai';
import { describe, it } from 'mocha';
import { forObject } from '../handler/for-object.js';
import { anObject, HandInformer, PodSetKind, rig } from '../testing/rig.test.js';
import { EverySource } from './every-source.js';
import { KindSource } from './kind-source.js';

const MINUTE = 60_000;

/** What ran because of the time, as `minute: name`. */
const everyTenMinutes = (interval: number = 10 * MINUTE) => {
  const informer = new HandInformer().sync();
  const label = 'PodSetController @Every(10m)';
  const ran: string[] = [];
  const test = rig(
    (request, { causes }) => {
      if (causes.some(({ type }) => type === 'every')) ran.push(`${test.clock.monotonic() / MINUTE}: ${request.name}`);
    },
    {
      sources: [
        new KindSource({ label: 'PodSetController @For(PodSet)', handler: forObject(), primary: true, informer }),
        new EverySource({ label, interval, informers: [informer], kind: PodSetKind.kind }),
      ],
    },
  );
  return { test, informer, ran };
};

describe('EverySource', () => {
  it('E13 enqueues all primaries each interval, spread over it, the first after one interval', async () => {
    const { test, informer, ran } = everyTenMinutes();
    await using _ = test;
    for (const name of ['a', 'b', 'c', 'd']) informer.create(anObject(name));
    await test.clock.advance('9m');
    expect(ran).to.deep.equal([]);
    await test.clock.advance('21m');
    expect(ran).to.deep.equal([
      '10: a',
      '12.5: b',
      '15: c',
      '17.5: d',
      '20: a',
      '22.5: b',
      '25: c',
      '27.5: d',
      '30: a',
    ]);
  });

  it('E13 leaves out what was deleted, and takes up in the next round what is new', async () => {
    const { test, informer, ran } = everyTenMinutes();
    await using _ = test;
    const [a, b] = [anObject('a'), anObject('b')];
    informer.create(a);
    informer.create(b);
    await test.clock.advance('12m');
    informer.delete(b);
    informer.create(anObject('c'));
    await test.clock.advance('17m');
    expect(ran).to.deep.equal(['10: a', '20: a', '25: c']);
  });

  it('Z35 waits longer than a timer can', async () => {
    const days = 24 * 60 * MINUTE;
    const { test, informer, ran } = everyTenMinutes(60 * days);
    await using _ = test;
    informer.create(anObject('a'));
    await test.clock.advance('59d');
    expect(ran).to.deep.equal([]);
    await test.clock.advance('2d');
    expect(ran).to.deep.equal([`${60 * 24 * 60}: a`]);
  });

  it('E13 ends with its controller: no timer is left', async () => {
    const { test, informer } = everyTenMinutes();
    informer.create(anObject('a'));
    await test[Symbol.asyncDispose]();
    expect(informer.handlers).to.equal(0);
    expect(test.clock.timers).to.equal(0);
  });
});
