import type { Environment } from '@marcbachmann/cel-js';
import { celEqual } from './equal.js';

type Comparable = number | bigint | string | boolean | Date;

const valueOf = (value: Comparable): number | bigint | string =>
  value instanceof Date
    ? value.getTime()
    : Number.isInteger(value) || typeof value !== 'boolean'
      ? (value as number)
      : Number(value);
const less = (a: Comparable, b: Comparable): boolean => valueOf(a) < valueOf(b);

/** List functions of Kubernetes: isSorted, sum, min, max, indexOf, lastIndexOf. */
export function registerLists(env: Environment): void {
  env.registerFunction('list<dyn>.isSorted(): bool', (list: Comparable[]) =>
    list.every((v, i) => i === 0 || !less(v, list[i - 1] as Comparable)),
  );
  env.registerFunction('list<dyn>.sum(): dyn', (list: (number | bigint)[]) => {
    if (list.length === 0) return 0n;
    return list.reduce((sum, v) =>
      typeof sum === 'bigint' && typeof v === 'bigint' ? sum + v : Number(sum) + Number(v),
    );
  });
  env.registerFunction('list<dyn>.min(): dyn', (list: Comparable[]) => extreme(list, 'min', less));
  env.registerFunction('list<dyn>.max(): dyn', (list: Comparable[]) => extreme(list, 'max', (a, b) => less(b, a)));
  env.registerFunction('list<dyn>.indexOf(dyn): int', (list: unknown[], value: unknown) =>
    BigInt(list.findIndex((v) => celEqual(v, value))),
  );
  env.registerFunction('list<dyn>.lastIndexOf(dyn): int', (list: unknown[], value: unknown) =>
    BigInt(list.findLastIndex((v) => celEqual(v, value))),
  );
}

function extreme(list: Comparable[], name: string, before: (a: Comparable, b: Comparable) => boolean): Comparable {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, v) => (before(v, best) ? v : best));
}
