import { type Clock, gvkKey, type KindInfo, type Logger, type StoredObject } from '@kubewright/api';
import { parseFieldSelector } from '../client/field-selector.js';
import { parseLabelSelector } from '../client/label-selector.js';
import type { Transport } from '../transport/contract.js';
import type { Cache, Informer, InformerOptions, InformerScope, StreamStatus } from './contract.js';
import { cacheDefaults } from './defaults.js';
import { cacheErrors } from './errors.js';
import { InformerHandle } from './informer-handle.js';
import { Stream } from './stream.js';

export interface SharedCacheOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** 0 ≤ random() < 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** A cached read waits this long for the first list, ms. Default 2 min (L21). */
  readonly syncTimeout?: number;
  /** False: cached reads do not show own writes before their events came. Default true (L46). */
  readonly readYourOwnWrites?: boolean;
  /** How objects are kept where an informer does not say (R35). Default `objects`. */
  readonly store?: 'objects' | 'bytes';
}

/** All streams of one cluster, shared by the controllers and reads of an operator (R1, R2). */
export class SharedCache implements Cache {
  readonly syncTimeout: number;
  private readonly streamSet = new Set<Stream>();
  private readonly byKind = new Map<string, Stream[]>();
  private waiting: InformerHandle[] = [];
  private phase: 'new' | 'started' | 'stopped' = 'new';

  constructor(private readonly options: SharedCacheOptions) {
    this.syncTimeout = options.syncTimeout ?? cacheDefaults.syncTimeout;
  }

  informer(kind: KindInfo, scope: InformerScope, options: InformerOptions = {}): Informer {
    if (this.phase === 'stopped') throw cacheErrors.stopped(`informer of ${kind.kind}`);
    const { readYourOwnWrites, store } = this.options;
    const defaults = { ...(readYourOwnWrites !== undefined && { readYourOwnWrites }), ...(store && { store }) };
    const handle = new InformerHandle(
      kind,
      normalised(kind, scope),
      { ...defaults, ...options },
      { now: () => this.options.clock.monotonic(), release: (disposed) => this.release(disposed) },
    );
    if (this.phase === 'started') this.bind(handle);
    else this.waiting.push(handle);
    return handle;
  }

  /** Binds what was asked for, the widest wishes first, so that narrower ones become views on their streams (R2). */
  start(): void {
    if (this.phase === 'stopped') throw cacheErrors.stopped('start');
    if (this.phase === 'started') return;
    this.phase = 'started';
    const wishes = this.waiting;
    this.waiting = [];
    for (const handle of wishes.toSorted((a, b) => narrowness(a) - narrowness(b))) this.bind(handle);
  }

  async stop(): Promise<void> {
    this.phase = 'stopped';
    await Promise.all([...this.streamSet].map((stream) => stream.stop()));
  }

  streams(): StreamStatus[] {
    return [...this.streamSet].map((stream) => stream.status()).concat(this.waiting.map((handle) => handle.state()));
  }

  get started(): boolean {
    return this.phase !== 'new';
  }

  /** The streams of a kind, for reads; empty when nothing watches it. */
  streamsOf(kind: KindInfo): readonly Stream[] {
    return this.byKind.get(gvkKey(kind)) ?? [];
  }

  /** Whether anything watches, or will watch, the kind. */
  watches(kind: KindInfo): boolean {
    return this.streamsOf(kind).length > 0 || this.waiting.some((handle) => gvkKey(handle.kind) === gvkKey(kind));
  }

  /** The answer of an own write, or of a live read; `body` is its JSON, parsed anew for each stream that takes it. */
  remember(kind: KindInfo, namespace: string | undefined, body: string): void {
    for (const stream of this.streamsOf(kind))
      if (covers(stream.scope, namespace)) stream.remember(JSON.parse(body) as StoredObject);
  }

  /** An own deletion that left nothing behind (L38). */
  forget(
    kind: KindInfo,
    target: { readonly namespace: string | undefined; readonly name: string; readonly uid: string | undefined },
  ): void {
    for (const stream of this.streamsOf(kind))
      if (covers(stream.scope, target.namespace) && stream.options.readYourOwnWrites !== false)
        stream.store.forget(target.namespace ?? '', target.name, target.uid);
  }

