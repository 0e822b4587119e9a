import type { KindRef } from '@kubewright/api';
import { type SourceOptions, type Thunk, updateRecord, withSource } from '@kubewright/metadata';
import { onClass } from './place.js';

/** The kind a controller reconciles: each object's own key is enqueued. Exactly one per controller. */
export function For<T>(kind: KindRef<T> | Thunk<KindRef<T>>, options: SourceOptions<T> = {}): ClassDecorator {
  return onClass('@For', (cls) =>
    updateRecord(cls, withSource({ role: 'For', kind, options: options as SourceOptions })),
  );
}
