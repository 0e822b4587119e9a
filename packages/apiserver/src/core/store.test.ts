import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ControllableClock } from './clock.js';
import { Store } from './store.js';
import type { StoreOptions } from './store.js';
import type { KubeObject, StoreEvent } from './types.js';

const object = (name: string, value = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  value,
});

function open(options: Partial<StoreOptions> = {}): { store: Store; clock: ControllableClock } {
  const clock = new ControllableClock();
  clock.freeze(0);
  return { store: new Store({ clock, ...options }), clock };
}

const names = (store: Store, prefix = '', revision?: number): string[] => {
  const view = store.collection('things').view(prefix, revision);
  return view.keys.slice(view.from, view.to);
};

describe('Store', () => {
  it('ST-1 counts all kinds with one revision that only grows', () => {
    const { store } = open();
    const first = store.put('things', 'a', object('a'));
    const second = store.put('others', 'a', object('a'));
    const gone = store.remove('things', 'a');
    expect([first, second, gone].map((o) => Number(o.metadata.resourceVersion))).to.deep.equal([2, 3, 4]);
    expect(store.revision).to.equal(4);
  });

  it('ST-3 shows the state of an earlier revision, however much happened since', () => {
    const operation = fc.record({ key: fc.constantFrom('n/a', 'n/b', 'n/c', 'm/a'), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const { store } = open();
        const states = new Map<number, Record<string, string>>();
        const current: Record<string, string> = {};
        for (const { key, remove } of operations) {
          if (remove && current[key] === undefined) continue;
          if (remove) {
            store.remove('things', key);
            delete current[key];
          } else {
            const stored = store.put('things', key, object(key));
            current[key] = stored.metadata.resourceVersion as string;
          }
          states.set(store.revision, { ...current });
        }
        for (const [revision, state] of states) {
          const view = store.collection('things').view('n/', revision);
          const seen = view.keys.slice(view.from, view.to).map((key) => [key, view.get(key).metadata.resourceVersion]);
          const wanted = Object.entries(state)
            .filter(([key]) => key.startsWith('n/'))
            .sort(([a], [b]) => (a < b ? -1 : 1));
          expect(seen).to.deep.equal(wanted);
        }
      }),
    );
  });

  it('ST-3 OP-6 drops events beyond the number and the age that are kept', () => {
    const { store, clock } = open({ historyEvents: 3, historyMs: 1000 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) store.put('things', name, object(name));
    const collection = store.collection('things');
    expect(collection.since(0).map((event) => event.key)).to.deep.equal(['c', 'd', 'e']);
    expect(collection.floor).to.equal(3);
    clock.advance(1001);
    store.trim(collection);
    expect(collection.since(0)).to.deep.equal([]);
    expect(collection.floor).to.equal(6);
    expect(collection.size).to.equal(5);
  });

  it('ST-4 freezes what it stores, all the way down', () => {
    const { store } = open();
    const stored = store.put('things', 'a', { ...object('a'), spec: { list: [{ deep: 1 }] } });
    const spec = stored['spec'] as { list: { deep: number }[] };
    expect(() => {
      (spec.list[0] as { deep: number }).deep = 2;
    }).to.throw(TypeError);
  });

  it('ST-5 tells listeners inside the write, when the map has changed already', () => {
    const { store } = open();
    const heard: [string, string, string | undefined][] = [];
    store.listen('things', (event: StoreEvent) =>
      heard.push([event.type, event.key, store.get('things', event.key)?.metadata.name]),
    );
    store.put('things', 'a', object('a'));
    store.put('others', 'a', object('x'));
    store.remove('things', 'a');
    expect(heard).to.deep.equal([
      ['ADDED', 'a', 'a'],
      ['DELETED', 'a', undefined],
    ]);
  });

  it('ST-6 orders by the whole key, so a-b/x stands before a/x', () => {
    const { store } = open();
    for (const key of ['a/x', 'b/x', 'a-b/x', 'a/a']) store.put('things', key, object(key));
    expect(names(store)).to.deep.equal(['a-b/x', 'a/a', 'a/x', 'b/x']);
    expect(names(store, 'a/')).to.deep.equal(['a/a', 'a/x']);
  });

  it('WA-5 shows a deleted object as it was stored last, with the revision of its deletion', () => {
    const { store } = open();
    store.put('things', 'a', object('a', 'old'));
    store.put('things', 'a', object('a', 'new'));
    const gone = store.remove('things', 'a');
    expect(gone['value']).to.equal('new');
    expect(gone.metadata.resourceVersion).to.equal('4');
  });

  it('TC-9 puts a snapshot back without using a revision twice', () => {
    const { store } = open();
    store.put('things', 'a', object('a', 'kept'));
    const snapshot = store.snapshot();
    store.put('things', 'a', object('a', 'changed'));
    store.put('things', 'b', object('b'));
    const before = store.revision;
    store.restore(snapshot);
    expect(names(store)).to.deep.equal(['a']);
    expect(store.get('things', 'a')?.['value']).to.equal('kept');
    expect(store.revision).to.be.greaterThan(before);
    expect(store.collection('things').floor).to.equal(store.revision);
  });

  it('QP-4 waits for a revision and gives up when its time is over', async () => {
    const { store, clock } = open();
    const reached = store.reached(3, 3000);
    store.put('things', 'a', object('a'));
    store.put('things', 'b', object('b'));
    expect(await reached).to.equal(true);
    const late = store.reached(99, 3000);
    clock.advance(3000);
    expect(await late).to.equal(false);
  });
});
