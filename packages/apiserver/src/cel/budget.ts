import type { ASTNode } from '@marcbachmann/cel-js';

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** How often the bodies of comprehensions may run in one evaluation of an expression (CE-4). */
const maxSteps = 1_000_000;

/** Counts the steps of an expression; over the limit the evaluation fails. */
export class Budget {
  #left: number = maxSteps;

  /** Called at the start of an evaluation. */
  reset(): void {
    this.#left = maxSteps;
  }

  /** Counts each run of a node. The engine replaces `evaluate` of a node on its first run, so the counter is put back. */
  count(node: ASTNode): void {
    const target = node as unknown as { evaluate: Evaluate };
    let actual = target.evaluate;
    const counted: Evaluate = (...args) => {
      if (this.#left-- <= 0) throw new Error(`operation cancelled: more than ${maxSteps} steps`);
      try {
        return actual.apply(target, args);
      } finally {
        if (target.evaluate !== counted) {
          actual = target.evaluate;
          target.evaluate = counted;
        }
      }
    };
    target.evaluate = counted;
  }
}
