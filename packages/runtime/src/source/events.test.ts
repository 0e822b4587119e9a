import type { EventHandler, ObjectEvent, Request } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { forObject } from '../handler/for-object.js';
import { where } from '../predicate/by-object.js';
import { anObject, HandInformer, rig } from '../testing/rig.test.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { channelSource } from './channel-source.js';
import { KindSource } from './kind-source.js';

const label = 'PodSetController @For(PodSet)';

describe('events', () => {
  it('E1 hands the same objects of the four events to a handler, and knows what an initial list is', async () => {
    const seen: ObjectEvent[] = [];
    const note = (event: ObjectEvent): void => void seen.push(event);
    const handler: EventHandler = { create: note, update: note, delete: note, generic: note };
    const informer = new HandInformer().sync();
    const channel = channelSource();
    const sources = [new KindSource({ label, handler, informer }), channel.source({ label: 'channel', handler })];
    await using _ = rig(() => {}, { sources });
    const [first, second] = [anObject('web'), anObject('web', { resourceVersion: '2' })];
    informer.create(first, true);
    informer.update(first, second);
    informer.emit({ type: 'delete', object: second, deleteStateUnknown: true });
    channel.push(second);
    expect(seen).to.deep.equal([
      { type: 'create', object: first, isInInitialList: true },
      { type: 'update', oldObject: first, newObject: second },
      { type: 'delete', object: second, deleteStateUnknown: true },
      { type: 'generic', object: second },
    ]);
    expect(seen[0]?.type === 'create' && seen[0].object).to.equal(first);
  });

  it('E14 the deletion of a primary reaches reconcile', async () => {
    const ran: Request[] = [];
    await using test = rig((request) => void ran.push(request));
    const web = anObject('web');
    test.informer.create(web);
    await test.settle();
    test.informer.delete(web);
    await test.settle();
    expect(ran).to.deep.equal([
      { namespace: 'default', name: 'web' },
      { namespace: 'default', name: 'web' },
    ]);
  });

  it('M17 names the source whose predicates or handler hold the event loop, once an hour', async () => {
    let held = 0;
    class BusyClock extends VirtualClock {
      override monotonic(): number {
        return super.monotonic() + held;
      }
    }
    const informer = new HandInformer().sync();
    const slow = where(() => {
      held += 60;
      return true;
    });
    const sources = [new KindSource({ label, handler: forObject(), predicates: [slow], informer })];
    await using test = rig(() => {}, { sources, clock: new BusyClock() });
    const told = (): unknown[] => test.logger.at('warn').map(({ fields }) => [fields['source'], fields['ms']]);
    informer.create(anObject('web'));
    informer.create(anObject('other'));
    expect(told()).to.deep.equal([[label, 60]]);
    test.clock.advanceSync('1h');
    informer.create(anObject('web'));
    expect(told()).to.have.length(2);
  });
});
