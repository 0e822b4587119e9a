import type { JsonValue, Schema, SchemaSource, TypingNode } from '../core/types.js';
import { objectMetaSchema } from './object-meta.js';

/** A value nobody described: maps are granular, lists are one leaf (SA-3). */
class Untyped implements TypingNode {
  readonly kind = 'untyped';
  readonly atomic: boolean = false;
  field(): TypingNode {
    return this;
  }
  item(): TypingNode {
    return this;
  }
  fieldNames(): readonly string[] {
    return [];
  }
  declares(): boolean {
    return false;
  }
}

/** The typing of values without a schema. */
const untyped: TypingNode = new Untyped();

class SchemaTyping implements TypingNode {
  readonly kind: TypingNode['kind'];
  readonly atomic: boolean;
  readonly list?: 'set' | { readonly keys: readonly string[] };
  readonly type?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly patchMergeKey?: string;
  readonly patchMerge?: boolean;
  readonly retainKeys?: boolean;
  readonly #source: SchemaSource;
  readonly #schema: Schema;
  readonly #properties: Readonly<Record<string, Schema>> | undefined;
  readonly #fields = new Map<string, TypingNode | undefined>();
  #item: TypingNode | undefined;

  constructor(source: SchemaSource, declared: Schema, properties?: Readonly<Record<string, Schema>>) {
    const schema = source.resolve(declared);
    this.#source = source;
    this.#schema = schema;
    this.#properties = properties ?? schema.properties;
    this.kind = kindOf(schema, this.#properties);
    // Extensions beside a $ref say how this use of the type behaves, so they win over those of the type.
    const listType = declared['x-kubernetes-list-type'] ?? schema['x-kubernetes-list-type'];
    const mapType = declared['x-kubernetes-map-type'] ?? schema['x-kubernetes-map-type'];
    if (this.kind === 'list') {
      if (listType === 'set') this.list = 'set';
      else if (listType === 'map') {
        this.list = { keys: declared['x-kubernetes-list-map-keys'] ?? schema['x-kubernetes-list-map-keys'] ?? [] };
      }
      this.atomic = this.list === undefined;
    } else this.atomic = mapType === 'atomic';
    if (schema.type !== undefined) this.type = schema.type;
    const nullable = declared.nullable ?? schema.nullable;
    if (nullable !== undefined) this.nullable = nullable;
    const value = declared.default ?? schema.default;
    if (value !== undefined) this.default = value;
    else if (declared['x-go-null']) this.default = null;
    const mergeKey = declared['x-kubernetes-patch-merge-key'];
    const strategies = declared['x-kubernetes-patch-strategy']?.split(',') ?? [];
    if (mergeKey !== undefined) this.patchMergeKey = mergeKey;
    if (strategies.includes('merge')) this.patchMerge = true;
    if (strategies.includes('retainKeys')) this.retainKeys = true;
  }

  field(name: string): TypingNode | undefined {
    if (this.#fields.has(name)) return this.#fields.get(name);
    const node = this.#child(name);
    // Only declared names are remembered: names of maps come from clients and have no end.
    if (this.declares(name)) this.#fields.set(name, node);
    return node;
  }

  #child(name: string): TypingNode | undefined {
    const declared = this.declares(name) ? this.#properties?.[name] : undefined;
    if (declared) return typingNode(this.#source, declared);
    const rest = this.#schema.additionalProperties;
    if (typeof rest === 'object') return (this.#item ??= typingNode(this.#source, rest));
    return rest === true || this.#schema['x-kubernetes-preserve-unknown-fields'] ? untyped : undefined;
  }

  item(): TypingNode {
    return (this.#item ??= this.#schema.items ? typingNode(this.#source, this.#schema.items) : untyped);
  }

  fieldNames(): readonly string[] {
    return Object.keys(this.#properties ?? {});
  }

  declares(name: string): boolean {
    return this.#properties !== undefined && Object.hasOwn(this.#properties, name);
  }
}

function kindOf(schema: Schema, properties: Readonly<Record<string, Schema>> | undefined): TypingNode['kind'] {
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'scalar';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object' || properties) {
    if (properties) return 'struct';
    if (typeof schema.additionalProperties === 'object') return 'map';
    if (schema.additionalProperties || schema['x-kubernetes-preserve-unknown-fields']) return 'map';
    return 'struct';
  }
  return schema.type === undefined ? 'untyped' : 'scalar';
}

const embedded: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: objectMetaSchema,
};

function typingNode(source: SchemaSource, declared: Schema): TypingNode {
  const schema = source.resolve(declared);
  if (schema['x-kubernetes-embedded-resource']) {
    return new SchemaTyping(source, declared, { ...schema.properties, ...embedded });
  }
  if (schema.type === undefined && !schema.properties && !schema['x-kubernetes-int-or-string']) return untyped;
  return new SchemaTyping(source, declared);
}

/**
 * The typing of an object of a kind. `apiVersion`, `kind` and `metadata` are always typed; when `source` is undefined all
 * else is untyped.
 */
export function typingOf(source: SchemaSource | undefined): TypingNode {
  const from: SchemaSource = source ?? {
    root: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    resolve: (n) => n,
  };
  const root = from.resolve(from.root);
  // A custom schema may restrict metadata.name; its fields are those of ObjectMeta all the same.
  const metadata = root.properties?.metadata?.$ref ? root.properties.metadata : objectMetaSchema;
  return new SchemaTyping(from, from.root, { ...root.properties, ...embedded, metadata });
}
