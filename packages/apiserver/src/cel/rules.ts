import { invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, Schema, ValidationRule } from '../core/types.js';
import { compileExpression, CompileError, type Expression, type Typing } from './compile.js';
import { cardinalityBelow, costOfAll, CostTotal } from './cost/budget.js';
import { declaredBy } from './cost/declared.js';
import { runRules } from './runner.js';
import { hasRules, ruleTree, type RuleTree } from './tree.js';

/** Rules of a schema, compiled when they are first run. */
export interface RuleRunner {
  /** Errors of failed rules; warnings are of rules that fail on parts that did not change. */
  run(object: KubeObject, old: KubeObject | undefined): { errors: FieldError[]; warnings: string[] };
}

/** The rules of a schema; undefined when it has none, and then the engine is not even loaded. */
export function compileRules(root: Schema): RuleRunner | undefined {
  if (!hasRules(root)) return undefined;
  let tree: RuleTree | undefined;
  return {
    run(object, old) {
      tree ??= ruleTree(root) as RuleTree;
      return runRules(tree, object, old);
    },
  };
}

/**
 * Rules that cannot be compiled or may cost too much, on their paths (CR-7, CE-4, DE-7). `stored`: the schema is as it was
 * before, and then a single rule may cost what it does.
 */
export function checkRules(schema: Schema, path: string, stored = false): FieldError[] {
  const errors: FieldError[] = [];
  const total = new CostTotal(stored);
  visit(schema, { path, errors, total, correlatable: undefined, cardinality: 1 }, true);
  return [...errors, ...total.errors(path)];
}

interface At {
  readonly path: string;
  readonly errors: FieldError[];
  readonly total: CostTotal;
  /** The part of the schema around this one whose old items cannot be told apart. */
  readonly correlatable: string | undefined;
  /** How many values there may be here; undefined when nothing around it is bounded. */
  readonly cardinality: number | undefined;
}

function visit(schema: Schema, at: At, isRoot = false): void {
  const { path } = at;
  const { properties, items, additionalProperties: rest } = schema;
  const cardinality = cardinalityBelow(schema, at.cardinality);
  const atomicMap = schema['x-kubernetes-map-type'] === 'atomic' ? (at.correlatable ?? path) : at.correlatable;
  for (const [name, child] of Object.entries(properties ?? {}))
    visit(child, { ...at, path: `${path}.properties[${name}]`, correlatable: atomicMap, cardinality });
  if (typeof rest === 'object') visit(rest, { ...at, path: `${path}.additionalProperties`, cardinality });
  const unkeyed = schema['x-kubernetes-list-type'] === 'map' ? at.correlatable : (at.correlatable ?? path);
  if (items) visit(items, { ...at, path: `${path}.items`, correlatable: unkeyed, cardinality });
  const rules = schema['x-kubernetes-validations'] ?? [];
  const bounds = rules.length > 0 ? declaredBy(schema, isRoot) : undefined;
  rules.forEach((rule, i) => {
    const typing = { self: schema, resource: isRoot, bounds, optionalOldSelf: rule.optionalOldSelf === true };
    checkRule(rule, { ...at, path: `${path}.x-kubernetes-validations[${i}]` }, typing);
  });
}

function checkRule(rule: ValidationRule, { path, errors, total, correlatable, cardinality }: At, typing: Typing): void {
  const tryCompile = (text: string, field: string, type: string): Expression | undefined => {
    try {
      const expression = compileExpression(text, typing);
      if (expression.type === undefined || expression.type === type) return expression;
      const why = type === 'bool' ? 'must evaluate to a bool' : 'messageExpression must evaluate to a string';
      errors.push(invalidValue(`${path}.${field}`, goRule(rule), type === 'bool' ? `compilation failed: ${why}` : why));
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      errors.push(invalidValue(`${path}.${field}`, goRule(rule), error.message));
    }
    return undefined;
  };
  const count = (field: string, cost: number, what: string): void => {
    const error = total.add(`${path}.${field}`, cost, what);
    if (error) errors.push(error);
  };
  const expression = tryCompile(rule.rule, 'rule', 'bool');
  if (expression)
    count('rule', costOfAll(expression.maxCost, cardinality, typing.bounds?.minBytes ?? 0), 'estimated rule cost');
  const message = rule.messageExpression
    ? tryCompile(rule.messageExpression, 'messageExpression', 'string')
    : undefined;
  if (expression && message) count('messageExpression', message.maxCost, 'estimated messageExpression cost');
  if (!expression) return;
  if (expression.usesOldSelf && correlatable !== undefined) {
    errors.push(
      invalidValue(
        `${path}.rule`,
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${correlatable}`,
      ),
    );
  }
  if (!expression.usesOldSelf && rule.optionalOldSelf !== undefined) {
    errors.push(
      invalidValue(`${path}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
    );
  }
}

/** A rule in the form texts show it (CR-8). */
function goRule(rule: ValidationRule): unknown {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
