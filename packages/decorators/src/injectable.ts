import { updateRecord, withInjectable } from '@kubewright/metadata';
import { onClass } from './place.js';

/**
 * Makes the compiler write down the constructor types of a service of yours, so that they are injected too. A class with
 * it needs no binding: it is made once per operator when first asked for.
 */
export function Injectable(): ClassDecorator {
  return onClass('@Injectable', (cls) => updateRecord(cls, withInjectable()));
}
