import type { RuleRunner } from '../cel/rules.js';
import type { ScalePaths, Schema, SchemaSource, TypingNode } from '../core/types.js';
import { typingOf } from '../schema/typing.js';
import type { CrdVersion } from './types.js';

/** One version of a custom resource, with what is computed from its schema once. */
export class CustomVersion {
  readonly name: string;
  readonly source: SchemaSource;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly rules: RuleRunner | undefined;
  #typing: TypingNode | undefined;

  constructor(version: CrdVersion, rules: (root: Schema) => RuleRunner | undefined) {
    const root = version.schema?.openAPIV3Schema ?? { type: 'object' };
    this.name = version.name;
    this.source = { root, resolve: (node) => node };
    this.hasStatus = version.subresources?.status !== undefined;
    this.scale = version.subresources?.scale;
    this.rules = rules(root);
  }

  get typing(): TypingNode {
    return (this.#typing ??= typingOf(this.source));
  }
}
