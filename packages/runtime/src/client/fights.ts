import { type Clock, gvkKey, type Logger } from '@kubewright/api';
import { clientDefaults as defaults } from './defaults.js';
import type { Place } from './targets.js';

interface Writes {
  readonly paths: string;
  times: number[];
  told: boolean;
}

/** Tells when the same fields of an object are written again and again: somebody else writes them, too (L33). */
export class Fights {
  /** Warnings given. */
  warned = 0;
  private readonly byKey = new Map<string, Writes>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: () => Logger,
  ) {}

  /** A write that changed these paths. */
  note({ kind, key }: Pick<Place, 'kind' | 'key'>, changed: readonly string[]): void {
    const id = `${gvkKey(kind)}|${key}`;
    const paths = changed.toSorted().join(', ');
    const now = this.clock.monotonic();
    const known = this.byKey.get(id);
    const writes = known?.paths === paths ? known : { paths, times: [], told: false };
    writes.times = writes.times.filter((at) => now - at < defaults.fightWindow);
    writes.times.push(now);
    // Set anew, so that the key written longest ago is the first to go.
    this.byKey.delete(id);
    this.byKey.set(id, writes);
    if (this.byKey.size > defaults.fightsRemembered) this.byKey.delete(this.byKey.keys().next().value as string);
    if (writes.told || writes.times.length < defaults.fightWrites) return;
    writes.told = true;
    this.warned++;
    this.logger().warn(
      { kind: kind.kind, key, paths },
      `${kind.kind} ${key} was changed ${defaults.fightWrites} times within a minute at ${paths}: ` +
        'somebody else writes these fields, too, or the server stores another form of them',
    );
  }
}
