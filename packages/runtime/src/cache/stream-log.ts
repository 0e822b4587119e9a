import type { Clock, Logger, StoredObject } from '@kubewright/api';
import { cacheDefaults as defaults } from './defaults.js';

/** What a stream logs: the first failure, then one line a minute with the count, and recovery (R32). */
export class StreamLog {
  private lastFailure = -Infinity;
  private quiet = 0;
  private readonly once = new Set<string>();
  private readonly spoiled = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly what: string,
  ) {}

  failed(err: Error, waitMs: number, failures: number): void {
    const now = this.clock.monotonic();
    if (failures > 1 && now - this.lastFailure < defaults.logInterval) {
      this.quiet++;
      return;
    }
    this.lastFailure = now;
    const fields = { err, failures, notLogged: this.quiet, nextTryMs: Math.round(waitMs) };
    this.quiet = 0;
    this.logger.warn(fields, `watching ${this.what} fails: ${err.message}`);
  }

  recovered(failures: number): void {
    this.quiet = 0;
    this.logger.info({ failures }, `watching ${this.what} works again`);
  }

  odd(what: string): void {
    if (this.first(what.replace(/\d+/g, '#'))) this.logger.warn(`watching ${this.what}: skipped a ${what}`);
  }

  nameless(): void {
    if (this.first('nameless'))
      this.logger.warn(`watching ${this.what}: dropped an object without name, uid or resourceVersion`);
  }

  wentBack(from: string, to: string): void {
    this.logger.warn(
      { from, to },
      `watching ${this.what}: the cluster's history went back; the list is taken as truth`,
    );
  }

  differs(keys: readonly string[]): void {
    this.logger.error(
      { keys: keys.slice(0, 10), count: keys.length },
      `watching ${this.what}: the store differs from what the server lists; please report this`,
    );
  }

  late(writes: number): void {
    this.logger.warn(
      { writes },
      `watching ${this.what}: the events of own writes have not come for a minute; reads show the answers of the writes`,
    );
  }

  malformed({ metadata }: StoredObject, err: unknown): void {
    const id = `${metadata.uid}/${metadata.resourceVersion}`;
    if (this.spoiled.has(id)) return;
    this.spoiled.add(id);
    for (const oldest of this.spoiled) {
      if (this.spoiled.size <= defaults.malformedRemembered) break;
      this.spoiled.delete(oldest);
    }
    const { namespace, name } = metadata;
    this.logger.warn(
      { err, namespace, name },
      `watching ${this.what}: a transform or index function failed for an object`,
    );
  }

  private first(what: string): boolean {
    if (this.once.has(what)) return false;
    this.once.add(what);
    return true;
  }
}
