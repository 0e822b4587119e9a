import type { Clock, TimerHandle } from '@kubewright/api';
import { listAll, type ReadPage } from './paged-list.js';
import { compareVersions, isOrderedVersion } from './resource-version.js';
import type { StoredEntry } from './store.js';

export interface VerifierOptions {
  readonly clock: Clock;
  /** Ms between two checks. */
  readonly every: number;
  readonly read: ReadPage;
  readonly pageSize: number;
  /** What the stream has said, own writes left out. */
  readonly entries: () => Iterable<StoredEntry>;
  /** S of the stream. */
  readonly version: () => string;
  /** Told of each check that was made, with the keys that differ. */
  readonly onResult: (differences: readonly string[]) => void;
}

/**
 * Lists a kind now and then beside its watch and compares with the store (R36). What the stream touches meanwhile does not
 * count, and nothing is compared before the stream has reached the version of the list.
 */
export class Verifier {
  private timer: TimerHandle | undefined;
  private stopped = false;
  /** Keys that changed since the list began; undefined while none is under way. */
  private touched: Set<string> | undefined;
  private listed: { readonly version: string; readonly objects: ReadonlyMap<string, string> } | undefined;

  constructor(private readonly options: VerifierOptions) {}

  start(): void {
    if (this.stopped || this.timer) return;
    this.timer = this.options.clock.setTimeout(() => void this.list(), this.options.every);
  }

  stop(): void {
    this.stopped = true;
    this.rest();
    if (this.timer) this.options.clock.clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The stream said something of this object. */
  touch({
    metadata: { namespace, name },
  }: {
    readonly metadata: { readonly namespace?: string | undefined; readonly name: string };
  }): void {
    this.touched?.add(`${namespace ?? ''}/${name}`);
  }

  /** The store was replaced; a check that is under way means nothing. */
  swapped(): void {
    if (this.touched === undefined) return this.start();
    this.rest();
    this.again();
  }

  /** The stream has moved on. */
  advanced(): void {
    const { listed } = this;
    if (!listed || compareVersions(this.options.version(), listed.version) < 0) return;
    const differences = this.compare(listed.objects);
    this.rest();
    this.options.onResult(differences);
    this.again();
  }

  private async list(): Promise<void> {
    this.touched = new Set();
    const objects = new Map<string, string>();
    try {
      const version = await listAll(this.options.read, this.options.pageSize, {
        begin: () => objects.clear(),
        page: async (items) => {
          for (const { metadata } of items) objects.set(`${metadata.namespace ?? ''}/${metadata.name}`, idOf(metadata));
          await this.options.clock.yield();
          return !this.stopped;
        },
      });
      if (this.touched === undefined || this.stopped) return;
      if (!isOrderedVersion(version)) return this.rest();
      this.listed = { version, objects };
      this.advanced();
    } catch {
      // The server is away; the watch says so itself, and the next check is as good.
      if (this.stopped) return;
      this.rest();
      this.again();
    }
  }

  private compare(listed: ReadonlyMap<string, string>): string[] {
    const differences: string[] = [];
    const seen = new Set<string>();
    for (const { metadata } of this.options.entries()) {
      const key = `${metadata.namespace ?? ''}/${metadata.name}`;
      seen.add(key);
      if (listed.get(key) !== idOf(metadata) && !this.touched?.has(key)) differences.push(key);
    }
    for (const key of listed.keys()) if (!seen.has(key) && !this.touched?.has(key)) differences.push(key);
    return differences;
  }

  private rest(): void {
    this.touched = undefined;
    this.listed = undefined;
  }

  private again(): void {
    this.timer = undefined;
    this.start();
  }
}

const idOf = ({ uid, resourceVersion }: StoredEntry['metadata']): string => `${uid}@${resourceVersion}`;
