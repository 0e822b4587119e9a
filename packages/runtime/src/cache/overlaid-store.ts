import type { ObjectEvent, StoredObject } from '@kubewright/api';
import { compareVersions, isOrderedVersion } from './resource-version.js';
import type { Store, StoredEntry } from './store.js';

/** A key whose visible state is ahead of the stream: an own write, or an own deletion. */
interface Overlay {
  readonly namespace: string;
  readonly name: string;
  /** What the stream last said of the key. */
  base: StoredObject | undefined;
  /** resourceVersion of the write's answer; for a deletion, the last one known of what was deleted. */
  readonly version: string;
  /** Monotonic ms of the answer. */
  readonly at: number;
  /** What readers see; undefined hides the key. */
  readonly object: StoredObject | undefined;
  /** Set for a deletion: this uid is hidden until its DELETED event, or a later relist. */
  readonly hiddenUid: string | undefined;
  /** The load that had begun when the deletion was answered. */
  readonly load: number;
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
const keyOfObject = ({ metadata }: StoredEntry): string => keyOf(metadata.namespace ?? '', metadata.name);

/**
 * A store in which the operator's own writes are visible before their events come (L34–L40). Readers look at one store,
 * the newest state of each key; what the stream itself said of the few keys that are ahead is kept beside it, and events
 * are made from that alone (L39).
 */
export class OverlaidStore {
  private current: Store;
  private readonly overlays = new Map<string, Overlay>();
  /** Overlays of writes, oldest version first; superseded ones stay until their version passes. */
  private pending: Overlay[] = [];
  private delivered = '';
  private loads = 0;

  constructor(private readonly makeStore: () => Store) {
    this.current = makeStore();
  }

  /** What readers see. */
  get visible(): Store {
    return this.current;
  }

  /** S: the highest resourceVersion the stream has delivered. */
  get version(): string {
    return this.delivered;
  }

  /** Keys that are ahead of the stream. */
  get ahead(): number {
    return this.overlays.size;
  }

  /** Writes answered before `time` whose events have not come: the stream is late (L36). */
  lateSince(time: number): number {
    let late = 0;
    for (const overlay of this.overlays.values()) if (overlay.hiddenUid === undefined && overlay.at < time) late++;
    return late;
  }

  /** What the stream last said of a key. */
  base(namespace: string, name: string): StoredObject | undefined {
    if (this.overlays.size > 0) {
      const overlay = this.overlays.get(keyOf(namespace, name));
      if (overlay) return overlay.base;
    }
    return this.current.get(namespace, name);
  }

  /** The same, without reading the object. */
  baseEntry(namespace: string, name: string): StoredEntry | undefined {
    const overlay = this.overlays.size === 0 ? undefined : this.overlays.get(keyOf(namespace, name));
    return overlay ? overlay.base : this.current.entry(namespace, name);
  }

  /** All that the stream has said up to now, own writes left out; read while it is iterated. */
  bases(): Iterable<StoredObject> {
    return readAll(this.current, this.baseEntries());
  }

  /** The same, unread. */
  baseEntries(): StoredEntry[] {
    if (this.overlays.size === 0) return [...this.current.entries()];
    const entries: StoredEntry[] = [];
    for (const entry of this.current.entries()) if (!this.overlays.has(keyOfObject(entry))) entries.push(entry);
    for (const { base } of this.overlays.values()) if (base) entries.push(base);
    return entries;
  }

  /** Takes an event of the stream in and answers what handlers are to be told (R11). Does not move S. */
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): readonly ObjectEvent[] {
    const { namespace = '', name, uid, resourceVersion } = object.metadata;
    const overlay = this.overlays.size === 0 ? undefined : this.overlays.get(keyOf(namespace, name));
    const old = overlay ? overlay.base : this.current.get(namespace, name);
    const now = type === 'DELETED' ? undefined : this.instance(object, overlay);
    if (!overlay) this.show(namespace, name, now);
    else if (covers(overlay, object, now === undefined)) overlay.base = now;
    else {
      this.overlays.delete(keyOf(namespace, name));
      this.show(namespace, name, now);
    }
    if (!now) return old ? [{ type: 'delete', object, deleteStateUnknown: false }] : [];
    if (!old) return [{ type: 'create', object: now, isInInitialList: false }];
    if (old.metadata.uid !== uid)
      return [
        { type: 'delete', object: old, deleteStateUnknown: true },
        { type: 'create', object: now, isInInitialList: false },
      ];
    return old.metadata.resourceVersion === resourceVersion ? [] : [{ type: 'update', oldObject: old, newObject: now }];
  }

