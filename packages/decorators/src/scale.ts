import { type ScaleOptions, updateRecord, withScale } from '@kubewright/metadata';
import { onClass } from './place.js';

/** Turns the scale subresource on, so that `kubectl scale` and autoscalers work on the resource. */
export function Scale(paths: ScaleOptions): ClassDecorator {
  return onClass('@Scale', (cls) => updateRecord(cls, withScale(paths)));
}
