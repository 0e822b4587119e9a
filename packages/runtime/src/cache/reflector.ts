import { type Clock, isApiError, sleep, type StoredObject } from '@kubewright/api';
import { apiErrorOfStatus, type CallSubject, type FailureStatus, subjectText } from '../transport/api-errors.js';
import type { Transport } from '../transport/contract.js';
import { withQuery } from '../transport/url.js';
import type { StreamState } from './contract.js';
import { cacheDefaults as defaults } from './defaults.js';
import { Pacer } from './pacer.js';
import { listAll, listPage, type PagedListOptions } from './paged-list.js';
import { type Activity, ErrorEvent, Recovery } from './recovery.js';
import { BadLine, Silence, WatchConnection, type WatchEvent } from './watch-connection.js';

/** What a reflector feeds. Objects are handed over as parsed; all calls come from one loop, in order. */
export interface ReflectorSink {
  /** A list begins; what an earlier, broken one brought is thrown away. */
  begin(): void;
  /** An object of the list. */
  listed(object: StoredObject): void;
  /** An object left the list before it was complete. */
  unlisted(object: StoredObject): void;
  /** The list is complete: put it in place and tell the handlers. */
  swap(version: string): Promise<void>;
  /** A live event; handlers are told before it returns. */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): void;
  /** Everything up to `version` was delivered. */
  advance(version: string): void;
}

/** What changes about a reflector, told as it happens. */
export interface ReflectorObserver {
  state(state: StreamState): void;
  step(): void;
  failed(error: Error, waitMs: number): void;
  recovered(): void;
  /** A line or event type that is not understood. */
  odd(what: string): void;
}

export interface ReflectorOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  /** Collection path without query. */
  readonly path: string;
  readonly labels?: string | undefined;
  readonly fields?: string | undefined;
  readonly accept?: string | undefined;
  readonly kind: string;
  readonly where?: string | undefined;
  readonly pageSize: number;
  readonly initialLoad: 'auto' | 'stream' | 'page';
  readonly sink: ReflectorSink;
  readonly observer: ReflectorObserver;
}

/** The marker that ends a streamed first list (R5). */
const END_MARKER = 'k8s.io/initial-events-end';

/** Keeps a sink equal to a collection of the server: list, then watch, for ever (R3). One loop, never two. */
export class Reflector {
  private readonly abort = new AbortController();
  private loop: Promise<void> | undefined;
  private version = '';
  private paging: boolean;
  private synced = false;
  /** Whether the list that is being read is complete; a failure after that is one of the watch. */
  private complete = false;
  private brokenStreams = 0;
  private lastOpen = -Infinity;

  private readonly recovery: Recovery;
  private readonly pacer: Pacer;

  constructor(private readonly options: ReflectorOptions) {
    this.recovery = new Recovery(options.clock, options.random);
    this.pacer = new Pacer(options.clock);
    this.paging = options.initialLoad === 'page';
  }

  start(): Promise<void> {
    this.loop ??= this.run();
    return this.loop;
  }

  /** Resolves when the loop is gone; nothing comes after it (R21). */
  async stop(): Promise<void> {
    this.abort.abort(new Error('the stream was stopped'));
    await this.loop;
    this.options.observer.state('stopped');
  }

  private get stopped(): boolean {
    return this.abort.signal.aborted;
  }

  private async run(): Promise<void> {
    let activity: Activity = 'load';
    while (!this.stopped) {
      this.options.observer.step();
      try {
        activity = activity === 'load' ? await this.load() : await this.watch();
      } catch (error) {
        if (this.stopped) return;
        activity = await this.recover(error, activity);
      }
    }
  }

  private load(): Promise<Activity> {
    this.complete = false;
    return this.paging ? this.loadPages() : this.loadStream();
  }

  private async loadPages(): Promise<Activity> {
    const { transport, path, labels, fields, accept, clock, pageSize, sink, observer } = this.options;
    observer.state('listing');
    const subject = this.subject('list');
    const options: PagedListOptions = {
      transport,
      path,
      query: { labelSelector: labels, fieldSelector: fields },
      accept,
      subject,
      what: subjectText(subject),
      signal: this.abort.signal,
      retry: 'never',
      now: () => clock.now(),
    };
    const version = await listAll((limit, token) => listPage(options, limit, token), pageSize, {
      begin: () => sink.begin(),
      page: async (items) => {
        observer.step();
        for (const item of items) {
          sink.listed(item);
          if (this.pacer.due()) await this.pacer.pause();
        }
        await clock.yield();
        return true;
      },
    });
    await this.swap(version);
    return 'watch';
  }

