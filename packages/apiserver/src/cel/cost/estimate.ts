import type { ASTNode } from '@marcbachmann/cel-js';
import { matchesName } from '../lib/regex.js';
import { comparing, estimateCall, sizeOf, type Part } from './calls.js';
import { boundMacro, comprehension, optionalMacro } from './macros.js';
import { types, type Declared } from './declared.js';
import { eitherSize, exactly, plus, plusSize, share, unknownSize, type Size } from './size.js';
import { nothing, type Scope } from './scope.js';

const listCost = 10;
const mapCost = 30;
const scalars: ReadonlySet<Declared['kind']> = new Set(['bool', 'int', 'double', 'duration', 'timestamp']);

/** Functions called on a name that is no variable. */
const namespaces = new Set([
  'cel',
  'sets',
  'ip',
  'cidr',
  'format',
  'optional',
  'math',
  'lists',
  'strings',
  'jsonpatch',
]);

/**
 * Estimates the most an expression can cost from the bounds of its variables (CE-4), in the units and by the rules of the
 * real server: those decide which rules a definition may have.
 */
export class Estimator {
  readonly #root: Declared;

  constructor(root: Declared) {
    this.#root = root;
  }

  /** The most that `ast` can cost. */
  cost(ast: ASTNode, optionalOldSelf: boolean): number {
    const scope: Scope = new Map([
      ['self', { ...nothing, type: this.#root, path: ['self'] }],
      ['oldSelf', { ...nothing, type: optionalOldSelf ? types.dyn : this.#root, path: ['oldSelf'] }],
    ]);
    return this.part(ast, scope).cost;
  }

  /** A part with its size by its path, else by its type. */
  sized(part: Part): Part {
    const size = part.size ?? this.#pathSize(part.path) ?? (scalars.has(part.type.kind) ? exactly(1) : undefined);
    return size === part.size ? part : { ...part, size };
  }

  /** The size of a list's items as its schema bounds them. */
  readonly items = (list: Part): Size =>
    (list.path.length > 0 ? this.#pathSize([...list.path, '@items']) : undefined) ?? unknownSize;

  /** The first step names the variable, whichever it is. */
  #pathSize(path: readonly string[]): Size | undefined {
    if (path.length === 0) return undefined;
    let node: Declared | undefined = this.#root;
    for (const step of path.slice(1)) {
      if (step === '@items' || step === '@values') node = node.element;
      else if (step === '@keys') node = node.kind === 'map' ? types.string : undefined;
      else node = node.fields?.get(step);
      if (!node) return undefined;
    }
    return { min: 0, max: node.maxElements };
  }

  part(node: ASTNode, scope: Scope): Part {
    switch (node.op) {
      case 'value':
        return literal(node.args);
      case 'id':
        return this.#variable(node.args, scope);
      case '.':
        return this.#select(this.part(node.args[0], scope), node.args[1]);
      case '[?]':
      case '.?':
        return this.#optional(node.args.map((arg) => (typeof arg === 'string' ? nothing : this.part(arg, scope))));
      case '[]':
        return this.#index(this.part(node.args[0], scope), this.part(node.args[1], scope));
      case 'list':
        return this.#list(node.args.map((item) => this.part(item, scope)));
      case 'map':
        return this.#map(node.args.map(([key, value]) => [this.part(key, scope), this.part(value, scope)]));
      case 'call':
        return this.#call(node.args[0], undefined, node.args[1], scope);
      case 'rcall':
        return this.#method(node.args, scope);
      case '?:':
        return this.#choice(node.args.map((arg) => this.part(arg, scope)) as [Part, Part, Part]);
      case '-_':
        // A negative number is one token of the language.
        if (node.args.op === 'value') return literal(node.args.args);
        return this.#operator(node.op, [this.part(node.args, scope)]);
      case '!_':
        return this.#operator(node.op, [this.part(node.args, scope)]);
      default:
        return this.#operator(
          node.op,
          node.args.map((arg) => this.part(arg, scope)),
        );
    }
  }

  #optional(parts: readonly Part[]): Part {
    return { ...nothing, cost: parts.reduce((sum, { cost }) => plus(sum, cost), 1) };
  }

  #variable(name: string, scope: Scope): Part {
    const found = scope.get(name);
    if (!found) return this.sized({ ...nothing, cost: 1, path: [name] });
    const { size, ...known } = found;
    const sized = this.sized({ ...known, size: undefined, cost: 1 });
    return sized.size ? sized : { ...sized, size };
  }

  #select(holder: Part, name: string): Part {
    const { kind, fields, element } = holder.type;
    const type = (kind === 'map' ? element : fields?.get(name)) ?? types.dyn;
    const cost = kind === 'map' || kind === 'struct' ? 1 : 0;
    return this.sized({ ...nothing, cost: plus(holder.cost, cost), type, path: [...holder.path, name] });
  }

