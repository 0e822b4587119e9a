import type { Schema } from '../core/types.js';
import { Rule } from './rule.js';

/** The part of a schema that has rules: branches without any are left out. */
export interface RuleTree {
  readonly schema: Schema;
  readonly rules: readonly Rule[];
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additional: RuleTree | undefined;
  readonly items: RuleTree | undefined;
}

/** Whether a schema has rules anywhere. */
export function hasRules(schema: Schema): boolean {
  if (schema['x-kubernetes-validations']?.length) return true;
  const { properties, items, additionalProperties: rest } = schema;
  if (items && hasRules(items)) return true;
  if (typeof rest === 'object' && hasRules(rest)) return true;
  return properties !== undefined && Object.values(properties).some(hasRules);
}

/** Compiles all rules of a schema; undefined when it has none. Throws CompileError. */
export function ruleTree(schema: Schema): RuleTree | undefined {
  if (!hasRules(schema)) return undefined;
  const properties = new Map<string, RuleTree>();
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const tree = ruleTree(child);
    if (tree) properties.set(name, tree);
  }
  const rest = schema.additionalProperties;
  return {
    schema,
    rules: (schema['x-kubernetes-validations'] ?? []).map((rule) => new Rule(rule)),
    properties,
    additional: typeof rest === 'object' ? ruleTree(rest) : undefined,
    items: schema.items ? ruleTree(schema.items) : undefined,
  };
}
