import type { KindRef } from '@kubewright/api';
import { type OwnsOptions, type Thunk, updateRecord, withSource } from '@kubewright/metadata';
import { onClass } from './place.js';

/** A kind of children: their events enqueue the owner of the `@For` kind that their owner references name. */
export function Owns<T>(kind: KindRef<T> | Thunk<KindRef<T>>, options: OwnsOptions<T> = {}): ClassDecorator {
  return onClass('@Owns', (cls) =>
    updateRecord(cls, withSource({ role: 'Owns', kind, options: options as OwnsOptions })),
  );
}
