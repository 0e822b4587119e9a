import type { ASTNode } from '@marcbachmann/cel-js';
import type { Macro } from './engine-parts.js';

/**
 * The engine takes only `has(a.b.c)`; the language also allows `has(a[0].b)` and `has(f(x).b)`. Gives such a call a macro that
 * does.
 */
export function allowAnyHas(call: ASTNode): void {
  const [target] = (call.args as unknown as [string, ASTNode[]])[1];
  if (!target || target.op !== '.' || isPlain(target)) return;
  const macro = (call as unknown as { meta: { macro?: Macro } }).meta.macro;
  if (!macro) return;
  const [holder, name] = target.args;
  macro.typeCheck = (checker, _, context) => {
    checker.check(holder, context);
    return checker.getType('bool');
  };
  macro.evaluate = (evaluator, _, context) => {
    const value = evaluator.run(holder, context);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  };
}

function isPlain(node: ASTNode): boolean {
  if (node.op === 'id') return true;
  return (node.op === '.' || node.op === '.?') && isPlain(node.args[0]);
}
