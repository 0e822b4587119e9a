import { badFieldPath } from './errors.js';

const MEMBER = /^[A-Za-z_$][\w$-]*/;
const INDEX = /^\[(\d+)\]/;
const QUOTED = /^\[("(?:[^"\\]|\\.)*")\]/;

/** Parses `spec.a`, `metadata.annotations["x/y"]`, `spec.list[0]`; throws KW_PREDICATE_PATH for anything else. */
export function parseFieldPath(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  let rest = path;
  const take = (match: RegExpExecArray): void => {
    rest = rest.slice(match[0].length);
  };
  while (rest !== '') {
    const quoted = QUOTED.exec(rest);
    const index = INDEX.exec(rest);
    if (steps.length > 0 && quoted?.[1] !== undefined) {
      steps.push(JSON.parse(quoted[1]) as string);
      take(quoted);
      continue;
    }
    if (steps.length > 0 && index?.[1] !== undefined) {
      steps.push(Number(index[1]));
      take(index);
      continue;
    }
    const dot = steps.length > 0;
    const member = MEMBER.exec(dot && rest.startsWith('.') ? rest.slice(1) : rest);
    if (member === null || dot !== rest.startsWith('.')) throw badFieldPath(path, path.length - rest.length + 1);
    steps.push(member[0]);
    rest = rest.slice(member[0].length + (dot ? 1 : 0));
  }
  if (steps.length === 0) throw badFieldPath(path, 1);
  return steps;
}

/** The value at the path; undefined when any step is missing. */
export function fieldAt(object: unknown, steps: readonly (string | number)[]): unknown {
  let at = object;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