  private async loadStream(): Promise<Activity> {
    const { sink, observer, initialLoad } = this.options;
    const mayPage = initialLoad === 'auto';
    observer.state('streaming');
    let connection: WatchConnection | undefined;
    try {
      connection = await this.open({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' });
      sink.begin();
      return await this.consume(connection, true);
    } catch (error) {
      if (this.stopped || this.complete) throw error;
      const refused = isApiError(error) && (error.status === 400 || error.status === 422);
      const broken = connection !== undefined && ++this.brokenStreams >= defaults.brokenStreams;
      if (!mayPage || !(refused || broken || error instanceof Silence)) throw error;
      this.paging = true;
      return 'load';
    }
  }

  private async watch(): Promise<Activity> {
    this.complete = true;
    this.options.observer.state('watching');
    return this.consume(await this.open({ resourceVersion: this.version }), false);
  }

  private async open(query: Readonly<Record<string, string | boolean>>): Promise<WatchConnection> {
    const { transport, clock, random, path, labels, fields, accept } = this.options;
    const early = this.lastOpen + defaults.openInterval - clock.monotonic();
    if (early > 0) await sleep(clock, early, this.abort.signal);
    this.lastOpen = clock.monotonic();
    const { watchSecondsMin: min, watchSecondsMax: max } = defaults;
    const subject = this.subject('watch');
    return WatchConnection.open({
      transport,
      clock,
      accept,
      subject,
      what: subjectText(subject),
      signal: this.abort.signal,
      path: withQuery(path, {
        watch: 1,
        ...query,
        allowWatchBookmarks: true,
        timeoutSeconds: Math.floor(min + random() * (max - min)),
        labelSelector: labels,
        fieldSelector: fields,
      }),
    });
  }

  /** Reads a watch to its end and answers what is to be done next. */
  private async consume(connection: WatchConnection, initial: boolean): Promise<Activity> {
    const { clock, observer } = this.options;
    const opened = clock.monotonic();
    this.complete = !initial;
    if (initial && this.options.initialLoad === 'auto') connection.limitSilence(defaults.initialSilence);
    let delivered = false;
    try {
      await connection.read(async (events) => {
        observer.step();
        this.pacer.resume();
        for (const event of events) {
          if (this.stopped) throw this.abort.signal.reason;
          const swapped = this.take(event, connection);
          if (swapped) await swapped;
          if (!delivered && this.complete) {
            delivered = true;
            this.healthy();
          }
          if (this.pacer.due()) await this.pacer.pause();
        }
        this.pacer.rest();
      });
    } catch (error) {
      if (this.stopped || !(error instanceof Silence) || !this.complete) throw error;
    }
    if (this.stopped) return 'watch';
    if (!this.complete) throw new Error('the watch ended before the first list was complete');
    const lived = clock.monotonic() - opened;
    if (lived >= defaults.backoffReset) this.healthy();
    if (!delivered && lived < defaults.healthyWatch)
      throw new Error(`the watch was closed after ${Math.round(lived)} ms`);
    return 'watch';
  }

  /** Takes one event in; a promise only where the list became complete, since this is called for each line. */
  private take(event: WatchEvent | BadLine, connection: WatchConnection): Promise<void> | undefined {
    const { sink, observer } = this.options;
    if (event instanceof BadLine) throw event;
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const object = event.object as StoredObject;
        const version = object.metadata?.resourceVersion;
        if (!this.complete) {
          if (event.type === 'DELETED') sink.unlisted(object);
          else sink.listed(object);
          return undefined;
        }
        sink.event(event.type, object);
        this.recovery.delivered();
        if (version !== undefined) this.advance(version);
        return undefined;
      }
      case 'BOOKMARK': {
        const { resourceVersion, annotations } = (event.object as StoredObject).metadata;
        if (this.complete) {
          this.advance(resourceVersion);
        } else if (annotations?.[END_MARKER] === 'true') {
          connection.limitSilence(defaults.inactivity);
          this.complete = true;
          return this.swap(resourceVersion).then(() => {
            if (!this.stopped) observer.state('watching');
          });
        }
        return undefined;
      }
      case 'ERROR':
        throw new ErrorEvent(apiErrorOfStatus(event.object as FailureStatus, this.subject('watch')));
      default:
        observer.odd(`watch event of type ${event.type}`);
        return undefined;
    }
  }

  private async swap(version: string): Promise<void> {
    await this.options.sink.swap(version);
    if (this.stopped) return;
    this.version = version;
    this.synced = true;
    this.brokenStreams = 0;
  }

  private advance(version: string): void {
    this.version = version;
    this.options.sink.advance(version);
  }

  private healthy(): void {
    if (this.recovery.healthy()) this.options.observer.recovered();
  }

  /** Does what the recovery says, waiting where that is right. Only `stop()` ends the loop. */
  private async recover(thrown: unknown, during: Activity): Promise<Activity> {
    const { clock, observer, sink } = this.options;
    if (thrown instanceof BadLine) observer.odd(thrown.message);
    const activity = during === 'load' && this.complete && this.synced ? 'watch' : during;
    const { next, soft, gone } = this.recovery.after({ thrown, activity, version: this.version, synced: this.synced });
    if (gone) {
      sink.begin();
      await sink.swap(this.version);
    }
    if (!soft) return next;
    observer.state(soft.state);
    observer.failed(soft.error, soft.wait);
    await sleep(clock, soft.wait, this.abort.signal).catch(() => {});
    return next;
  }

  private subject(verb: string): CallSubject {
    return { verb, kind: this.options.kind, key: this.options.where };
  }
}
