import { isClass } from './class-type.js';
import { dependenciesOf } from './dependencies.js';
import type { FaultList } from './fault-list.js';

/** Where a predicate or handler was listed. */
export interface PartPlace {
  /** `@For(Thing) predicates`. */
  readonly place: string;
  /** `a predicate`. */
  readonly what: string;
  readonly property?: string | undefined;
}

const EVENTS = ['create', 'update', 'delete', 'generic'];

/** A predicate or handler must be an instance with at least one event method, or a class whose instances have one. */
export function checkPart(part: unknown, { place, what, property }: PartPlace, list: FaultList): void {
  if (part === undefined) {
    const fix = 'import it from a file that does not import this one';
    list.add('KW_META_PART', { found: `${place} is undefined (circular import?)`, expected: what, fix }, property);
    return;
  }
  const carrier: unknown = isClass(part) ? part.prototype : part;
  const handles = typeof carrier === 'object' && carrier !== null && EVENTS.some((event) => event in carrier);
  if (!handles) {
    const name = typeof part === 'function' ? part.name || 'a function' : typeof part;
    const found = `${place} got ${name}, which has none of ${EVENTS.join(', ')}`;
    const fix = `write one of the four methods, or call the factory: ${name}()`;
    list.add('KW_META_PART', { found, expected: what, fix }, property);
  }
  if (!isClass(part)) return;
  for (const { code, found, expected, fix } of dependenciesOf(part).faults)
    list.add(code, { found: `${place} class ${part.name}: ${found}`, expected, fix }, property);
}
