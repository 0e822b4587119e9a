import { updateRecord, withProperty } from '@kubewright/metadata';
import { onProperty } from './place.js';

/** What the API server fills in when the property is absent; the property is no longer required then. */
export function Default(value: unknown): PropertyDecorator {
  return onProperty('@Default', (cls, name) => updateRecord(cls, withProperty(name, { default: { value } })));
}
