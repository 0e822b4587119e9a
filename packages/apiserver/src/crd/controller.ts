import { timestamp } from '../core/clock.js';
import { isStatusError } from '../core/errors.js';
import { jsonEqual } from '../core/json.js';
import type { CallOptions, ResourceDef, Semantics, StoreEvent, Target } from '../core/types.js';
import { WorkLoop } from '../core/work-loop.js';
import { compileRules } from '../cel/rules.js';
import { approvalStatement } from './approval.js';
import { cleanupFinalizer, conditionOf, withCondition, type Statement } from './conditions.js';
import { customResource } from './definition.js';
import { decideNames } from './names.js';
import { crdBody, crdStorage } from './resource.js';
import type { Converter } from './strategy.js';
import type { CrdStatus, CustomResourceDefinition } from './types.js';

const call: CallOptions = {
  principal: { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] },
  fieldManager: 'kube-apiserver',
};

export interface CrdControllerOptions {
  /** Converts objects of definitions with a conversion webhook. Default: such objects cannot be converted, with an error that says so. */
  converterOf?: (crd: CustomResourceDefinition) => Converter;
}

type Host = Pick<Semantics, 'objects' | 'registry' | 'clock' | 'subscribe' | 'stored' | 'track'>;

/** Starts the controller of CustomResourceDefinitions on the object core. */
export function attachCrdController(host: Host, options: CrdControllerOptions = {}): CrdController {
  return new CrdController(host, options);
}

/**
 * Accepts names, establishes, serves, and removes custom resources (CR-2, CR-5). The table of resources follows the stored
 * definitions inside the write that changes them, so a client never sees an established definition that is not served.
 */
export class CrdController {
  readonly #host: Host;
  readonly #options: CrdControllerOptions;
  readonly #loop: WorkLoop;
  readonly #served = new Map<string, { crd: CustomResourceDefinition; resource: ResourceDef }>();
  readonly #terminating = new Map<string, string>();
  readonly #stops: (() => void)[];

  constructor(host: Host, options: CrdControllerOptions) {
    this.#host = host;
    this.#options = options;
    this.#loop = new WorkLoop({ name: 'crd-controller', clock: host.clock, work: (name) => this.#work(name) });
    this.#stops = [
      host.track(this.#loop),
      host.subscribe(crdStorage, (event) => this.#hear(event)),
      host.subscribe('*', (event) => {
        if (event.type !== 'DELETED' || this.#terminating.size === 0) return;
        const name = this.#terminating.get(event.storage);
        if (name !== undefined) this.#loop.add(name);
      }),
    ];
    this.rebuild();
  }

  /** Looks at all stored definitions anew, after the store was replaced. */
  rebuild(): void {
    const crds = this.#all();
    const names = new Set(crds.map((crd) => crd.metadata.name as string));
    for (const name of this.#served.keys()) if (!names.has(name)) this.#unserve(name);
    for (const crd of crds) this.#see(crd);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#loop.close();
  }

  #all(): CustomResourceDefinition[] {
    return this.#host.stored(crdStorage) as CustomResourceDefinition[];
  }

  #find(name: string): CustomResourceDefinition | undefined {
    return this.#all().find((crd) => crd.metadata.name === name);
  }

  #hear(event: StoreEvent): void {
    if (event.type !== 'DELETED') return this.#see(event.object as CustomResourceDefinition);
    this.#unserve(event.key);
    // Its names are free now.
    for (const crd of this.#all())
      if (crd.spec.group === (event.object as CustomResourceDefinition).spec.group)
        this.#loop.add(crd.metadata.name as string);
  }

  #see(crd: CustomResourceDefinition): void {
    const name = crd.metadata.name as string;
    const established = conditionOf(crd, 'Established')?.status === 'True';
    if (established && crd.spec.versions.some((version) => version.served)) this.#serve(name, crd);
    else this.#unserve(name);
    if (crd.metadata.deletionTimestamp) this.#terminating.set(name, name);
    const approval = approvalStatement(crd.spec.group, crd.metadata.annotations);
    const approved = !approval || conditionOf(crd, approval.type)?.message === approval.message;
    const settled =
      established &&
      approved &&
      !crd.metadata.deletionTimestamp &&
      jsonEqual(crd.spec.names, crd.status?.acceptedNames);
    if (!settled) this.#loop.add(name);
  }

