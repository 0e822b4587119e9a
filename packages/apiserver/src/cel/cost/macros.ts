import type { ASTNode } from '@marcbachmann/cel-js';
import { sizeOf, type Entries, type Part } from './calls.js';
import { types, type Declared } from './declared.js';
import { nothing, type Scope } from './scope.js';
import { eitherSize, exactly, plus, times } from './size.js';

interface Walker {
  part(node: ASTNode, scope: Scope): Part;
  sized(part: Part): Part;
}

interface Macro {
  readonly name: string;
  readonly range: Part;
  readonly args: readonly ASTNode[];
  readonly scope: Scope;
}

const listCost = 10;
const mapCost = 30;

/** What a step costs beside its body, per item; and what the loop costs once. */
const loops: Readonly<Record<string, { step: number; once: number }>> = {
  // Each step asks whether the answer is known already and joins its own.
  all: { step: 3, once: 1 },
  exists: { step: 4, once: 1 },
  exists_one: { step: 2, once: 2 },
  existsOne: { step: 2, once: 2 },
  // Each step makes a list of one item and adds it.
  map: { step: 12, once: listCost + 1 },
  filter: { step: 13, once: listCost + 1 },
  transformList: { step: 12, once: listCost + 1 },
  transformMap: { step: 3, once: mapCost + 1 },
  transformMapEntry: { step: 2, once: mapCost + 1 },
};

/** Macros that run a body for each item; undefined when the call is none. */
export function comprehension(walker: Walker, { name, range, args, scope }: Macro): Part | undefined {
  const loop = loops[name];
  const variables = variablesOf(name, args);
  if (!loop || variables.length === 0) return undefined;
  const inner = new Map(scope);
  if (variables.length === 2) {
    inner.set(variables[0] as string, iterated(range, 'key'));
    inner.set(variables[1] as string, iterated(range, 'value'));
  } else inner.set(variables[0] as string, iterated(range, isListLike(range) ? 'value' : 'key'));
  const bodies = args.slice(variables.length).map((body) => walker.part(body, inner));
  const count = sizeOf(range);
  // A filter adds the item itself.
  const item = name === 'filter' ? walker.part(args[0] as ASTNode, inner) : bodies.at(-1);
  const step = bodies.reduce((sum, { cost }) => plus(sum, cost), loop.step);
  const cost = plus(range.cost, plus(loop.once, times(count.max, step)));
  if (!item || !['map', 'filter', 'transformList', 'transformMap', 'transformMapEntry'].includes(name))
    return { ...nothing, cost, type: types.bool, size: exactly(1) };
  const isList = !name.startsWith('transformMap');
  const type: Declared = { kind: isList ? 'list' : 'map', maxElements: 0, minBytes: 2, element: item.type };
  const entries: Entries | undefined = isList
    ? { list: true, key: exactly(1), value: eitherSize(exactly(0), sizeOf(item)) }
    : undefined;
  return { ...nothing, cost, type, size: count, entries };
}

/** One variable, or two; the second argument of `map` and `filter` is never one. */
function variablesOf(name: string, args: readonly ASTNode[]): string[] {
  const [first, second, third] = args;
  if (first?.op !== 'id' || !second) return [];
  const two = third && second.op === 'id' && name !== 'map' && name !== 'filter';
  return two ? [first.args, second.args] : [first.args];
}

const isListLike = (range: Part): boolean => (range.entries ? range.entries.list : range.type.kind === 'list');

/** The variable of a loop. Of a list that the expression made the path has only the step into it. */
function iterated(range: Part, what: 'key' | 'value'): Part {
  const list = isListLike(range);
  const step = what === 'key' ? (list ? '@indices' : '@keys') : list ? '@items' : '@values';
  const key = list ? types.int : types.string;
  return {
    ...nothing,
    type: what === 'key' ? key : (range.type.element ?? types.dyn),
    path: [...range.path, step],
    size: what === 'key' ? range.entries?.key : range.entries?.value,
  };
}

/** `cel.bind`: the value is computed once. */
export function boundMacro(walker: Walker, [name, value, body]: readonly ASTNode[], scope: Scope): Part {
  if (name?.op !== 'id' || !value || !body) return nothing;
  const bound = walker.part(value, scope);
  const result = walker.part(body, new Map(scope).set(name.args, bound));
  return { ...result, path: [], cost: plus(listCost, plus(bound.cost, result.cost)) };
}

/** `optMap` and `optFlatMap` bind the value where there is one; undefined when the call is neither. */
export function optionalMacro(walker: Walker, { name, range, args, scope }: Macro): Part | undefined {
  const [variable, body] = args;
  if ((name !== 'optMap' && name !== 'optFlatMap') || variable?.op !== 'id' || !body) return undefined;
  const result = walker.part(body, new Map(scope).set(variable.args, nothing));
  const asked = plus(1, range.cost);
  const wrapped = name === 'optMap' ? 1 : 0;
  const taken = plus(plus(listCost + wrapped, asked), result.cost);
  return { ...nothing, cost: plus(asked, Math.max(taken, 1)) };
}
