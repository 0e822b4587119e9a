import type { Core } from './core.js';
import type { Decoder } from './decoding.js';
import { internal, isStatusError } from './errors.js';
import { timestamp } from './clock.js';
import { jsonCopy } from './json.js';
import { apiVersionOf, storageOf, versionOf } from './registry.js';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  CallOptions,
  KubeObject,
  ManagedFieldsEntry,
  ResourceVersion,
  Target,
  WriteContext,
} from './types.js';

/** One write on its way through the pipeline. */
export class Write {
  readonly core: Core;
  readonly target: Target;
  readonly version: ResourceVersion;
  readonly options: CallOptions;
  readonly context: WriteContext;
  readonly storage: string;
  /** `group/version` of the request. */
  readonly apiVersion: string;

  constructor(core: Core, target: Target, options: CallOptions) {
    this.core = core;
    this.target = target;
    this.options = options;
    this.version = versionOf(target);
    this.storage = storageOf(target.resource);
    this.apiVersion = apiVersionOf(target.resource.group, target.version);
    this.context = {
      principal: options.principal,
      now: core.clock.now(),
      dryRun: options.dryRun ?? false,
      version: target.version,
      subresource: target.subresource,
      warn: (text) => options.warn?.(text),
    };
  }

  get manager(): string {
    return this.options.fieldManager || 'unknown';
  }

  get time(): string {
    return timestamp(this.core.clock.now());
  }

  /** Top-level fields nobody can own through this endpoint (SA-5). */
  get reset(): readonly string[] {
    if (this.target.subresource === undefined) return this.version.status ? ['status'] : [];
    if (this.target.subresource !== 'status') return [];
    return this.target.resource.traits.statusMetadata?.length ? ['spec'] : ['metadata', 'spec'];
  }

  /** Reads bodies as the kind of the request. */
  get decoder(): Decoder {
    const { resource, version } = this.target;
    return {
      kind: resource.kind,
      version,
      builtin: !resource.custom,
      decode: (body, mode) => resource.strategy.decode(body, this.version, mode),
    };
  }

  /** Gives the changed fields to the manager of the request. */
  trackFields(next: KubeObject, old: KubeObject | undefined): void {
    const { resource } = this.target;
    const managed: ManagedFieldsEntry[] | undefined = this.core.applies.track({
      old,
      next,
      manager: this.manager,
      operation: 'Update',
      subresource: this.target.subresource,
      apiVersion: this.apiVersion,
      typing: resource.strategy.typing(this.version),
      time: this.time,
      reset: this.reset,
      custom: resource.custom,
    });
    if (managed?.length) next.metadata.managedFields = managed;
    else delete next.metadata.managedFields;
  }

  attributes(
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    old: KubeObject | undefined,
  ): AdmissionAttributes {
    const { resource, version, namespace, subresource } = this.target;
    return {
      operation,
      resource,
      version,
      subresource,
      namespace: resource.namespaced ? namespace : undefined,
      name: this.target.name ?? object?.metadata.name,
      object,
      oldObject: old,
      principal: this.options.principal,
      dryRun: this.context.dryRun,
      options: {
        kind: operation === 'CREATE' ? 'CreateOptions' : operation === 'UPDATE' ? 'UpdateOptions' : 'DeleteOptions',
        apiVersion: 'meta.k8s.io/v1',
        ...(this.options.fieldManager ? { fieldManager: this.options.fieldManager } : {}),
        ...(this.options.fieldValidation ? { fieldValidation: this.options.fieldValidation } : {}),
        ...(this.context.dryRun ? { dryRun: ['All'] } : {}),
      },
      warn: (text) => this.context.warn(text),
    };
  }

  /** Runs mutating admission; answers the object to go on with. */
  async mutate(operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): Promise<KubeObject> {
    const { admission } = this.core;
    if (!admission) return object;
    const mutated = (await admission.mutate(this.attributes(operation, object, old))) ?? object;
    if (mutated === object) return object;
    const copy = jsonCopy(mutated);
    this.target.resource.strategy.defaultInPlace(copy, this.version);
    return copy;
  }

  async validate(
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    old: KubeObject | undefined,
  ): Promise<void> {
    await this.core.admission?.validate(this.attributes(operation, object, old));
  }

  /** The object in the form that is stored (ST-7), as a private copy. */
  async stored(object: KubeObject): Promise<KubeObject> {
    const { strategy, storageVersion } = this.target.resource;
    if (strategy.toStorage) return strategy.toStorage(object);
    if (this.target.version === storageVersion) return object;
    return jsonCopy(await strategy.convert(object, storageVersion));
  }

  /** A stored object at the version of the request. */
  seen(stored: KubeObject): KubeObject | Promise<KubeObject> {
    return this.core.representations.at(this.target.resource, stored, this.target.version);
  }

  /** Writes to the store; the object becomes the store's own. */
  put(key: string, object: KubeObject): KubeObject {
    this.core.representations.written(this.target.resource, object);
    return this.core.store.put(this.storage, key, object);
  }

  remove(key: string): KubeObject {
    const { store } = this.core;
    const removed = store.remove(this.storage, key);
    this.core.representations.written(this.target.resource, removed);
    return removed;
  }
}

/** Turns what is no StatusError into one, so that a fault in a strategy is an answer and not a crash. */
export function asStatusError(error: unknown): Error {
  return isStatusError(error)
    ? error
    : internal(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