  /** The stream has delivered everything up to `version`: own writes up to it are no longer ahead (L36). */
  advance(version: string): void {
    if (compareVersions(version, this.delivered) > 0) this.delivered = version;
    let passed = 0;
    for (const overlay of this.pending) {
      if (compareVersions(overlay.version, this.delivered) > 0) break;
      passed++;
      if (this.overlays.get(keyOf(overlay.namespace, overlay.name)) !== overlay) continue;
      this.overlays.delete(keyOf(overlay.namespace, overlay.name));
      this.show(overlay.namespace, overlay.name, overlay.base);
    }
    if (passed > 0) this.pending.splice(0, passed);
  }

  /** The answer of an own write, or of a live read (L35, L40). One that left the scope's selectors hides its key (L37). */
  remember(object: StoredObject, selected = true, at = 0): void {
    const { namespace = '', name, uid, resourceVersion: version } = object.metadata;
    if (!isOrderedVersion(version) || compareVersions(version, this.delivered) <= 0) return;
    const before = this.overlays.get(keyOf(namespace, name));
    if (before && (before.hiddenUid === uid || compareVersions(before.version, version) >= 0)) return;
    const shown = selected ? object : undefined;
    const base = before ? before.base : this.current.get(namespace, name);
    if (!shown && !base && !before) return;
    const overlay = { namespace, name, base, version, at, object: shown, hiddenUid: undefined, load: this.loads };
    this.overlays.set(keyOf(namespace, name), overlay);
    let place = this.pending.length;
    while (place > 0 && compareVersions((this.pending[place - 1] as Overlay).version, version) > 0) place--;
    this.pending.splice(place, 0, overlay);
    this.show(namespace, name, shown);
  }

  /** The answer of an own deletion that left nothing behind (L38). Without uid, whatever is visible was deleted. */
  forget(namespace: string, name: string, uid: string | undefined): void {
    const shown = this.current.get(namespace, name);
    // What readers do not see is hidden for a newer reason than this one, or was never here.
    if (!shown || (uid !== undefined && shown.metadata.uid !== uid)) return;
    const before = this.overlays.get(keyOf(namespace, name));
    const { uid: hiddenUid, resourceVersion: version } = shown.metadata;
    const base = before ? before.base : shown;
    const load = this.loads;
    this.overlays.set(keyOf(namespace, name), {
      namespace,
      name,
      base,
      version,
      at: 0,
      object: undefined,
      hiddenUid,
      load,
    });
    this.current.delete(namespace, name);
  }

  /** Begins a list; what it brings is collected beside the store until {@link swap}. */
  stage(): Staging {
    this.loads++;
    return new Staging(this.makeStore(), this, this.loads);
  }

  /**
   * Puts a complete list in place of the content in one step (R19) and answers what handlers are to be told: deletes
   * first (R18). The events are made while they are read, so that a long list of them never exists.
   */
  swap(staging: Staging, version: string, initial: boolean): Iterable<ObjectEvent> {
    const previous = this.current;
    const wentBack = this.wentBack(version);
    const before = initial ? [] : this.baseEntries();
    const ahead = new Map([...this.overlays].map(([key, { base }]) => [key, base]));
    const old = (entry: StoredEntry): StoredEntry | undefined => {
      const key = ahead.size > 0 ? keyOfObject(entry) : undefined;
      if (key !== undefined && ahead.has(key)) return ahead.get(key);
      return previous.entry(entry.metadata.namespace ?? '', entry.metadata.name);
    };
    const listed = [...staging.store.entries()];
    this.delivered = version;
    this.current = staging.store;
    previous.retire(staging.store);
    this.putBack(staging.load, wentBack);
    return eventsOf({ store: staging.store, before, old, listed, initial });
  }

