import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import type { Evaluator, Macro, Scope } from '../engine-parts.js';

interface Call {
  args: ASTNode[];
  receiver: ASTNode;
  ast: ASTNode;
}

type Entry = readonly [key: unknown, value: unknown];

/** One run of a comprehension; `each` evaluates an argument for an entry. */
type Fold = (entries: Entry[], each: (argument: number, entry: Entry) => unknown, count: number) => unknown;

const isTrue = (value: unknown): boolean => {
  if (typeof value !== 'boolean') throw new Error('no such overload');
  return value;
};

const folds: Readonly<Record<string, { answers: string; counts: readonly number[]; fold: Fold }>> = {
  all: { answers: 'bool', counts: [1], fold: (entries, each) => entries.every((e) => isTrue(each(0, e))) },
  exists: { answers: 'bool', counts: [1], fold: (entries, each) => entries.some((e) => isTrue(each(0, e))) },
  existsOne: {
    answers: 'bool',
    counts: [1],
    fold: (entries, each) => entries.filter((e) => isTrue(each(0, e))).length === 1,
  },
  exists_one: {
    answers: 'bool',
    counts: [1],
    fold: (entries, each) => entries.filter((e) => isTrue(each(0, e))).length === 1,
  },
  transformList: {
    answers: 'list',
    counts: [1, 2],
    fold: (entries, each, count) => kept(entries, each, count).map((e) => each(count - 1, e)),
  },
  transformMap: {
    answers: 'map',
    counts: [1, 2],
    fold: (entries, each, count) =>
      Object.fromEntries(kept(entries, each, count).map((e) => [String(e[0]), each(count - 1, e)])),
  },
  transformMapEntry: {
    answers: 'map',
    counts: [1, 2],
    fold: (entries, each, count) =>
      Object.assign({}, ...kept(entries, each, count).map((e) => each(count - 1, e) as object)) as object,
  },
};

/** With two arguments the first is a filter. */
function kept(entries: Entry[], each: (argument: number, entry: Entry) => unknown, count: number): Entry[] {
  return count === 2 ? entries.filter((e) => isTrue(each(0, e))) : entries;
}

/** Comprehensions over index and item of a list, or key and value of a map. */
export function registerTwoVariables(env: Environment): void {
  for (const [name, { answers, counts, fold }] of Object.entries(folds)) {
    for (const count of counts) {
      const args = Array.from({ length: count + 2 }, () => 'ast').join(', ');
      for (const receiver of ['list', 'map']) {
        env.registerFunction(`${receiver}.${name}(${args}): ${answers}`, (call: Call) =>
          comprehension(call, answers, fold),
        );
      }
    }
  }
}

function comprehension({ args, receiver, ast }: Call, answers: string, fold: Fold): Macro & { ast: ASTNode } {
  const [first, second, ...rest] = args as [ASTNode, ASTNode, ...ASTNode[]];
  if (first.op !== 'id' || second.op !== 'id') throw new Error('argument must be a simple name');
  let [outer, inner]: Scope[] = [];
  return {
    ast,
    typeCheck(checker, _, context) {
      checker.check(receiver, context);
      const dyn = checker.getType('dyn');
      outer = context.forkWithVariable(first.args, dyn);
      inner = outer.forkWithVariable(second.args, dyn);
      for (const argument of rest) checker.check(argument, inner);
      return checker.getType(answers);
    },
    evaluate(evaluator: Evaluator, _, context) {
      const each = (argument: number, [key, value]: Entry): unknown => {
        const around = (outer as Scope).reuse(context).setIterValue(key, evaluator);
        const scope = (inner as Scope).reuse(around).setIterValue(value, evaluator);
        return evaluator.run(rest[argument] as ASTNode, scope);
      };
      return fold(entriesOf(evaluator.run(receiver, context)), each, rest.length);
    },
  };
}

function entriesOf(value: unknown): Entry[] {
  if (Array.isArray(value)) return value.map((item: unknown, i) => [BigInt(i), item] as const);
  if (typeof value !== 'object' || value === null) throw new Error('no such overload');
  return Object.entries(value);
}
