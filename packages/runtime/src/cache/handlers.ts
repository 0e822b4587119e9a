import type { Logger, ObjectEvent, StoredObject } from '@kubewright/api';
import type { HandlerRegistration, InformerHandler } from './contract.js';
import type { Pacer } from './pacer.js';

interface HandlersOptions {
  readonly logger: Logger;
  readonly makePacer: () => Pacer;
  /** Whether the first list is in the store. */
  readonly isSynced: () => boolean;
  /** The stream's own objects, own writes left out. */
  readonly bases: () => Iterable<StoredObject>;
}

/**
 * The handlers of a stream. Each gets every event once, in order; one that comes late gets creates for what is stored
 * first, while live events wait behind them (R25). A handler that throws is reported and goes on.
 */
export class Handlers {
  private readonly all = new Set<Registration>();

  constructor(private readonly options: HandlersOptions) {}

  add(handler: InformerHandler): HandlerRegistration {
    const registration = new Registration(handler, this.options, () => this.all.delete(registration));
    this.all.add(registration);
    if (this.options.isSynced()) registration.replay(this.options.bases());
    return registration;
  }

  /** Tells one event; synchronous. */
  dispatch(event: ObjectEvent): void {
    for (const registration of this.all) registration.push(event);
  }

  /**
   * Tells the events of a swapped list, leaving room for the event loop. Handlers added meanwhile see the new content
   * by themselves. `stopped` ends it between two events.
   */
  async dispatchAll(events: Iterable<ObjectEvent>, stopped: () => boolean): Promise<void> {
    const before = [...this.all];
    const pacer = this.options.makePacer();
    for (const event of events) {
      if (stopped()) return;
      for (const registration of before) registration.push(event);
      if (pacer.due()) await pacer.pause();
    }
    for (const registration of before) registration.initialSeen();
  }

  clear(): void {
    for (const registration of this.all) registration.dispose();
  }
}

class Registration implements HandlerRegistration {
  readonly synced: Promise<void>;
  private markSynced: () => void = () => {};
  private seen = false;
  private disposed = false;
  /** Live events behind a replay that is not over. */
  private backlog: ObjectEvent[] | undefined;

  constructor(
    private readonly handler: InformerHandler,
    private readonly options: HandlersOptions,
    private readonly onDispose: () => void,
  ) {
    this.synced = new Promise((resolve) => {
      this.markSynced = resolve;
    });
  }

  isSynced(): boolean {
    return this.seen;
  }

  initialSeen(): void {
    if (this.backlog || this.seen) return;
    this.seen = true;
    this.markSynced();
  }

  dispose(): void {
    this.disposed = true;
    this.backlog = undefined;
    this.onDispose();
  }

  push(event: ObjectEvent): void {
    if (this.backlog) this.backlog.push(event);
    else this.call(event);
  }

  replay(objects: Iterable<StoredObject>): void {
    this.backlog = [];
    void this.replayAll(objects);
  }

  private async replayAll(objects: Iterable<StoredObject>): Promise<void> {
    // The caller has its registration in hand before the first event.
    await Promise.resolve();
    const pacer = this.options.makePacer();
    for (const object of objects) {
      this.call({ type: 'create', object, isInInitialList: true });
      if (pacer.due()) await pacer.pause();
    }
    for (;;) {
      const events = this.backlog;
      if (!events || events.length === 0) break;
      this.backlog = [];
      for (const event of events) {
        this.call(event);
        if (pacer.due()) await pacer.pause();
      }
    }
    this.backlog = undefined;
    if (!this.disposed) this.initialSeen();
  }

  private call(event: ObjectEvent): void {
    if (this.disposed) return;
    try {
      this.handler(event);
    } catch (error) {
      this.options.logger.error({ err: error }, 'an informer handler threw; the event is lost to it');
    }
  }
}