  /** A list older than what was seen: the cluster's history went back (R24). */
  wentBack(version: string): boolean {
    return (
      isOrderedVersion(version) && isOrderedVersion(this.delivered) && compareVersions(version, this.delivered) < 0
    );
  }

  private putBack(load: number, wentBack: boolean): void {
    const kept = [...this.overlays.values()];
    this.overlays.clear();
    this.pending = [];
    if (wentBack) return;
    for (const overlay of kept) {
      const { namespace, name, hiddenUid, version } = overlay;
      overlay.base = this.current.get(namespace, name);
      if (hiddenUid === undefined) {
        if (compareVersions(version, this.delivered) <= 0) continue;
        this.pending.push(overlay);
      } else if (overlay.load < load || (overlay.base && !covers(overlay, overlay.base, false))) continue;
      this.overlays.set(keyOf(namespace, name), overlay);
      this.show(namespace, name, overlay.object);
    }
    this.pending.sort((a, b) => compareVersions(a.version, b.version));
  }

  /** The echo of an own write is the object readers have already: keep that instance. */
  private instance(object: StoredObject, overlay: Overlay | undefined): StoredObject {
    const seen = overlay?.object?.metadata;
    if (seen?.resourceVersion !== object.metadata.resourceVersion || seen.uid !== object.metadata.uid) return object;
    return overlay?.object ?? object;
  }

  private show(namespace: string, name: string, object: StoredObject | undefined): void {
    if (object) this.current.upsert(object);
    else this.current.delete(namespace, name);
  }
}

/** Whether readers go on seeing the overlay after the stream said this of its key. */
function covers({ version, hiddenUid }: Overlay, { metadata }: StoredObject, deleted: boolean): boolean {
  if (hiddenUid === metadata.uid) return !deleted;
  return compareVersions(version, metadata.resourceVersion) > 0;
}

interface Swap {
  /** The new one; it reads entries of the one it took the place of, too. */
  readonly store: Store;
  readonly before: readonly StoredEntry[];
  /** What the stream had said of the key before. */
  readonly old: (entry: StoredEntry) => StoredEntry | undefined;
  readonly listed: readonly StoredEntry[];
  readonly initial: boolean;
}

function* eventsOf({ store, before, old, listed, initial }: Swap): Generator<ObjectEvent, void, undefined> {
  if (before.length > 0) {
    const uids = new Map(listed.map((entry) => [keyOfObject(entry), entry.metadata.uid]));
    for (const entry of before)
      if (uids.get(keyOfObject(entry)) !== entry.metadata.uid)
        yield { type: 'delete', object: store.read(entry), deleteStateUnknown: true };
  }
  for (const entry of listed) {
    const was = initial ? undefined : old(entry);
    if (was?.metadata.uid !== entry.metadata.uid)
      yield { type: 'create', object: store.read(entry), isInInitialList: initial };
    else if (was.metadata.resourceVersion !== entry.metadata.resourceVersion)
      yield { type: 'update', oldObject: store.read(was), newObject: store.read(entry) };
  }
}

function* readAll(store: Store, entries: readonly StoredEntry[]): Generator<StoredObject, void, undefined> {
  for (const entry of entries) yield store.read(entry);
}

/** A list in the making. Objects that are stored already keep their instance, so memory does not double (R18). */
export class Staging {
  constructor(
    readonly store: Store,
    private readonly target: OverlaidStore,
    readonly load: number,
  ) {}

  add(object: StoredObject): void {
    const { namespace = '', name, uid, resourceVersion } = object.metadata;
    const old = this.target.baseEntry(namespace, name);
    if (old?.metadata.uid === uid && old.metadata.resourceVersion === resourceVersion) this.store.adopt(old);
    else this.store.upsert(object, true);
  }

  delete(object: StoredObject): void {
    this.store.delete(object.metadata.namespace ?? '', object.metadata.name);
  }
}
