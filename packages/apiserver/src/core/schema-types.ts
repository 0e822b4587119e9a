import type { JsonValue } from './object-types.js';

/** Schema nodes, and what apply and strategic merge need to know of them. */

/**
 * A schema node: the OpenAPI v3 subset of structural schemas with the `x-kubernetes-*` extensions under their own names.
 * Built-in kinds use the same node type, generated from the OpenAPI documents of the emulated minor (DE-6), so one walker
 * prunes, defaults and validates both.
 */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  description?: string;
  title?: string;
  default?: JsonValue;
  nullable?: boolean;
  enum?: JsonValue[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  /** Built-in schemas only: a reference into the shared definitions, e.g. `io.k8s.api.core.v1.PodSpec`. */
  $ref?: string;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
  'x-kubernetes-patch-merge-key'?: string;
  'x-kubernetes-patch-strategy'?: string;
  'x-kubernetes-validations'?: ValidationRule[];
  [key: `x-${string}`]: unknown;
}

export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}

/**
 * Resolves `$ref`s of built-in schemas; custom schemas have none. `resolve(node)` answers the node itself when it holds
 * no `$ref`.
 */
export interface SchemaSource {
  readonly root: Schema;
  resolve(node: Schema): Schema;
}

/** What apply and strategic merge need to know of a schema node. Lazily built: call `field`/`item` to go down. */
export interface TypingNode {
  readonly kind: 'scalar' | 'struct' | 'map' | 'list' | 'untyped';
  /** A list or map that is one leaf. */
  readonly atomic: boolean;
  /** Lists: how items are told apart in apply. */
  readonly list?: 'set' | { readonly keys: readonly string[] };
  /** JSON type for the texts of SA-11. */
  readonly type?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  /** Strategic merge: key of a list of maps, or `merge` for a list of scalars; `retainKeys`. */
  readonly patchMergeKey?: string;
  readonly patchMerge?: boolean;
  readonly retainKeys?: boolean;
  /** Child of a struct or map; undefined = not declared. */
  field(name: string): TypingNode | undefined;
  item(): TypingNode;
  /** Declared field names of a struct. */
  fieldNames(): readonly string[];
  /** Whether a struct declares the field (a struct that keeps unknown fields answers a node for any name). */
  declares(name: string): boolean;
}
