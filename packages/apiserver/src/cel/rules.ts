import { invalidValue } from '../core/errors.js';
import type { FieldError, KubeObject, Schema, ValidationRule } from '../core/types.js';
import { compileExpression, CompileError } from './compile.js';
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

/** Rules that cannot be compiled, on their paths (CR-7, DE-7). */
export function checkRules(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  visit(schema, { path, errors, correlatable: undefined }, true);
  return errors;
}

interface At {
  readonly path: string;
  readonly errors: FieldError[];
  /** The part of the schema around this one whose old items cannot be told apart. */
  readonly correlatable: string | undefined;
}

function visit(schema: Schema, at: At, isRoot = false): void {
  const { path } = at;
  const { properties, items, additionalProperties: rest } = schema;
  const atomicMap = schema['x-kubernetes-map-type'] === 'atomic' ? (at.correlatable ?? path) : at.correlatable;
  for (const [name, child] of Object.entries(properties ?? {}))
    visit(child, { ...at, path: `${path}.properties[${name}]`, correlatable: atomicMap });
  if (typeof rest === 'object') visit(rest, { ...at, path: `${path}.additionalProperties` });
  const unkeyed = schema['x-kubernetes-list-type'] === 'map' ? at.correlatable : (at.correlatable ?? path);
  if (items) visit(items, { ...at, path: `${path}.items`, correlatable: unkeyed });
  (schema['x-kubernetes-validations'] ?? []).forEach((rule, i) => {
    checkRule(rule, { ...at, path: `${path}.x-kubernetes-validations[${i}]` }, { self: schema, resource: isRoot });
  });
}

function checkRule(
  rule: ValidationRule,
  { path, errors, correlatable }: At,
  of: { self: Schema; resource: boolean },
): void {
  const typing = { ...of, optionalOldSelf: rule.optionalOldSelf === true };
  const tryCompile = (text: string, field: string, type: string): boolean | undefined => {
    try {
      const expression = compileExpression(text, typing);
      if (expression.type === undefined || expression.type === type) return expression.usesOldSelf;
      const why = type === 'bool' ? 'must evaluate to a bool' : 'messageExpression must evaluate to a string';
      errors.push(invalidValue(`${path}.${field}`, goRule(rule), type === 'bool' ? `compilation failed: ${why}` : why));
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      errors.push(invalidValue(`${path}.${field}`, goRule(rule), error.message));
    }
    return undefined;
  };
  const usesOldSelf = tryCompile(rule.rule, 'rule', 'bool');
  if (rule.messageExpression) tryCompile(rule.messageExpression, 'messageExpression', 'string');
  if (usesOldSelf === undefined) return;
  if (usesOldSelf && correlatable !== undefined) {
    errors.push(
      invalidValue(
        `${path}.rule`,
        rule.rule,
        `oldSelf cannot be used on the uncorrelatable portion of the schema within ${correlatable}`,
      ),
    );
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
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
