import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { added, pod } from '../cache/cache-harness.test.js';
import { child, ClientHarness, PodKind } from './client-harness.test.js';

describe('a controller over the cache', () => {
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
