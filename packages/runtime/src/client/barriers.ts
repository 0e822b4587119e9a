import { type Clock, gvkKey, type KindInfo } from '@kubewright/api';
import { cacheDefaults } from '../cache/defaults.js';
import { compareVersions, isOrderedVersion } from '../cache/resource-version.js';
import type { Stream } from '../cache/stream.js';

interface Barrier {
  readonly until: number;
  /** Version of a live list made after the time was over; the stream has to reach it. */
  version: Promise<string> | undefined;
}

/**
 * Keeps reads of a kind and namespace live after a write of unknown outcome: for 60 s, since the server may still be at
 * work, then until the stream has caught up with a live list (L44).
 */
export class Barriers {
  private readonly all = new Map<string, Barrier>();

  constructor(
    private readonly clock: Clock,
    /** resourceVersion of a live list of one object. */
    private readonly liveVersion: (kind: KindInfo, namespace: string | undefined) => Promise<string>,
  ) {}

  raise(kind: KindInfo, namespace: string | undefined): void {
    const until = this.clock.monotonic() + cacheDefaults.barrier;
    this.all.set(keyOf(kind, namespace), { until, version: undefined });
  }

  /** A read of all namespaces meets the barrier of each. */
  async isUp(kind: KindInfo, namespace: string | undefined, stream: Stream | undefined): Promise<boolean> {
    if (this.all.size === 0) return false;
    if (namespace !== undefined) return this.isUpFor(keyOf(kind, namespace), kind, namespace, stream);
    let up = false;
    for (const key of this.all.keys())
      if (key.startsWith(`${gvkKey(kind)}|`)) up = (await this.isUpFor(key, kind, namespace, stream)) || up;
    return up;
  }

  private async isUpFor(
    key: string,
    kind: KindInfo,
    namespace: string | undefined,
    stream: Stream | undefined,
  ): Promise<boolean> {
    const barrier = this.all.get(key);
    if (!barrier) return false;
    if (this.clock.monotonic() < barrier.until) return true;
    barrier.version ??= this.liveVersion(kind, namespace);
    let version: string;
    try {
      version = await barrier.version;
    } catch {
      // The server does not answer; the next read asks again.
      barrier.version = undefined;
      return true;
    }
    if (stream && isOrderedVersion(version) && compareVersions(stream.store.version, version) < 0) return true;
    if (this.all.get(key) === barrier) this.all.delete(key);
    return false;
  }
}

const keyOf = (kind: KindInfo, namespace: string | undefined): string => `${gvkKey(kind)}|${namespace ?? ''}`;
