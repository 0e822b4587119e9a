import type { JsonObject, JsonValue, TypingNode } from '../core/types.js';

/**
 * A set of paths into an object. Elements are spelled as in `fieldsV1` (SA-2): `f:name`, `k:{"name":"a"}`, `v:"x"`, `i:0`.
 * `members` are paths that end here, `children` paths that go on. Sets are never changed once they are shared: all
 * operations answer new sets, and reuse operands where the result is equal to them.
 */
export class FieldSet {
  readonly members: Set<string> = new Set();
  readonly children: Map<string, FieldSet> = new Map();

  get empty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  /** The set below an element, made when absent. Only for building. */
  child(element: string): FieldSet {
    let child = this.children.get(element);
    if (!child) this.children.set(element, (child = new FieldSet()));
    return child;
  }

  has(element: string): boolean {
    return this.members.has(element);
  }

  union(other: FieldSet): FieldSet {
    if (other.empty) return this;
    if (this.empty) return other;
    const result = new FieldSet();
    for (const element of this.members) result.members.add(element);
    for (const element of other.members) result.members.add(element);
    for (const [element, child] of this.children) {
      const peer = other.children.get(element);
      result.children.set(element, peer ? child.union(peer) : child);
    }
    for (const [element, child] of other.children) if (!this.children.has(element)) result.children.set(element, child);
    return result;
  }

  intersect(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) if (other.members.has(element)) result.members.add(element);
    for (const [element, child] of this.children) {
      const peer = other.children.get(element);
      if (peer) result.#keep(element, child.intersect(peer));
    }
    return result;
  }

  /** Paths that are not in `other`. Members of `other` do not take what is below them away. */
  minus(other: FieldSet): FieldSet {
    if (other.empty || this.empty) return this;
    const result = new FieldSet();
    for (const element of this.members) if (!other.members.has(element)) result.members.add(element);
    for (const [element, child] of this.children) {
      const peer = other.children.get(element);
      result.#keep(element, peer ? child.minus(peer) : child);
    }
    return result;
  }

  /** Without some top-level elements and all that is below them. */
  without(elements: readonly string[]): FieldSet {
    if (elements.every((e) => !this.members.has(e) && !this.children.has(e))) return this;
    const result = new FieldSet();
    for (const element of this.members) if (!elements.includes(element)) result.members.add(element);
    for (const [element, child] of this.children) if (!elements.includes(element)) result.children.set(element, child);
    return result;
  }

  /**
   * The set with the containers that are named fields of a struct as members: `{a.b.c}` gains `a` and `a.b`, but not the
   * parents that are entries of a map or items of a list.
   */
  withNamedParents(typing: TypingNode | undefined): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) result.members.add(element);
    for (const [element, child] of this.children) {
      const name = element.startsWith('f:') ? element.slice(2) : undefined;
      if (name !== undefined && typing?.declares(name)) result.members.add(element);
      const below =
        name !== undefined
          ? typing?.field(name)
          : typing?.kind === 'list' && element.startsWith('k:')
            ? typing.item()
            : undefined;
      result.children.set(element, child.withNamedParents(below));
    }
    return result;
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.members.size !== other.members.size || this.children.size !== other.children.size) return false;
    for (const element of this.members) if (!other.members.has(element)) return false;
    for (const [element, child] of this.children) {
      const peer = other.children.get(element);
      if (!peer || !child.equals(peer)) return false;
    }
    return true;
  }

  /** All paths in the order of the wire format. */
  *paths(prefix: readonly string[] = []): Generator<readonly string[]> {
    for (const element of this.#elements()) {
      const path = [...prefix, element];
      if (this.members.has(element)) yield path;
      const child = this.children.get(element);
      if (child) yield* child.paths(path);
    }
  }

  toFieldsV1(): JsonObject {
    const out: JsonObject = {};
    for (const element of this.#elements()) {
      const child = this.children.get(element);
      if (!child) out[element] = {};
      else out[element] = this.members.has(element) ? { '.': {}, ...child.toFieldsV1() } : child.toFieldsV1();
    }
    return out;
  }

  /** All first elements in the order of the wire format. */
  #elements(): string[] {
    const elements = Array.from(this.members);
    for (const element of this.children.keys()) if (!this.members.has(element)) elements.push(element);
    return elements.length > 1 ? elements.sort() : elements;
  }

  #keep(element: string, child: FieldSet): void {
    if (!child.empty) this.children.set(element, child);
  }
}

/** Reads `fieldsV1`; undefined when it is malformed. */
export function fromFieldsV1(fields: JsonValue | undefined): FieldSet | undefined {
  const set = new FieldSet();
  if (fields === undefined || fields === null) return set;
  if (typeof fields !== 'object' || Array.isArray(fields)) return undefined;
  for (const [element, below] of Object.entries(fields)) {
    if (element === '.') continue;
    if (!/^[fkvi]:/.test(element)) return undefined;
    const child = fromFieldsV1(below);
    if (!child) return undefined;
    if (child.empty || (below as JsonObject)['.'] !== undefined) set.members.add(element);
    if (!child.empty) set.children.set(element, child);
  }
  return set;
}

/** `.spec.items[name="a"]`, the form of conflict texts (SA-8). */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

/** One element of a path in the form of conflict texts. */
export function elementText(element: string): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k':
      return `[${Object.entries(JSON.parse(rest) as JsonObject)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    case 'v':
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}
