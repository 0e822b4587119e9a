import { apiVersionOf, type KindInfo, type StoredObject } from '@kubewright/api';
import type { InformerOptions } from './contract.js';
import type { StreamLog } from './stream-log.js';

/** Asks for `apiVersion`, `kind`, `metadata` alone. */
export const METADATA_ONLY: string =
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** `apiVersion`, `kind`, `metadata` of an object. */
export function metadataPart({ apiVersion, kind, metadata }: StoredObject): StoredObject {
  return { apiVersion, kind, metadata };
}

/** Makes what is stored of what came: names the kind, strips managedFields, transforms; one bad object blinds nothing (R22, R26–R28). */
export class Intake {
  private readonly spoiled = new WeakMap<StoredObject, unknown>();

  constructor(
    private readonly kind: KindInfo,
    private readonly options: InformerOptions,
    private readonly log: StreamLog,
  ) {}

  /** Whether objects are stored as the server sent them, managedFields aside. */
  get isWhole(): boolean {
    return this.options.transform === undefined && !this.options.metadataOnly;
  }

  /** Undefined: the object cannot be stored. The argument is taken over. */
  take(object: StoredObject): StoredObject | undefined {
    const metadata = object?.metadata;
    if (!metadata || !metadata.name || !metadata.uid || !metadata.resourceVersion) {
      this.log.nameless();
      return undefined;
    }
    if (!this.options.keepManagedFields && metadata.managedFields !== undefined) delete metadata.managedFields;
    const named = withKind(object, this.kind, this.options.metadataOnly);
    const { transform } = this.options;
    if (!transform) return named;
    try {
      const result = transform(named);
      const { name, namespace, uid, resourceVersion } = result.metadata;
      if (
        name === metadata.name &&
        namespace === metadata.namespace &&
        uid === metadata.uid &&
        resourceVersion === metadata.resourceVersion
      )
        return result;
      return this.bad(named, new Error('the transform changed name, namespace, uid or resourceVersion'));
    } catch (error) {
      return this.bad(named, error);
    }
  }

  /** What made the object unreadable; undefined for a good one. */
  faultOf(object: StoredObject): { readonly cause: unknown } | undefined {
    return this.spoiled.has(object) ? { cause: this.spoiled.get(object) } : undefined;
  }

  /** Marks an object whose index function failed. */
  spoil(object: StoredObject, cause: unknown): void {
    this.spoiled.set(object, cause);
    this.log.malformed(object, cause);
  }

  private bad(object: StoredObject, cause: unknown): StoredObject {
    const { apiVersion, kind, metadata } = object;
    const rest: StoredObject = { apiVersion, kind, metadata };
    this.spoil(rest, cause);
    return rest;
  }
}

/** List items of built-in kinds leave out apiVersion and kind, metadata-only objects carry those of the wrapper. */
export function withKind(object: StoredObject, kind: KindInfo, replace = false): StoredObject {
  if (!replace && object.kind !== undefined && object.apiVersion !== undefined) return object;
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...rest };
}
