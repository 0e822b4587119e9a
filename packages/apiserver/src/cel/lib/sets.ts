import type { Environment } from '@marcbachmann/cel-js';
import { celEqual } from './equal.js';

/** `sets.contains`, `sets.equivalent`, `sets.intersects`. */
export function registerSets(env: Environment): void {
  class Sets {}
  env.registerType('kubernetes.Sets', Sets);
  env.registerConstant('sets', 'kubernetes.Sets', new Sets());
  const has = (list: unknown[], value: unknown): boolean => list.some((v) => celEqual(v, value));
  const contains = (a: unknown[], b: unknown[]): boolean => b.every((v) => has(a, v));
  env.registerFunction('kubernetes.Sets.contains(list<dyn>, list<dyn>): bool', (_: Sets, a: unknown[], b: unknown[]) =>
    contains(a, b),
  );
  env.registerFunction(
    'kubernetes.Sets.equivalent(list<dyn>, list<dyn>): bool',
    (_: Sets, a: unknown[], b: unknown[]) => contains(a, b) && contains(b, a),
  );
  env.registerFunction(
    'kubernetes.Sets.intersects(list<dyn>, list<dyn>): bool',
    (_: Sets, a: unknown[], b: unknown[]) => a.some((v) => has(b, v)),
  );
}
