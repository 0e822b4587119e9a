import { type Thunk, updateRecord, withProperty } from '@kubewright/metadata';
import { onProperty } from './place.js';

/** The property holds an object of that class, or with `each` a list of them. */
export function Nested(type: Thunk<unknown>, options: { readonly each?: boolean } = {}): PropertyDecorator {
  return onProperty('@Nested', (cls, name) =>
    updateRecord(cls, withProperty(name, { type, each: options.each ?? false })),
  );
}
