import type { ASTNode } from '@marcbachmann/cel-js';

/** The parts of the engine that macros work with; they are not in its types. */
interface Checker {
  check(node: ASTNode, context: unknown): unknown;
  getType(name: string): unknown;
}

/** Variables in scope; `reuse` ties the scope of the check to that of a run. */
export interface Scope {
  forkWithVariable(name: string, type: unknown): Scope;
  reuse(parent: unknown): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}

export interface Evaluator {
  run(node: ASTNode, context: unknown): unknown;
}

/** What a macro's handler answers. */
export interface Macro {
  typeCheck(checker: Checker, macro: Macro, context: Scope): unknown;
  evaluate(evaluator: Evaluator, macro: Macro, context: unknown): unknown;
}