  #index(holder: Part, key: Part): Part {
    const step = holder.type.kind === 'list' ? '@items' : '@values';
    const type = holder.type.element ?? types.dyn;
    const cost = plus(1, plus(holder.cost, key.cost));
    return this.sized({ ...nothing, cost, type, path: [...holder.path, step], size: holder.entries?.value });
  }

  #list(items: Part[]): Part {
    const value = items
      .map(sizeOf)
      .reduce((a, b) => eitherSize(a, b), items.length > 0 ? sizeOf(items[0] as Part) : exactly(0));
    return {
      ...nothing,
      cost: items.reduce((sum, { cost }) => plus(sum, cost), listCost),
      type: { ...types.list, element: items[0]?.type ?? types.dyn },
      size: exactly(items.length),
      entries: { list: true, key: exactly(1), value },
    };
  }

  #map(entries: [Part, Part][]): Part {
    const all = (sizes: Size[]): Size => (sizes.length > 0 ? sizes.reduce(eitherSize) : exactly(0));
    const [, first] = entries[0] ?? [];
    return {
      ...nothing,
      cost: entries.reduce((sum, [key, value]) => plus(sum, plus(key.cost, value.cost)), mapCost),
      type: { kind: 'map', maxElements: 0, minBytes: 2, element: first?.type ?? types.dyn },
      size: exactly(entries.length),
      entries: {
        list: false,
        key: all(entries.map(([key]) => sizeOf(key))),
        value: all(entries.map(([, value]) => sizeOf(value))),
      },
    };
  }

  #choice([condition, yes, no]: [Part, Part, Part]): Part {
    const entries =
      yes.entries && no.entries
        ? {
            list: yes.entries.list,
            key: eitherSize(yes.entries.key, no.entries.key),
            value: eitherSize(yes.entries.value, no.entries.value),
          }
        : undefined;
    const cost = plus(condition.cost, Math.max(yes.cost, no.cost));
    const type = yes.type.kind === 'dyn' ? no.type : yes.type;
    return { ...nothing, cost, type, size: eitherSize(sizeOf(yes), sizeOf(no)), entries };
  }

  #method([name, receiver, args]: [string, ASTNode, ASTNode[]], scope: Scope): Part {
    if (receiver.op === 'id' && !scope.has(receiver.args) && namespaces.has(receiver.args)) {
      if (name === 'bind') return boundMacro(this, args, scope);
      return this.#call(`${receiver.args}.${name}`, undefined, args, scope);
    }
    const target = this.part(receiver, scope);
    return (
      comprehension(this, { name, range: target, args, scope }) ??
      optionalMacro(this, { name, range: target, args, scope }) ??
      this.#call(name, target, args, scope)
    );
  }

  #call(name: string, target: Part | undefined, nodes: readonly ASTNode[], scope: Scope): Part {
    if (name === 'has') {
      const [tested] = nodes;
      const holder = tested?.op === '.' || tested?.op === '.?' ? this.part(tested.args[0], scope) : nothing;
      return { ...nothing, cost: holder.cost, type: types.bool, size: exactly(1) };
    }
    const args = nodes.map((arg) => this.part(arg, scope));
    const [first] = args;
    if (name === 'dyn' && first)
      return { ...nothing, cost: plus(1, first.cost), size: first.size, entries: first.entries };
    const { cost, type, size } = estimateCall(name === matchesName ? 'matches' : name, { args, target }, this.items);
    const total = args.reduce((sum, arg) => plus(sum, arg.cost), plus(cost, target?.cost ?? 0));
    return this.sized({ ...nothing, cost: total, type, size });
  }

  #operator(operator: string, args: readonly Part[]): Part {
    const sum = args.reduce((total, { cost }) => plus(total, cost), 0);
    const [a = nothing, b = nothing] = args;
    const answer = (cost: number, type: Declared, size?: Size): Part =>
      this.sized({ ...nothing, cost: plus(sum, cost), type, size });
    switch (operator) {
      case '||':
      case '&&':
        return answer(0, types.bool);
      case '!=':
        return answer(comparing(a, b), types.bool);
      case '==': {
        const both = a.type.kind === 'opaque' && b.type.kind === 'opaque' && a.size === undefined;
        return answer(both ? 1 : comparing(a, b), types.bool);
      }
      case '<':
      case '<=':
      case '>':
      case '>=':
        return answer(ordering(a, b), types.bool);
      case 'in':
        return answer(b.type.kind === 'map' ? 1 : Math.max(sizeOf(b).max, b.type.kind === 'list' ? 0 : 1), types.bool);
      case '+':
        return this.#sum(a, b, sum);
      case '!_':
        return answer(1, types.bool);
      default:
        return answer(1, a.type);
    }
  }

  #sum(a: Part, b: Part, sum: number): Part {
    const type = a.type.kind === 'dyn' ? b.type : a.type;
    const size = plusSize(sizeOf(a), sizeOf(b));
    if (scalars.has(type.kind)) return { ...nothing, cost: plus(sum, 1), type, size: exactly(1) };
    const entries =
      a.entries && b.entries
        ? {
            list: true,
            key: eitherSize(a.entries.key, b.entries.key),
            value: eitherSize(a.entries.value, b.entries.value),
          }
        : undefined;
    const cost = type.kind === 'list' ? 1 : Math.max(1, share(size.max, 0.1));
    return { ...nothing, cost: plus(sum, cost), type, size, entries };
  }
}

/** Texts are gone through; where the type of one is known to be another, they are not. */
function ordering(a: Part, b: Part): number {
  const kinds = [a.type.kind, b.type.kind].filter((kind) => kind !== 'dyn');
  const textual = kinds.every((kind) => kind === 'string' || kind === 'bytes');
  if (!textual) return 1;
  return kinds.length === 0 ? Math.max(1, comparing(a, b)) : comparing(a, b);
}

function literal(value: unknown): Part {
  const part = (type: Declared, size: number): Part => ({ ...nothing, type, size: exactly(size), literal: value });
  switch (typeof value) {
    case 'string':
      return part(types.string, Array.from(value).length);
    case 'bigint':
      return part(types.int, 1);
    case 'number':
      return part(types.double, 1);
    case 'boolean':
      return part(types.bool, 1);
    default:
      return value instanceof Uint8Array ? part(types.bytes, value.length) : part(types.dyn, 1);
  }
}
