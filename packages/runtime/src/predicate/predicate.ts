import type {
  CreateEvent,
  DeleteEvent,
  EventPredicate,
  GenericEvent,
  KubernetesObject,
  ObjectEvent,
  UpdateEvent,
} from '@kubewright/api';

/**
 * Asks a predicate about an event; a method that is not there lets it pass (E2). Throws when the answer is a promise:
 * whoever asks decides what a broken predicate means (E6).
 */
export function passes<T>(predicate: EventPredicate<T>, event: ObjectEvent<T>): boolean {
  const answer: unknown = ask(predicate, event);
  if (typeof answer === 'object' && answer !== null && 'then' in answer)
    throw new TypeError(`the predicate answered a promise to a ${event.type} event; predicates are synchronous`);
  return Boolean(answer);
}

function ask<T>(predicate: EventPredicate<T>, event: ObjectEvent<T>): boolean {
  switch (event.type) {
    case 'create':
      return predicate.create?.(event) ?? predicate.create === undefined;
    case 'update':
      return predicate.update?.(event) ?? predicate.update === undefined;
    case 'delete':
      return predicate.delete?.(event) ?? predicate.delete === undefined;
    case 'generic':
      return predicate.generic?.(event) ?? predicate.generic === undefined;
  }
}

/** A predicate that can be combined; all built-in ones are (E4). */
export class Predicate<T = KubernetesObject> implements EventPredicate<T> {
  readonly #decide: (event: ObjectEvent<T>) => boolean;

  constructor(decide: (event: ObjectEvent<T>) => boolean) {
    this.#decide = decide;
  }

  create(event: CreateEvent<T>): boolean {
    return this.#decide(event);
  }

  update(event: UpdateEvent<T>): boolean {
    return this.#decide(event);
  }

  delete(event: DeleteEvent<T>): boolean {
    return this.#decide(event);
  }

  generic(event: GenericEvent<T>): boolean {
    return this.#decide(event);
  }

  /** Passes what both pass; the other is not asked when this one drops. */
  and(other: EventPredicate<T>): Predicate<T> {
    return allOf<T>(this, other);
  }

  /** Passes what one of them passes; the other is not asked when this one passes. */
  or(other: EventPredicate<T>): Predicate<T> {
    return anyOf<T>(this, other);
  }

  /** Passes what this one drops. */
  not(): Predicate<T> {
    return new Predicate((event) => !this.#decide(event));
  }
}

/** Passes what all pass, asked from left to right; with none, everything. */
export function allOf<T = KubernetesObject>(...predicates: readonly EventPredicate<T>[]): Predicate<T> {
  return new Predicate((event) => predicates.every((predicate) => passes(predicate, event)));
}

/** Passes what one of them passes, asked from left to right; with none, nothing. */
export function anyOf<T = KubernetesObject>(...predicates: readonly EventPredicate<T>[]): Predicate<T> {
  return new Predicate((event) => predicates.some((predicate) => passes(predicate, event)));
}

/** Passes what `predicate` drops; a method that is not there drops then. */
export function not<T = KubernetesObject>(predicate: EventPredicate<T>): Predicate<T> {
  return new Predicate((event) => !passes(predicate, event));
}
