import { type ControllerSettings, updateRecord, withController } from '@kubewright/metadata';
import { onClass } from './place.js';

/** Makes a class a controller; its `reconcile` runs for the objects its sources name. */
export function Controller(settings: ControllerSettings = {}): ClassDecorator {
  return onClass('@Controller', (cls) => updateRecord(cls, withController(settings)));
}
