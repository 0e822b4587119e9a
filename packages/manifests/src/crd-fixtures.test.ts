import { KubernetesResource, type KubewrightError } from '@kubewright/api';
import {
  type Class,
  type PropertyRecord,
  type ResourceOptions,
  updateRecord,
  withProperty,
  withResource,
} from '@kubewright/metadata';
import { crdFor } from './crd.js';
import type { JsonSchema } from './json-schema.js';

// The decorators of ours live in another package, which this one must not know: tests write the records themselves.
export const facts =
  (record: PropertyRecord): PropertyDecorator =>
  (target, name) => {
    updateRecord(target.constructor as Class, withProperty(String(name), record));
  };
export const Nested = (type: () => unknown, each = false): PropertyDecorator => facts({ type, each });
export const Default = (value: unknown): PropertyDecorator => facts({ default: { value } });
export const Resource =
  (options: Partial<ResourceOptions> = {}): ClassDecorator =>
  (cls) => {
    updateRecord(cls as never, withResource({ group: 'app.example.com', version: 'v1', ...options }));
  };

/** Schema of `spec` of a resource whose spec is that class. */
export const specOf = (spec: Class): JsonSchema => {
  @Resource()
  class Thing extends KubernetesResource {
    @Nested(() => spec) spec!: object;
  }
  return crdFor(Thing).spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {};
};
/** Codes and places of the faults of such a resource. */
export const faultsOf = (spec: Class): string[] => {
  try {
    specOf(spec);
    return [];
  } catch (error) {
    return (error as KubewrightError).details.map((detail) => `${detail.code} ${detail.where ?? ''}`);
  }
};