  private bind(handle: InformerHandle): void {
    const { kind, options } = handle;
    const stream = this.streamsOf(kind).find((candidate) => serves(candidate, handle)) ?? this.open(handle);
    const conflict =
      stream.options.transform !== options.transform || (options.indexers && !stream.addIndexers(options.indexers));
    if (conflict) throw cacheErrors.transformConflict(kind, label(stream.options), label(options));
    handle.bind(stream);
  }

  private open({ kind, scope, options }: InformerHandle): Stream {
    if (isHeavy(kind, scope, options)) this.warnHeavy(kind, options);
    const stream = new Stream(kind, scope, options, this.options);
    this.streamSet.add(stream);
    const key = gvkKey(kind);
    this.byKind.set(key, [...(this.byKind.get(key) ?? []), stream]);
    stream.start();
    return stream;
  }

  /** Who watches all Secrets pays for each of them; predicates do not make caches smaller (R34). */
  private warnHeavy({ kind }: KindInfo, options: InformerOptions): void {
    const ways = 'narrow it by selector, namespaces, metadataOnly or transform (predicates do not make caches smaller)';
    this.options.logger.warn(
      { kind },
      `${label(options)} keeps every ${kind} of the cluster in memory; ${ways}, or say unscoped: true`,
    );
  }

  private async release(handle: InformerHandle): Promise<void> {
    this.waiting = this.waiting.filter((other) => other !== handle);
    const { stream } = handle;
    if (!stream || stream.users > 0 || !this.streamSet.delete(stream)) return;
    const key = gvkKey(stream.kind);
    const rest = this.streamsOf(stream.kind).filter((other) => other !== stream);
    if (rest.length > 0) this.byKind.set(key, rest);
    else this.byKind.delete(key);
    await stream.stop();
  }
}

function isHeavy({ group, kind }: KindInfo, scope: InformerScope, options: InformerOptions): boolean {
  const isWide = scope.namespace === undefined && scope.labels === undefined && scope.fields === undefined;
  const isCut = options.metadataOnly || options.transform || options.unscoped;
  return group === '' && (kind === 'Secret' || kind === 'ConfigMap') && isWide && !isCut;
}

/** Whether a stream over `scope` holds all objects of the namespace (all of them when undefined). */
export function covers(scope: InformerScope, namespace: string | undefined): boolean {
  return scope.namespace === undefined || scope.namespace === namespace;
}

/** The same wish, or a wider one without selector that this one can be a view of. */
function serves(stream: Stream, { scope, options }: InformerHandle): boolean {
  const isProjection = options.metadataOnly === true && stream.intake.isWhole;
  const sameShape = (stream.options.metadataOnly ?? false) === (options.metadataOnly ?? false);
  if (!(sameShape || (isProjection && !options.transform)) || !covers(stream.scope, scope.namespace)) return false;
  const sameSelectors = stream.scope.labels === scope.labels && stream.scope.fields === scope.fields;
  if (stream.scope.namespace === scope.namespace && sameSelectors) return true;
  const unselected = stream.labelText === '' && stream.fieldText === '';
  return (unselected || sameSelectors) && stream.options.transform === options.transform;
}

/** Full wishes come before those for metadata, which can be projections of them (R28). */
function narrowness({ scope, options }: InformerHandle): number {
  return (
    (options.metadataOnly ? 0.5 : 0) +
    (scope.namespace === undefined ? 0 : 1) +
    (scope.labels === undefined && scope.fields === undefined ? 0 : 2)
  );
}

function normalised(kind: KindInfo, { namespace, labels, fields }: InformerScope): InformerScope {
  const labelText = parseLabelSelector(labels).text;
  const fieldText = parseFieldSelector(fields).text;
  return {
    ...(namespace !== undefined && kind.scope === 'Namespaced' && { namespace }),
    ...(labelText !== '' && { labels: labelText }),
    ...(fieldText !== '' && { fields: fieldText }),
  };
}

const label = (options: InformerOptions): string => options.label ?? 'one informer';
