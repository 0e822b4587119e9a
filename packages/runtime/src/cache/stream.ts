import { type Clock, type KindInfo, type Logger, type ObjectEvent, type StoredObject } from '@kubewright/api';
import { parseFieldSelector } from '../client/field-selector.js';
import { parseLabelSelector } from '../client/label-selector.js';
import type { Transport } from '../transport/contract.js';
import { resourcePath } from '../transport/url.js';
import type { InformerOptions, InformerScope, StreamState, StreamStatus } from './contract.js';
import { cacheDefaults as defaults } from './defaults.js';
import { scopeText } from './errors.js';
import { Handlers } from './handlers.js';
import { Intake } from './intake.js';
import { ObjectStore } from './object-store.js';
import { OverlaidStore, type Staging } from './overlaid-store.js';
import { Pacer } from './pacer.js';
import { Reflector, type ReflectorObserver, type ReflectorSink } from './reflector.js';
import { StreamLog } from './stream-log.js';

/** What every stream of a cache is made with. */
export interface StreamDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

const METADATA_ONLY =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** One list-then-watch loop with its store, its overlay of own writes and its handlers (R1). */
export class Stream implements ReflectorSink, ReflectorObserver {
  readonly store: OverlaidStore;
  readonly handlers: Handlers;
  /** Informers that share it. */
  users = 0;
  readonly synced: Promise<void>;
  readonly intake: Intake;
  readonly labelText: string;
  readonly fieldText: string;
  /** Whether the scope's selectors hold the object. */
  readonly selects: (object: StoredObject) => boolean;
  private readonly reflector: Reflector;
  private readonly log: StreamLog;
  private markSynced: () => void = () => {};
  private staging: Staging | undefined;
  private isSynced = false;
  private stopping = false;
  private stateNow: StreamState = 'waiting';
  private lastError: Error | undefined;
  private failures = 0;
  private lastStep: number;
  private lastEvent: number | undefined;
  private indexers: Record<string, (object: StoredObject) => string[]>;

  constructor(
    readonly kind: KindInfo,
    readonly scope: InformerScope,
    readonly options: InformerOptions,
    private readonly deps: StreamDeps,
  ) {
    const { transport, clock, random, logger } = deps;
    const labels = parseLabelSelector(scope.labels);
    const fields = parseFieldSelector(scope.fields);
    this.labelText = labels.text;
    this.fieldText = fields.text;
    this.indexers = { ...options.indexers };
    const { group, version, kind: name } = kind;
    const namespace = scope.namespace === undefined ? {} : { namespace: scope.namespace };
    this.log = new StreamLog(clock, logger.child({ group, version, kind: name, ...namespace }), scopeText(kind, scope));
    this.intake = new Intake(kind, options, this.log);
    this.store = new OverlaidStore(
      () => new ObjectStore(this.indexers, (object, error) => this.intake.spoil(object, error)),
    );
    this.selects = (object) => labels.matches(object.metadata.labels) && fields.matches(object);
    this.lastStep = clock.monotonic();
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
    this.handlers = new Handlers({
      logger,
      makePacer: () => new Pacer(clock),
      isSynced: () => this.isSynced,
      bases: () => this.store.bases(),
    });
    this.reflector = new Reflector({
      transport,
      clock,
      random,
      path: resourcePath({ kind, namespace: scope.namespace }),
      labels: labels.text || undefined,
      fields: fields.text || undefined,
      accept: options.metadataOnly ? METADATA_ONLY : undefined,
      kind: kind.kind,
      where:
        kind.scope === 'Cluster'
          ? undefined
          : scope.namespace === undefined
            ? 'in all namespaces'
            : `in ${scope.namespace}`,
      pageSize: options.pageSize ?? defaults.pageSize,
      initialLoad: options.initialLoad ?? 'auto',
      sink: this,
      observer: this,
    });
  }

  start(): void {
    void this.reflector.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.handlers.clear();
    await this.reflector.stop();
  }

  get hasSynced(): boolean {
    return this.isSynced;
  }

  status(): StreamStatus {
    return {
      kind: this.kind,
      scope: this.scope,
      state: this.stateNow,
      synced: this.isSynced,
      objects: this.store.visible.size,
      resourceVersion: this.store.version,
      ...(this.lastError && { lastError: this.lastError }),
      failures: this.failures,
      lastStep: this.lastStep,
      ...(this.lastEvent !== undefined && { lastEvent: this.lastEvent }),
    };
  }

  /** Declares further indexes; false if one of that name has another function. */
  addIndexers(indexers: Readonly<Record<string, (object: StoredObject) => string[]>>): boolean {
    for (const [name, values] of Object.entries(indexers)) {
      const known = this.indexers[name];
      if (known && known !== values) return false;
      if (known) continue;
      this.indexers = { ...this.indexers, [name]: values };
      this.store.visible.addIndex(name, values);
    }
    return true;
  }

  get indexNames(): string[] {
    return Object.keys(this.indexers);
  }

  /** The answer of an own write or a live read; the object becomes the cache's (L35, L40). */
  remember(object: StoredObject): void {
    if (this.options.readYourOwnWrites === false) return;
    const selected = this.selects(object);
    const taken = this.intake.take(object);
    if (taken) this.store.remember(taken, selected);
  }

  // What the reflector feeds.

  begin(): void {
    this.staging = this.store.stage();
  }

  listed(object: StoredObject): void {
    const taken = this.intake.take(object);
    if (taken) this.staging?.add(taken);
  }

  unlisted(object: StoredObject): void {
    if (object.metadata?.name !== undefined) this.staging?.delete(object);
  }

  async swap(version: string): Promise<void> {
    const { staging } = this;
    if (!staging) return;
    this.staging = undefined;
    if (this.store.wentBack(version)) this.log.wentBack(this.store.version, version);
    const initial = !this.isSynced;
    const events = this.store.swap(staging, version, initial);
    this.isSynced = true;
    this.lastEvent = this.deps.clock.monotonic();
    this.markSynced();
    await this.handlers.dispatchAll(events, () => this.stopping);
  }

  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): void {
    const taken = this.intake.take(object);
    if (!taken) return;
    const events: readonly ObjectEvent[] = this.store.apply(type, taken);
    for (const event of events) this.handlers.dispatch(event);
  }

  advance(version: string): void {
    this.store.advance(version);
    this.lastEvent = this.deps.clock.monotonic();
  }

  // What the reflector tells.

  state(state: StreamState): void {
    this.stateNow = state;
  }

  step(): void {
    this.lastStep = this.deps.clock.monotonic();
  }

  failed(error: Error, waitMs: number): void {
    this.lastError = error;
    this.failures++;
    this.log.failed(error, waitMs, this.failures);
  }

  recovered(): void {
    this.log.recovered(this.failures);
    this.failures = 0;
    this.lastError = undefined;
  }

  odd(what: string): void {
    this.log.odd(what);
  }
}
