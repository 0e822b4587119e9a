import type { KindRef, KubernetesObject } from '@kubewright/api';
import {
  type EventChannel,
  refName,
  type Thunk,
  updateRecord,
  type WatchesOptions,
  withSource,
} from '@kubewright/metadata';
import { misplaced, placeOf } from './place.js';
import type { ChannelOptions, WatchesDecorator } from './watches-decorator.js';

type Watched<T> = KindRef<T> | Thunk<KindRef<T>>;

/** Watches a kind that is neither reconciled nor owned, or a channel of events from outside the cluster. */
export function Watches<T>(kind: Watched<T>, options?: WatchesOptions<T>): WatchesDecorator<T>;
/** Without handler and on a class, the key of each pushed object or request is enqueued. */
export function Watches(channel: EventChannel, options?: ChannelOptions): WatchesDecorator<KubernetesObject>;
export function Watches<T>(kind: Watched<T> | EventChannel, options: WatchesOptions<T> = {}): WatchesDecorator<T> {
  const apply = (target: object, name?: string | symbol, third?: unknown): void => {
    const place = placeOf(target, name, third);
    const record = { role: 'Watches', kind, options: options as WatchesOptions } as const;
    if (place.kind === 'class') updateRecord(place.cls, withSource(record));
    else if (place.kind === 'method') updateRecord(place.cls, withSource({ ...record, method: place.name }));
    else
      misplaced(place, `@Watches(${refName(kind)})`, {
        expected: 'a method returning Request[]',
        fix: `write ${place.name}(${argumentName(kind)}) { … }`,
      });
  };
  return apply as WatchesDecorator<T>;
}

/** `V1Node` → `node`. */
const argumentName = (kind: unknown): string =>
  refName(kind)
    .replace(/^V\d+(?:(?:alpha|beta)\d+)?/, '')
    .toLowerCase() || 'object';
