import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ObjectEvent } from '@kubewright/api';
import { added, modified, pod, POD } from './cache-harness.test.js';
import { KeptLogger, podList, ScriptedTransport } from './scripted-transport.test.js';
import { SharedCache } from './shared-cache.js';
import { VirtualClock } from '../testing/virtual-clock.js';

const whole = (name: string, version: string): ReturnType<typeof pod> =>
  pod(name, version, { spec: { nodeName: 'n' } });

describe('metadata-only wishes', () => {
  it('R28 are projections of a full stream where there is one: one watch, whole for some, metadata for others', async () => {
    const clock = new VirtualClock();
    const transport = new ScriptedTransport({
      now: () => clock.monotonic(),
      answer: () => ({ body: podList('10', whole('a', '1')) }),
    });
    const cache = new SharedCache({ transport, clock, random: () => 0.5, logger: new KeptLogger() });
    const partial: ObjectEvent[] = [];
    const full: ObjectEvent[] = [];
    cache.informer(POD, {}, { metadataOnly: true, initialLoad: 'page' }).addHandler((event) => partial.push(event));
    cache.informer(POD, {}, { initialLoad: 'page' }).addHandler((event) => full.push(event));
    cache.start();
    await clock.settle();
    transport.latest.send(added(whole('b', '11')), modified(whole('a', '12')));
    await clock.settle();
    expect(cache.streams()).to.have.length(1);
    expect(partial.map(({ type }) => type)).to.deep.equal(full.map(({ type }) => type));
    expect(partial).to.have.length(3);
    for (const event of full) expect(event.type === 'update' ? event.newObject : event.object).to.have.property('spec');
    for (const event of partial)
      for (const object of event.type === 'update' ? [event.oldObject, event.newObject] : [event.object])
        expect(Object.keys(object)).to.deep.equal(['apiVersion', 'kind', 'metadata']);
    await cache.stop();
  });
});
