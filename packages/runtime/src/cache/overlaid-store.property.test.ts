import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { StoredObject } from '@kubewright/api';
import { pod } from './cache-harness.test.js';
import { BytesStore } from './bytes-store.js';
import { ObjectStore } from './object-store.js';
import { OverlaidStore, type Staging } from './overlaid-store.js';
import { Slabs } from './slabs.js';
import type { Store } from './store.js';

const KEYS = ['a', 'b'];

interface LogEntry {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

/** An answer on its way back to the client. */
type Answer = { readonly object: StoredObject; readonly gone: boolean };

/** A server, its watch, and answers that arrive in any order; checks L34 after each step. */
class World {
  private readonly store: OverlaidStore;
  private version = 0;
  private uids = 0;
  private readonly objects = new Map<string, StoredObject>();
  private readonly log: LogEntry[] = [];
  private delivered = 0;
  private answers: Answer[] = [];
  private load: { readonly staging: Staging; listed?: { readonly version: number } } | undefined;
  private readonly resolved = new Map<string, number>();

  constructor(makeStore: () => Store) {
    this.store = new OverlaidStore(makeStore);
  }
  private readonly hiddenUids = new Set<string>();
  private readonly lastSeen = new Map<string, number>();

  step(action: number, pick: number): void {
    const key = KEYS[pick % KEYS.length] as string;
    if (action < 3) this.write(key);
    else if (action < 4) this.remove(key);
    else if (action < 7) this.answer(pick);
    else if (action < 10) this.deliver(1 + (pick % 3));
    else this.relist();
    this.check();
  }

  private write(key: string): void {
    const old = this.objects.get(key);
    const version = String(++this.version);
    const uid = old?.metadata.uid ?? `uid-${++this.uids}`;
    const object = pod(key, version, { metadata: { uid } });
    this.objects.set(key, object);
    this.log.push({ version: this.version, type: old ? 'MODIFIED' : 'ADDED', object });
    this.answers.push({ object, gone: false });
  }

  private remove(key: string): void {
    const old = this.objects.get(key);
    if (!old) return;
    this.objects.delete(key);
    const object = pod(key, String(++this.version), { metadata: { uid: old.metadata.uid } });
    this.log.push({ version: this.version, type: 'DELETED', object });
    this.answers.push({ object, gone: true });
  }

  /** One answer arrives, not always the oldest. */
  private answer(pick: number): void {
    const [answer] = this.answers.splice(pick % Math.max(1, Math.min(3, this.answers.length)), 1);
    if (!answer) return;
    const { name, uid, resourceVersion } = answer.object.metadata;
    if (answer.gone) {
      // Where neither store nor overlay holds the uid, nothing is kept, so that nothing can be promised.
      const held = [this.store.visible.get('default', name), this.store.base('default', name)];
      if (held.some((object) => object?.metadata.uid === uid)) this.hiddenUids.add(uid);
      this.store.forget('default', name, uid);
      return;
    }
    this.store.remember(answer.object);
    this.resolved.set(name, Math.max(this.resolved.get(name) ?? 0, Number(resourceVersion)));
  }

  private deliver(count: number): void {
    if (this.load) return;
    for (const entry of this.log.filter(({ version }) => version > this.delivered).slice(0, count)) {
      this.store.apply(entry.type, entry.object);
      this.store.advance(String(entry.version));
      this.delivered = entry.version;
    }
  }

  /** A list begins, is answered, is put in place: three steps with anything between them. */
  private relist(): void {
    if (!this.load) this.load = { staging: this.store.stage() };
    else if (!this.load.listed) {
      for (const object of this.objects.values()) this.load.staging.add(object);
      this.load.listed = { version: this.version };
    } else {
      this.delivered = this.load.listed.version;
      for (const event of this.store.swap(this.load.staging, String(this.delivered), false))
        expect(event).to.be.an('object');
      this.load = undefined;
    }
  }

  private check(): void {
    for (const key of KEYS) {
      const seen = this.store.visible.get('default', key);
      const version = Number(seen?.metadata.resourceVersion ?? 0);
      const promised = this.resolved.get(key) ?? 0;
      if (seen) {
        expect(version, `${key} is older than a resolved write`).to.be.at.least(promised);
        expect(version, `${key} went back`).to.be.at.least(this.lastSeen.get(key) ?? 0);
        expect(this.hiddenUids.has(seen.metadata.uid), `${key} is visible after its own deletion`).to.equal(false);
        this.lastSeen.set(key, version);
      } else if (promised > 0) {
        const since = this.log.some(
          (e) => e.type === 'DELETED' && e.object.metadata.name === key && e.version > promised,
        );
        expect(since, `${key} is missing though it was not deleted`).to.equal(true);
      }
    }
  }

  /** Everything arrives: the store is what the server has, and nothing is ahead. */
  finish(): void {
    while (this.load) this.relist();
    while (this.answers.length > 0) this.answer(0);
    this.deliver(Infinity);
    this.store.advance(String(++this.version));
    const shown = [...this.store.visible.list()].map(({ metadata }) => metadata.resourceVersion).toSorted();
    expect(shown).to.deep.equal([...this.objects.values()].map(({ metadata }) => metadata.resourceVersion).toSorted());
    expect([...this.store.bases()]).to.have.length(this.objects.size);
  }
}

const slabs = new Slabs();
const STORES: Readonly<Record<string, () => Store>> = {
  objects: () => new ObjectStore(),
  bytes: () => new BytesStore({ slabs }),
};

describe('own writes in cached reads', () => {
  for (const [form, makeStore] of Object.entries(STORES))
    it(`L34 L45 R35 shows each resolved write, in any order of write, answer, event, relist, deletion and recreation (${form})`, function () {
      this.timeout(30_000);
      const steps = fc.array(fc.tuple(fc.nat(10), fc.nat(5)), { minLength: 5, maxLength: 60 });
      fc.assert(
        fc.property(steps, (actions) => {
          const world = new World(makeStore);
          for (const [action, pick] of actions) world.step(action, pick);
          world.finish();
        }),
        { numRuns: 10_000 },
      );
    });
});
