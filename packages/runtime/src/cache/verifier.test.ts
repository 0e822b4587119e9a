import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CacheHarness, modified, pod } from './cache-harness.test.js';
import { podList } from './scripted-transport.test.js';

const bookmark = (version: string): object => ({ type: 'BOOKMARK', object: pod('', version) });

/** A cache of a and b at version 10 whose later lists say what `listed` says. */
async function verified(listed: () => unknown): Promise<CacheHarness> {
  let lists = 0;
  const harness = new CacheHarness({
    options: { initialLoad: 'page', verifyEvery: 60_000 },
    answer: ({ query }) => {
      if (query['watch']) return {};
      return { body: lists++ === 0 ? podList('10', pod('a', '1'), pod('b', '2')) : listed() };
    },
  });
  return harness.start();
}

describe('verification of a store', () => {
  it('R36 counts nothing while store and server agree, changes that come meanwhile included', async () => {
    await using h = await verified(() => podList('20', pod('a', '15'), pod('c', '18')));
    expect(h.informer.state().verified).to.equal(undefined);
    await h.clock.advance('60s');
    expect(h.informer.state().verified).to.equal(undefined);
    await h.send(modified(pod('a', '15')), { type: 'DELETED', object: pod('b', '16') });
    await h.send({ type: 'ADDED', object: pod('c', '18') }, bookmark('20'));
    expect(h.informer.state().verified).to.deep.equal({ checks: 1, differences: 0 });
    await h.clock.advance('60s');
    await h.send(bookmark('21'));
    expect(h.informer.state().verified).to.deep.equal({ checks: 2, differences: 0 });
    expect(h.logger.of('error')).to.deep.equal([]);
  });

  it('R36 counts and names what the watch has missed, and goes on after a list that fails', async () => {
    let fails = true;
    await using h = await verified(() =>
      fails ? { kind: 'Nonsense' } : podList('20', pod('a', '15'), pod('c', '18')),
    );
    await h.clock.advance('60s');
    fails = false;
    await h.clock.advance('60s');
    await h.send(bookmark('20'));
    expect(h.informer.state().verified).to.deep.equal({ checks: 1, differences: 3 });
    expect(h.logger.of('error')).to.have.length(1);
    await h.cache.stop();
    expect(h.clock.timers).to.equal(0);
  });
});
