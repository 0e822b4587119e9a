import { type Clock, type KindInfo, type Logger, type ObjectEvent, type StoredObject } from '@kubewright/api';
import { parseFieldSelector } from '../client/field-selector.js';
import { parseLabelSelector } from '../client/label-selector.js';
import type { Transport } from '../transport/contract.js';
import { resourcePath } from '../transport/url.js';
import type { InformerOptions, InformerScope, StreamState, StreamStatus } from './contract.js';
import { cacheDefaults as defaults } from './defaults.js';
import { scopeText } from './errors.js';
import { Handlers } from './handlers.js';
import { Intake, METADATA_ONLY } from './intake.js';
import { ObjectStore } from './object-store.js';
import { BytesStore } from './bytes-store.js';
import { Slabs } from './slabs.js';
import type { Store } from './store.js';
import { OverlaidStore, type Staging } from './overlaid-store.js';
import { listPage, type PagedListOptions } from './paged-list.js';
import { Pacer } from './pacer.js';
import { Reflector, type ReflectorObserver, type ReflectorSink } from './reflector.js';
import { StreamLog } from './stream-log.js';
import { subjectText } from '../transport/api-errors.js';
import { Verifier } from './verifier.js';

/** What every stream of a cache is made with. */
export interface StreamDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

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
  private readonly verifying = new AbortController();
  private readonly verifier: Verifier | undefined;
  private verified: { readonly checks: number; readonly differences: number } | undefined;
  private readonly log: StreamLog;
  private markSynced: () => void = () => {};
  private staging: Staging | undefined;
  private isSynced = false;
  private stopping = false;
  private toldLate = false;
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
    this.store = new OverlaidStore(this.storeMaker(options.store ?? 'objects'));
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
    this.verifier = options.verifyEvery === undefined ? undefined : this.makeVerifier(options.verifyEvery);
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
    this.verifier?.stop();
    this.verifying.abort(new Error('the stream was stopped'));
    this.handlers.clear();
    await this.reflector.stop();
  }

  private makeVerifier(every: number): Verifier {
    const { kind, scope, deps, options } = this;
    const { clock, transport } = deps;
    const subject = { verb: 'verify', kind: kind.kind, key: scope.namespace && `in ${scope.namespace}` };
    const list: PagedListOptions = {
      transport,
      path: resourcePath({ kind, namespace: scope.namespace }),
      query: { labelSelector: this.labelText || undefined, fieldSelector: this.fieldText || undefined },
      accept: METADATA_ONLY,
      subject,
      what: subjectText(subject),
      signal: this.verifying.signal,
      retry: 'never',
      now: () => clock.now(),
    };
    return new Verifier({
      clock,
      every,
      pageSize: options.pageSize ?? defaults.pageSize,
      read: (limit, token) => listPage(list, limit, token),
      entries: () => this.store.baseEntries(),
      version: () => this.store.version,
      onResult: (keys) => {
        const { checks = 0, differences = 0 } = this.verified ?? {};
        this.verified = { checks: checks + 1, differences: differences + keys.length };
        if (keys.length > 0) this.log.differs(keys);
      },
    });
  }

  private storeMaker(form: 'objects' | 'bytes'): () => Store {
    const onIndexFailure = (object: StoredObject, error: unknown): void => this.intake.spoil(object, error);
    if (form === 'objects') return () => new ObjectStore(this.indexers, onIndexFailure);
    const slabs = new Slabs();
    const isSpoiled = (object: StoredObject): boolean => this.intake.faultOf(object) !== undefined;
    return () => new BytesStore({ slabs, indexers: this.indexers, onIndexFailure, isSpoiled });
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
      ...(this.verified && { verified: this.verified }),
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
    if (!taken) return;
    this.store.remember(taken, selected, this.deps.clock.monotonic());
    this.lookForLate();
  }

  /** Writes whose events have not come for long; nothing is given up for that, but somebody should know (L36). */
  get late(): number {
    return this.store.lateSince(this.deps.clock.monotonic() - defaults.overlayLate);
  }

  private lookForLate(): void {
    if (this.store.ahead === 0) this.toldLate = false;
    else if (!this.toldLate && this.late > 0) {
      this.toldLate = true;
      this.log.late(this.late);
    }
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
    this.verifier?.swapped();
    await this.handlers.dispatchAll(events, () => this.stopping);
  }

  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): void {
    const taken = this.intake.take(object);
    if (!taken) return;
    const events: readonly ObjectEvent[] = this.store.apply(type, taken);
    this.verifier?.touch(taken);
    for (const event of events) this.handlers.dispatch(event);
  }

  advance(version: string): void {
    this.store.advance(version);
    this.verifier?.advanced();
    this.lastEvent = this.deps.clock.monotonic();
  }

  // What the reflector tells.

  state(state: StreamState): void {
    this.stateNow = state;
  }

  step(): void {
    this.lastStep = this.deps.clock.monotonic();
    this.lookForLate();
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
