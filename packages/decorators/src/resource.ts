import { type ResourceOptions, updateRecord, withResource } from '@kubewright/metadata';
import { onClass } from './place.js';

/** Makes a class the description of a custom resource: group, version, kind and names. */
export function Resource(options: ResourceOptions): ClassDecorator {
  return onClass('@Resource', (cls) => updateRecord(cls, withResource(options)));
}
