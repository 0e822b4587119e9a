import type { EventHandler, EventPredicate, Reconciler } from '@kubewright/api';
import {
  type Class,
  type ControllerDefinition,
  type Fault,
  type HandlerRef,
  isClass,
  type PredicateRef,
} from '@kubewright/metadata';
import type { OperatorContainer } from './container.js';

/** The user's objects behind one controller definition. */
export interface Instances {
  readonly reconciler: Reconciler;
  /** Of the controller, in order. */
  readonly predicates: readonly EventPredicate[];
  /** Of each source, by its place in the definition. */
  readonly sources: readonly { readonly predicates: readonly EventPredicate[]; readonly handler?: EventHandler }[];
}

/** Makes every class of the definitions known to the container. Nothing is constructed. */
export function bindClasses(definitions: readonly ControllerDefinition[], container: OperatorContainer): void {
  for (const { cls, predicates, sources } of definitions) {
    const parts = [
      ...predicates,
      ...sources.flatMap(({ options }) => [...(options.predicates ?? []), options.handler]),
    ];
    for (const part of [cls, ...parts]) if (isClass(part)) container.bindClass(part);
  }
}

/** Constructs what one controller needs; a constructor that throws is one more fault. */
export function instantiate(
  definition: ControllerDefinition,
  container: OperatorContainer,
  faults: Fault[],
): Instances {
  const make = <T>(part: T | Class<T>): T => {
    if (!isClass(part)) return part;
    try {
      return container.get<T>(part as never);
    } catch (error) {
      faults.push(notConstructed(part, error));
      return {} as T;
    }
  };
  const predicates = (refs: readonly PredicateRef<never>[] = []): EventPredicate[] =>
    refs.map((ref) => make<EventPredicate>(ref as PredicateRef));
  return {
    reconciler: make<Reconciler>(definition.cls as Class<Reconciler>),
    predicates: predicates(definition.predicates),
    sources: definition.sources.map(({ options }) => ({
      predicates: predicates(options.predicates),
      ...(options.handler !== undefined && { handler: make<EventHandler>(options.handler as HandlerRef) }),
    })),
  };
}

const notConstructed = (cls: Class, error: unknown): Fault => ({
  code: 'KW_DI_CONSTRUCTION',
  owner: cls.name,
  property: 'constructor',
  found: `could not be constructed: ${error instanceof Error ? error.message : String(error)}`,
  expected: 'a constructor that only stores what it is given',
  fix: 'move work such as connecting to the first reconcile, or into a binding of `bindings`',
});
