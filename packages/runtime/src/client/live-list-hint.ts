import { type Clock, gvkKey, type KindInfo, type Logger } from '@kubewright/api';
import { clientDefaults as defaults } from './defaults.js';

/** Tells once that a kind is listed from the server again and again though it could be watched. */
export class LiveListHint {
  private readonly counts = new Map<string, { since: number; lists: number; told: boolean }>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: () => Logger,
  ) {}

  note(kind: KindInfo): void {
    const now = this.clock.monotonic();
    const key = gvkKey(kind);
    let count = this.counts.get(key);
    if (!count || (!count.told && now - count.since > defaults.liveListWindow)) {
      count = { since: now, lists: 0, told: false };
      this.counts.set(key, count);
    }
    if (++count.lists < defaults.liveLists || count.told) return;
    count.told = true;
    this.logger().info(
      { kind: kind.kind, group: kind.group },
      `${kind.kind} was listed from the server ${defaults.liveLists} times within ten minutes; ` +
        'watch it (@Owns, @Watches or option cache.kinds) and lists come from memory',
    );
  }
}