  #serve(name: string, crd: CustomResourceDefinition): void {
    const old = this.#served.get(name);
    if (
      old &&
      jsonEqual(old.crd.spec, crd.spec) &&
      jsonEqual(old.crd.status?.acceptedNames, crd.status?.acceptedNames)
    ) {
      old.crd = crd;
      return;
    }
    const resource = this.#build(crd);
    this.#served.set(name, { crd, resource });
    const { registry } = this.#host;
    if (registry.byResource(resource.group, resource.plural)) registry.replace(resource);
    else registry.add(resource);
  }

  #build(crd: CustomResourceDefinition): ResourceDef {
    const webhook = crd.spec.conversion?.strategy === 'Webhook';
    const name = crd.metadata.name as string;
    return customResource(crd, {
      rules: compileRules,
      converter: webhook ? (this.#options.converterOf?.(crd) ?? noConverter(crd)) : undefined,
      terminating: () => this.#served.get(name)?.crd.metadata.deletionTimestamp !== undefined,
    });
  }

  #unserve(name: string): void {
    const served = this.#served.get(name);
    this.#terminating.delete(name);
    if (!served) return;
    this.#served.delete(name);
    this.#host.registry.remove(served.resource.group, served.resource.plural);
  }

  async #work(name: string): Promise<void> {
    const crd = this.#find(name);
    if (!crd) return;
    try {
      if (crd.metadata.deletionTimestamp) await this.#clean(crd);
      else await this.#decide(crd);
    } catch (error) {
      // Changed or gone meanwhile: its event brings it back here.
      if (!isStatusError(error) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }

  async #decide(crd: CustomResourceDefinition): Promise<void> {
    const others = this.#all().filter(
      (other) => other.spec.group === crd.spec.group && other.metadata.name !== crd.metadata.name,
    );
    const { names, accepted, established } = decideNames(crd, others);
    let status = withCondition({ ...crd.status, acceptedNames: names }, accepted, this.#now());
    status = withCondition(status, established, this.#now());
    const approval = approvalStatement(crd.spec.group, crd.metadata.annotations);
    if (approval) status = withCondition(status, approval, this.#now());
    const next = jsonEqual(status, crd.status) ? crd : await this.#write(crd, status);
    if (accepted.status !== 'True' || established.status === 'True') return;
    const done: Statement = { ...established, status: 'True', reason: 'InitialNamesAccepted' };
    await this.#write(next, withCondition(next.status ?? {}, done, this.#now()));
  }

  async #clean(crd: CustomResourceDefinition): Promise<void> {
    if (!crd.metadata.finalizers?.includes(cleanupFinalizer)) return;
    const name = crd.metadata.name as string;
    // One that serves no version may have objects all the same.
    const established = conditionOf(crd, 'Established')?.status === 'True';
    const resource = this.#served.get(name)?.resource ?? (established ? this.#build(crd) : undefined);
    let next = crd;
    if (resource) {
      next = await this.#terminate(
        next,
        'True',
        'InstanceDeletionInProgress',
        'CustomResource deletion is in progress',
      );
      await this.#host.objects.deleteCollection({ resource, version: servedVersion(resource) }, call);
      // What finalizers hold comes back here when it is gone.
      if (this.#host.stored(name).length > 0) return;
      next = await this.#terminate(next, 'False', 'InstanceDeletionCompleted', 'removed all instances');
    } else next = await this.#terminate(next, 'False', 'NeverEstablished', 'resource was never established');
    const finalizers = (next.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    const released = { ...next, metadata: { ...next.metadata, finalizers } };
    await this.#host.objects.update(this.#target(name), { value: crdBody(released), owned: true }, call);
  }

  async #terminate(
    crd: CustomResourceDefinition,
    status: 'True' | 'False',
    reason: string,
    message: string,
  ): Promise<CustomResourceDefinition> {
    const next = withCondition(crd.status ?? {}, { type: 'Terminating', status, reason, message }, this.#now());
    return jsonEqual(next, crd.status) ? crd : this.#write(crd, next);
  }

  async #write(crd: CustomResourceDefinition, status: CrdStatus): Promise<CustomResourceDefinition> {
    const target = { ...this.#target(crd.metadata.name as string), subresource: 'status' };
    const { object } = await this.#host.objects.update(
      target,
      { value: crdBody({ ...crd, status }), owned: true },
      call,
    );
    return object as CustomResourceDefinition;
  }

  #target(name: string): Target {
    const resource = this.#host.registry.byResource('apiextensions.k8s.io', 'customresourcedefinitions');
    if (!resource)
      throw new Error(
        'CustomResourceDefinitions are not served: add crdResource() to the registry before the controller',
      );
    return { resource, version: 'v1', name };
  }

  #now(): string {
    return timestamp(this.#host.clock.now());
  }
}

function servedVersion(resource: ResourceDef): string {
  const served = resource.versions.filter((version) => version.served);
  return (
    (served.find((version) => version.name === resource.storageVersion) ?? served[0])?.name ?? resource.storageVersion
  );
}

function noConverter(crd: CustomResourceDefinition): Converter {
  return () => {
    throw new Error(
      `${crd.metadata.name ?? ''} asks for conversion by a webhook, but this object core has no way to call one`,
    );
  };
}
