import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { BytesStore } from './bytes-store.js';
import { CacheHarness, modified, pod } from './cache-harness.test.js';
import type { Indexers } from './contract.js';
import { cacheDefaults } from './defaults.js';
import { OWNER_INDEX } from './object-index.js';
import { ObjectStore } from './object-store.js';
import { podList } from './scripted-transport.test.js';
import { Slabs } from './slabs.js';
import type { Store } from './store.js';

const indexers: Indexers = { app: ({ metadata }) => [metadata.labels?.['app'] ?? ''] };
const slabs = new Slabs();
const STORES: Readonly<Record<string, () => Store>> = {
  objects: () => new ObjectStore(indexers),
  bytes: () => new BytesStore({ slabs, indexers }),
};

const inApp = (name: string, version: string, app: string, filler = ''): StoredObject =>
  pod(name, version, { metadata: { labels: { app } }, spec: { filler, emoji: '🐳ü' } });

const names = (objects: Iterable<StoredObject>): string[] =>
  [...objects].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).toSorted();

for (const [form, makeStore] of Object.entries(STORES))
  describe(`store of ${form}`, () => {
    it('R35 answers like a plain map, by key, by namespace and by index, also across a swap', function () {
      this.timeout(30_000);
      const step = fc.record({
        name: fc.constantFrom('a', 'b', 'c', 'd'),
        app: fc.constantFrom('x', 'y'),
        size: fc.constantFrom(0, 10, 70_000),
        remove: fc.boolean(),
        swap: fc.nat(9),
      });
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
          let store = makeStore();
          const model = new Map<string, StoredObject>();
          steps.forEach(({ name, app, size, remove, swap }, index) => {
            if (swap === 0) {
              const next = makeStore();
              for (const entry of store.entries()) next.adopt(entry);
              store.retire(next);
              store = next;
            }
            if (remove) {
              expect(store.delete('default', name)).to.equal(model.delete(name));
            } else {
              const object = inApp(name, String(index), app, 'x'.repeat(size));
              model.set(name, structuredClone(object));
              store.upsert(object, swap % 2 === 0);
            }
            expect(store.size).to.equal(model.size);
            expect(names(store.list())).to.deep.equal(names(model.values()));
            expect(names(store.list('other'))).to.deep.equal([]);
            for (const value of ['x', 'y']) {
              const wanted = [...model.values()].filter(({ metadata }) => metadata.labels?.['app'] === value);
              const posting = store.byIndex('app', value);
              expect(names(posting ?? [])).to.deep.equal(names(wanted));
              for (const object of wanted) {
                const held = store.get('default', object.metadata.name) as StoredObject;
                expect(posting?.has(held)).to.equal(true);
              }
            }
            expect(store.byIndex(OWNER_INDEX, 'nobody')?.size).to.equal(0);
            expect(store.byIndex('unknown', 'x')).to.equal(undefined);
          });
          for (const [name, object] of model) {
            expect(store.get('default', name)).to.deep.equal(object);
            expect(store.entry('default', name)?.metadata.resourceVersion).to.equal(object.metadata.resourceVersion);
          }
        }),
        { numRuns: 100 },
      );
    });

    it('R22 R29 fills an index that is added late, and goes on where its function fails', () => {
      const store = makeStore();
      store.upsert(inApp('a', '1', 'x'));
      store.upsert(inApp('b', '2', 'y'));
      store.addIndex('version', ({ metadata }) => {
        if (metadata.name === 'a') throw new Error('no');
        return [metadata.resourceVersion];
      });
      expect(names(store.byIndex('version', '2') ?? [])).to.deep.equal(['b@2']);
      expect(names(store.list())).to.deep.equal(['a@1', 'b@2']);
    });
  });

describe('store of bytes', () => {
  it('R35 keeps the 1,000 objects read last parsed, and the others as bytes outside of the heap', () => {
    const store = new BytesStore({ slabs: new Slabs() });
    for (let i = 0; i < 1_500; i++) store.upsert(pod(`p${i}`, '1'), true);
    expect(store.bytes).to.be.greaterThan(1_500 * 100);
    const first = store.get('default', 'p0');
    expect(store.get('default', 'p0')).to.equal(first);
    for (let i = 1; i <= 1_000; i++) store.get('default', `p${i}`);
    expect(store.get('default', 'p0')).to.not.equal(first);
    expect(store.get('default', 'p0')).to.deep.equal(first);
  });

  it('R35 gives memory back: what is replaced, deleted or not in a new list leaves no bytes behind', () => {
    const own = new Slabs();
    const store = new BytesStore({ slabs: own });
    const filler = 'x'.repeat(2_000);
    for (let round = 0; round < 3; round++)
      for (let i = 0; i < 500; i++) store.upsert(inApp(`p${i}`, String(round), 'x', filler), true);
    const full = own.bytes;
    for (let i = 0; i < 500; i++) if (i % 5 > 0) store.delete('default', `p${i}`);
    expect(own.bytes).to.be.within(full / 5 - 1_000, full / 5 + 1_000);
    expect(own.reserved).to.be.lessThan(full / 2 + cacheDefaults.slabBytes);
    expect(store.get('default', 'p495')).to.deep.equal(inApp('p495', '2', 'x', filler));
    const next = new BytesStore({ slabs: own });
    store.retire(next);
    expect(own.bytes).to.equal(0);
  });

  it('R22 R35 leaves an object out of lists whose transform or index function failed, also after a relist', async () => {
    await using h = new CacheHarness({
      options: {
        store: 'bytes',
        initialLoad: 'page',
        indexers: {
          bad: ({ metadata }) => {
            if (metadata.name === 'bad') throw new Error('no index for it');
            return [];
          },
        },
      },
      answer: () => ({ body: podList('10', pod('good', '1'), pod('bad', '2')) }),
    });
    await h.start();
    const [stream] = h.cache.streamsOf(h.informer.kind);
    const fault = (): unknown => {
      const object = stream?.store.visible.get('default', 'bad');
      return object && stream?.intake.faultOf(object)?.cause;
    };
    expect(fault()).to.be.an('error');
    await h.send(modified(pod('bad', '12')), { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Gone' } });
    await h.clock.advance('5s');
    expect(fault()).to.be.an('error');
    expect(h.stored).to.deep.equal(['bad@2', 'good@1']);
  });
});
