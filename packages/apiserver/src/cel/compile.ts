import type { ASTNode, ParseResult } from '@marcbachmann/cel-js';
import type { Schema } from '../core/types.js';
import { Budget } from './budget.js';
import type { Declared } from './cost/declared.js';
import { Estimator } from './cost/estimate.js';
import { celEngine } from './engine.js';
import { checkFields } from './field-check.js';
import { allowAnyHas } from './has.js';
import { matchesName } from './lib/regex.js';
import type { CelValue } from './values.js';

/** An expression ready to run. */
export interface Expression {
  readonly usesOldSelf: boolean;
  /** Of the answer; undefined when it is only known when the expression runs. */
  readonly type: string | undefined;
  /** The most it can cost (CE-4); 0 when the bounds of its variables are not given. */
  readonly maxCost: number;
  /** Throws when the evaluation fails; the message is that of the API. */
  run(variables: { self: CelValue; oldSelf: CelValue }): unknown;
}

/** Why an expression cannot be used. */
export class CompileError extends Error {}

/** What the variables of an expression are. */
export interface Typing {
  readonly self: Schema;
  /** The root of a resource, which sees its type and name. */
  readonly resource: boolean;
  readonly optionalOldSelf: boolean;
  /** Bounds of the variables, to estimate the cost. */
  readonly bounds?: Declared | undefined;
}

/** Calls whose arguments run once for each item. */
const comprehensions = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'filter',
  'map',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);

/** Parses and checks an expression; with `typing` also the fields it names. Throws CompileError. */
export function compileExpression(text: string, typing?: Typing): Expression {
  const environment = celEngine().rules(typing ? variableType(typing) : 'dyn');
  let parsed: ParseResult;
  try {
    parsed = environment.parse(text);
  } catch (error) {
    throw new CompileError(located(text, `Syntax error: ${firstLine(error)}`, error));
  }
  const found = { oldSelf: false, bodies: [] as ASTNode[] };
  visit(parsed.ast, (node) => {
    if (node.op === 'id' && node.args === 'oldSelf') found.oldSelf = true;
    // Regular expressions are those of RE2, not those of the engine.
    else if ((node.op === 'rcall' || node.op === 'call') && node.args[0] === 'matches')
      (node.args as unknown[])[0] = matchesName;
    else if (node.op === 'call' && node.args[0] === 'has') allowAnyHas(node);
    if (node.op === 'rcall' && comprehensions.has(node.args[0])) found.bodies.push(...node.args[2].slice(1));
  });
  const fields = typing && checkFields(parsed.ast, typing.self, typing);
  const unknown = fields?.undefinedFields[0];
  if (unknown) throw new CompileError(located(text, `undefined field '${unknown.name}'`, unknown));
  const maxCost = typing?.bounds ? new Estimator(typing.bounds).cost(parsed.ast, typing.optionalOldSelf) : 0;
  const checked = parsed.check();
  if (!checked.valid) throw new CompileError(compileMessage(text, checked.error));
  const budget = new Budget();
  for (const body of found.bodies) budget.count(body);
  return {
    usesOldSelf: found.oldSelf,
    maxCost,
    type: checked.type === 'dyn' ? celTypes[fields?.answers?.type ?? ''] : checked.type,
    run(variables) {
      budget.reset();
      try {
        return parsed(variables) as unknown;
      } catch (error) {
        throw new Error(runMessage(firstLine(error)));
      }
    },
  };
}

/** Scalars are checked by their type; of structures only the fields are, see `checkFields`. */
function variableType({ self, optionalOldSelf }: Typing): string {
  const plain = !optionalOldSelf && !self.nullable && self.format === undefined && !self['x-kubernetes-int-or-string'];
  const type = celTypes[self.type ?? ''];
  return plain && type && type !== 'map' && type !== 'list' ? type : 'dyn';
}

const celTypes: Readonly<Record<string, string>> = {
  boolean: 'bool',
  string: 'string',
  integer: 'int',
  number: 'double',
  object: 'map',
  array: 'list',
};

/** CR-7: what the engine lacks is named. */
function compileMessage(text: string, error: unknown): string {
  const message = firstLine(error);
  const missing = /^found no matching overload for '(?:[^'(]*\.)?([A-Za-z_][\w]*)\(/.exec(message);
  if (missing) return `not supported by the embedded server: ${missing[1] as string}`;
  return located(text, compilerWords(message), error);
}

/** Messages of the engine in the words of the API's compiler. */
function compilerWords(message: string): string {
  const unknown = /^Unknown variable: (.*)$/.exec(message);
  if (unknown) return `undeclared reference to '${unknown[1] as string}' (in container '')`;
  const overload = /^no such overload: (\S+) (\S+) (\S+)$/.exec(message);
  if (overload) {
    const [, left, operator, right] = overload as unknown as [string, string, string, string];
    return `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`;
  }
  const select = /^Cannot index type '(.*)'$/.exec(message);
  return select ? `type '${select[1] as string}' does not support field selection` : message;
}

/** A message with the place in the expression, as compilers show it. */
function located(text: string, message: string, error: unknown): string {
  const pos = placeOf(text, (error as { node?: ASTNode }).node);
  const before = text.slice(0, pos).split('\n');
  const column = (before.at(-1) as string).length;
  const line = text.split('\n')[before.length - 1] ?? '';
  return `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

/** A select stands at its dot, an operator at itself. */
function placeOf(text: string, node: ASTNode | undefined): number {
  if (!node) return 0;
  const args: unknown = node.args;
  const [left] = Array.isArray(args) ? (args as ASTNode[]) : [];
  if (node.op === '.' || node.op === '.?') return node.pos - 1;
  const found = typeof left === 'object' && 'end' in left ? text.indexOf(node.op, left.end) : -1;
  return found >= 0 ? found : node.pos;
}

function runMessage(message: string): string {
  const bounds = /^No such key: index out of bounds, index (\S+)/.exec(message);
  if (bounds) return `index out of bounds: ${bounds[1] as string}`;
  return message.replace(/^No such key: /, 'no such key: ').replace(/^no such overload:.*$/, 'no such overload');
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] as string;
}

function visit(node: unknown, see: (node: ASTNode) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, see);
    return;
  }
  if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) return;
  see(node as ASTNode);
  visit((node as ASTNode).args, see);
}
