import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { added, pod } from '../cache/cache-harness.test.js';
import { child, ClientHarness, PodKind } from './client-harness.test.js';

describe('a controller over the cache', () => {
  it('L36 keeps an own write until its event comes, however late, and says once that the stream is late', async () => {
    await using h = await new ClientHarness({
      objects: [pod('a', '5')],
      answer: () => ({ body: pod('a', '150') }),
    }).watchPods();
    await h.client.patch(pod('a', '5'), { spec: {} });
    const late = (): string[] => h.logger.of('warn').filter((text) => text.includes('own writes'));
    await h.clock.advance('59s');
    await h.send({ type: 'BOOKMARK', object: pod('', '140') });
    expect(late()).to.have.length(0);
    await h.clock.advance('2s');
    for (const version of ['141', '142']) await h.send({ type: 'BOOKMARK', object: pod('', version) });
    expect(late()).to.have.length(1);
    expect((await h.client.get(PodKind, { namespace: 'default', name: 'a' })).metadata.resourceVersion).to.equal('150');
    const [stream] = h.cache.streamsOf({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
    expect(stream?.late).to.equal(1);
    await h.send({ type: 'BOOKMARK', object: pod('', '150') });
    expect(stream?.late).to.equal(0);
  });

  it('L45 that makes one child a run and counts them by owner never makes one too many, events 5 s late', async () => {
    const owner = pod('owner', '1');
    let version = 100;
    const made: StoredObject[] = [];
    await using h = await new ClientHarness({
      objects: [owner],
      answer: ({ body }) => {
        const object = child((body as StoredObject).metadata.name, String(++version), owner);
        made.push(object);
        h.clock.setTimeout(() => h.transport.latest.send(added(object)), 5_000);
        return { status: 201, body: object };
      },
    }).watchPods();
    const wanted = 20;
    for (let run = 0; run < 200; run++) {
      const children = await h.client.list(PodKind, { ownedBy: owner });
      expect(children.length).to.equal(made.length);
      if (children.length < wanted) await h.client.create(child(`c-${run}`, '', owner));
      await h.clock.advance(run % 3 === 0 ? '700ms' : 0);
    }
    await h.clock.advance('10s');
    expect(made).to.have.length(wanted);
    expect(await h.client.list(PodKind, { ownedBy: owner })).to.have.length(wanted);
  });
});
