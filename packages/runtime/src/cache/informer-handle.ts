import type { KindInfo, ObjectEvent, StoredObject } from '@kubewright/api';
import { parseFieldSelector } from '../client/field-selector.js';
import { parseLabelSelector } from '../client/label-selector.js';
import type {
  HandlerRegistration,
  Informer,
  InformerHandler,
  InformerOptions,
  InformerScope,
  StreamStatus,
} from './contract.js';
import { metadataPart } from './intake.js';
import type { Stream } from './stream.js';

/** What a handle needs of its cache. */
interface HandleHost {
  /** Monotonic ms. */
  now(): number;
  release(handle: InformerHandle): Promise<void>;
}

/** One user's share in a stream: the whole of it, or a view that is filtered here (R2). */
export class InformerHandle implements Informer {
  readonly synced: Promise<void>;
  /** Set when the cache has started. */
  stream: Stream | undefined;
  private markSynced: () => void = () => {};
  private readonly registrations = new Set<LateRegistration>();
  private filter: ((object: StoredObject) => boolean) | undefined;
  private disposed = false;

  constructor(
    readonly kind: KindInfo,
    readonly scope: InformerScope,
    readonly options: InformerOptions,
    private readonly host: HandleHost,
  ) {
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
  }

  /** Called once, by the cache. */
  bind(stream: Stream): void {
    this.stream = stream;
    stream.users++;
    this.filter = viewFilter(this.scope, stream.scope);
    void stream.synced.then(this.markSynced);
    for (const registration of this.registrations) this.attach(registration, stream);
  }

  addHandler(handler: InformerHandler): HandlerRegistration {
    const registration = new LateRegistration(handler, (disposed) => this.registrations.delete(disposed));
    this.registrations.add(registration);
    if (this.stream) this.attach(registration, this.stream);
    return registration;
  }

  state(): StreamStatus {
    const status = this.stream?.status();
    if (status) return { ...status, scope: this.scope };
    return {
      kind: this.kind,
      scope: this.scope,
      state: this.disposed ? 'stopped' : 'waiting',
      synced: false,
      objects: 0,
      resourceVersion: '',
      failures: 0,
      lastStep: this.host.now(),
    };
  }

  holds(namespace: string | undefined, name: string): boolean {
    const object = this.stream?.store.visible.get(namespace ?? '', name);
    return object !== undefined && (this.filter?.(object) ?? true);
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    for (const registration of this.registrations) registration.dispose();
    if (this.stream) this.stream.users--;
    await this.host.release(this);
  }

  private attach(registration: LateRegistration, stream: Stream): void {
    const { filter } = this;
    const isProjection = this.options.metadataOnly === true && !stream.options.metadataOnly;
    const { handler: whole } = registration;
    const handler = isProjection ? (event: ObjectEvent): void => whole(projected(event)) : whole;
    registration.attached(stream.handlers.add(filter ? (event) => viewed(event, filter, handler) : handler));
  }
}

/** A registration that may be made before its stream is there. */
class LateRegistration implements HandlerRegistration {
  readonly synced: Promise<void>;
  private markSynced: () => void = () => {};
  private inner: HandlerRegistration | undefined;

  constructor(
    readonly handler: InformerHandler,
    private readonly onDispose: (registration: LateRegistration) => void,
  ) {
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
  }

  attached(inner: HandlerRegistration): void {
    this.inner = inner;
    void inner.synced.then(this.markSynced);
  }

  isSynced(): boolean {
    return this.inner?.isSynced() ?? false;
  }

  dispose(): void {
    this.inner?.dispose();
    this.onDispose(this);
  }
}

/** The metadata of an event's objects (R28). */
function projected(event: ObjectEvent): ObjectEvent {
  if (event.type === 'update')
    return { ...event, oldObject: metadataPart(event.oldObject), newObject: metadataPart(event.newObject) };
  return { ...event, object: metadataPart(event.object) };
}

/** What a narrower wish leaves of a wider stream; undefined where both are the same. */
function viewFilter(wish: InformerScope, stream: InformerScope): ((object: StoredObject) => boolean) | undefined {
  const namespace = wish.namespace === stream.namespace ? undefined : wish.namespace;
  const labels = wish.labels === stream.labels ? undefined : parseLabelSelector(wish.labels);
  const fields = wish.fields === stream.fields ? undefined : parseFieldSelector(wish.fields);
  if (namespace === undefined && !labels && !fields) return undefined;
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (!labels || labels.matches(object.metadata.labels)) &&
    (!fields || fields.matches(object));
}

/** An object that leaves the view is a delete there, one that enters is a create, as the server would say it. */
function viewed(event: ObjectEvent, filter: (object: StoredObject) => boolean, handler: InformerHandler): void {
  if (event.type !== 'update') {
    if (filter(event.object)) handler(event);
    return;
  }
  const was = filter(event.oldObject);
  const is = filter(event.newObject);
  if (was && is) handler(event);
  else if (was) handler({ type: 'delete', object: event.newObject, deleteStateUnknown: false });
  else if (is) handler({ type: 'create', object: event.newObject, isInInitialList: false });
}
