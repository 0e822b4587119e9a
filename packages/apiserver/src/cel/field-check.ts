import type { ASTNode } from '@marcbachmann/cel-js';
import type { Schema } from '../core/types.js';
import { escapedName, resourceFields } from './values.js';

/** A select of a field that the schema does not have. */
interface UndefinedField {
  readonly name: string;
  readonly node: ASTNode;
}

type Scope = ReadonlyMap<string, Schema | undefined>;

/** What is known of an expression from the schema of its variables. */
export interface FieldCheck {
  readonly undefinedFields: readonly UndefinedField[];
  /** The schema of what it answers; undefined when that is not known. */
  readonly answers: Schema | undefined;
}

/**
 * Finds fields in a rule that the schema does not have. Types are followed through selects, indexes and comprehensions; where
 * they are lost, nothing is said.
 */
export function checkFields(
  ast: ASTNode,
  self: Schema,
  options: { resource: boolean; optionalOldSelf: boolean },
): FieldCheck {
  const root = options.resource ? { ...self, properties: { ...self.properties, ...resourceFields } } : self;
  const scope = new Map<string, Schema | undefined>([
    ['self', root],
    ['oldSelf', options.optionalOldSelf ? undefined : root],
  ]);
  const finder = new Finder();
  const answers = finder.type(ast, scope);
  return { undefinedFields: finder.found, answers };
}

const comprehensions = new Set(['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map']);
const withTwoVariables = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'transformList',
  'transformMap',
  'transformMapEntry',
]);

class Finder {
  readonly found: UndefinedField[] = [];

  /** The schema of what an expression answers, when it is known. */
  type(node: ASTNode, scope: Scope): Schema | undefined {
    switch (node.op) {
      case 'id':
        return scope.get(node.args);
      case '.':
      case '.?': {
        const holder = this.type(node.args[0], scope);
        const child = holder && this.#select(holder, node.args[1], node);
        return node.op === '.' ? child : undefined;
      }
      case '[]':
      case '[?]': {
        this.type(node.args[1], scope);
        const holder = this.type(node.args[0], scope);
        return node.op === '[]' ? elementOf(holder) : undefined;
      }
      case 'rcall':
        return this.#call(node, scope);
      default:
        for (const child of nodesIn(node.args)) this.type(child, scope);
        return undefined;
    }
  }

  #call(node: ASTNode & { op: 'rcall' }, scope: Scope): Schema | undefined {
    const [name, receiver, args] = node.args;
    const [first, ...rest] = args;
    if (name === 'bind' && first?.op === 'id' && rest.length === 2) {
      const value = this.type(rest[0] as ASTNode, scope);
      return this.type(rest[1] as ASTNode, new Map(scope).set(first.args, value));
    }
    const holder = this.type(receiver, scope);
    const [second, ...bodies] = rest;
    if (withTwoVariables.has(name) && first?.op === 'id' && second?.op === 'id' && bodies.length > 0) {
      const inner = new Map(scope).set(first.args, undefined).set(second.args, elementOf(holder));
      for (const body of bodies) this.type(body, inner);
      return undefined;
    }
    if (comprehensions.has(name) && first?.op === 'id' && rest.length > 0) {
      // The variable is an item of a list, or a key of a map.
      const inner = new Map(scope).set(first.args, holder?.items);
      for (const body of rest) this.type(body, inner);
      return name === 'filter' ? holder : undefined;
    }
    for (const arg of args) this.type(arg, scope);
    return undefined;
  }

  #select(holder: Schema, name: string, node: ASTNode): Schema | undefined {
    if (typeof holder.additionalProperties === 'object') return holder.additionalProperties;
    const properties = { ...holder.properties, ...(holder['x-kubernetes-embedded-resource'] ? resourceFields : {}) };
    for (const [property, child] of Object.entries(properties)) if (escapedName(property) === name) return child;
    // Without a type or members nothing is known of what may stand there.
    if (holder.type === 'object' && holder.additionalProperties !== true) this.found.push({ name, node });
    return undefined;
  }
}

function elementOf(holder: Schema | undefined): Schema | undefined {
  if (!holder) return undefined;
  return holder.items ?? (typeof holder.additionalProperties === 'object' ? holder.additionalProperties : undefined);
}

function nodesIn(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return typeof args === 'object' && args !== null && 'op' in args ? [args as ASTNode] : [];
}
