import { type PredicateRef, updateRecord, withInjectable, withPredicates } from '@kubewright/metadata';
import { onClass } from './place.js';

/**
 * `@Predicate(…)` on a controller filters the events of all its sources; `@Predicate()` makes a class of predicates
 * injectable, to be named where predicates are listed.
 */
export function Predicate(...predicates: readonly PredicateRef<never>[]): ClassDecorator {
  return onClass('@Predicate', (cls) =>
    updateRecord(cls, predicates.length === 0 ? withInjectable() : withPredicates(predicates)),
  );
}
