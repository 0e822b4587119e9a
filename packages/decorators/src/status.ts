import { type Thunk, updateRecord, withProperty } from '@kubewright/metadata';
import { onProperty } from './place.js';

/** The status of a resource: optional, and a subresource of its own unless `subresource` is false. */
export function Status(type: Thunk<unknown>, options: { readonly subresource?: boolean } = {}): PropertyDecorator {
  const status = { subresource: options.subresource ?? true };
  return onProperty('@Status', (cls, name) => updateRecord(cls, withProperty(name, { type, optional: true, status })));
}
