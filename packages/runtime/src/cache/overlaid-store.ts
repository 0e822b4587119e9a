import type { ObjectEvent, StoredObject } from '@kubewright/api';
import type { ObjectStore } from './object-store.js';
import { compareVersions, isOrderedVersion } from './resource-version.js';

/** A key whose visible state is ahead of the stream: an own write, or an own deletion. */
interface Overlay {
  readonly namespace: string;
  readonly name: string;
  /** What the stream last said of the key. */
  base: StoredObject | undefined;
  /** resourceVersion of the write's answer; for a deletion, the last one known of what was deleted. */
  readonly version: string;
  /** What readers see; undefined hides the key. */
  readonly object: StoredObject | undefined;
  /** Set for a deletion: this uid is hidden until its DELETED event, or a later relist. */
  readonly hiddenUid: string | undefined;
  /** The load that had begun when the deletion was answered. */
  readonly load: number;
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
const keyOfObject = ({ metadata }: StoredObject): string => keyOf(metadata.namespace ?? '', metadata.name);

/**
 * A store in which the operator's own writes are visible before their events come (L34–L40). Readers look at one store,
 * the newest state of each key; what the stream itself said of the few keys that are ahead is kept beside it, and events
 * are made from that alone (L39).
 */
export class OverlaidStore {
  private current: ObjectStore;
  private readonly overlays = new Map<string, Overlay>();
  /** Overlays of writes, oldest version first; superseded ones stay until their version passes. */
  private pending: Overlay[] = [];
  private delivered = '';
  private loads = 0;

  constructor(private readonly makeStore: () => ObjectStore) {
    this.current = makeStore();
  }

  /** What readers see. */
  get visible(): ObjectStore {
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

  /** What the stream last said of a key. */
  base(namespace: string, name: string): StoredObject | undefined {
    if (this.overlays.size > 0) {
      const overlay = this.overlays.get(keyOf(namespace, name));
      if (overlay) return overlay.base;
    }
    return this.current.get(namespace, name);
  }

  /** All that the stream said, own writes left out. */
  bases(): StoredObject[] {
    if (this.overlays.size === 0) return [...this.current.list()];
    const objects: StoredObject[] = [];
    for (const object of this.current.list()) if (!this.overlays.has(keyOfObject(object))) objects.push(object);
    for (const { base } of this.overlays.values()) if (base) objects.push(base);
    return objects;
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
  remember(object: StoredObject, selected = true): void {
    const { namespace = '', name, uid, resourceVersion: version } = object.metadata;
    if (!isOrderedVersion(version) || compareVersions(version, this.delivered) <= 0) return;
    const before = this.overlays.get(keyOf(namespace, name));
    if (before && (before.hiddenUid === uid || compareVersions(before.version, version) >= 0)) return;
    const shown = selected ? object : undefined;
    const base = before ? before.base : this.current.get(namespace, name);
    if (!shown && !base && !before) return;
    const overlay = { namespace, name, base, version, object: shown, hiddenUid: undefined, load: this.loads };
    this.overlays.set(keyOf(namespace, name), overlay);
    let at = this.pending.length;
    while (at > 0 && compareVersions((this.pending[at - 1] as Overlay).version, version) > 0) at--;
    this.pending.splice(at, 0, overlay);
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
    this.overlays.set(keyOf(namespace, name), { namespace, name, base, version, object: undefined, hiddenUid, load });
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
    const basesBefore = new Map([...this.overlays].map(([key, { base }]) => [key, base]));
    const listed = [...staging.store.list()];
    const old = (object: StoredObject): StoredObject | undefined => {
      const key = basesBefore.size > 0 ? keyOfObject(object) : undefined;
      if (key !== undefined && basesBefore.has(key)) return basesBefore.get(key);
      return previous.get(object.metadata.namespace ?? '', object.metadata.name);
    };
    const before = initial ? [] : this.bases();
    this.delivered = version;
    this.current = staging.store;
    this.putBack(staging.load, wentBack);
    return eventsOf(before, listed, old, initial);
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

function* eventsOf(
  before: readonly StoredObject[],
  listed: readonly StoredObject[],
  old: (object: StoredObject) => StoredObject | undefined,
  initial: boolean,
): Generator<ObjectEvent, void, undefined> {
  if (before.length > 0) {
    const uids = new Map(listed.map((object) => [keyOfObject(object), object.metadata.uid]));
    for (const object of before)
      if (uids.get(keyOfObject(object)) !== object.metadata.uid)
        yield { type: 'delete', object, deleteStateUnknown: true };
  }
  for (const object of listed) {
    const was = initial ? undefined : old(object);
    if (was?.metadata.uid !== object.metadata.uid) yield { type: 'create', object, isInInitialList: initial };
    else if (was.metadata.resourceVersion !== object.metadata.resourceVersion)
      yield { type: 'update', oldObject: was, newObject: object };
  }
}

/** A list in the making. Objects that are stored already keep their instance, so memory does not double (R18). */
export class Staging {
  constructor(
    readonly store: ObjectStore,
    private readonly target: OverlaidStore,
    readonly load: number,
  ) {}

  add(object: StoredObject): void {
    const { namespace = '', name, uid, resourceVersion } = object.metadata;
    const old = this.target.base(namespace, name);
    const same = old?.metadata.uid === uid && old.metadata.resourceVersion === resourceVersion;
    this.store.upsert(same ? old : object);
  }

  delete(object: StoredObject): void {
    this.store.delete(object.metadata.namespace ?? '', object.metadata.name);
  }
}
