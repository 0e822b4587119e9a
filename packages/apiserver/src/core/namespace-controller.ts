import { timestamp } from './clock.js';
import type { Core } from './core.js';
import { specFinalizers, withoutFinalizer } from './namespaces.js';
import { groupResource } from './errors.js';
import { storageOf } from './registry.js';
import { unlessGone } from './unless-gone.js';
import { WorkLoop } from './work-loop.js';
import type { CallOptions, KubeObject, ObjectService, ResourceDef, StoreEvent, Target } from './types.js';

const STORAGE = 'namespaces';
const CALL: CallOptions = {
  principal: {
    name: 'system:serviceaccount:kube-system:namespace-controller',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated', 'system:masters'],
  },
  fieldManager: 'kube-controller-manager',
};

interface Condition {
  type: string;
  status: 'True' | 'False';
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** What is left in a namespace. */
interface Remains {
  /** `GR` → number of objects. */
  readonly resources: ReadonlyMap<string, number>;
  /** Finalizer → number of objects that have it. */
  readonly finalizers: ReadonlyMap<string, number>;
}

export interface NamespaceControllerOptions {
  core: Core;
  objects: ObjectService;
  /** How long a terminating namespace waits, in ms. */
  delayMs: () => number;
}

/** Empties terminating namespaces and then lets them go (NS-3). */
export class NamespaceController {
  readonly loop: WorkLoop;
  readonly #core: Core;
  readonly #objects: ObjectService;
  readonly #terminating = new Set<string>();
  readonly #stop: () => void;

  constructor(options: NamespaceControllerOptions) {
    this.#core = options.core;
    this.#objects = options.objects;
    this.loop = new WorkLoop({
      name: 'namespace-controller',
      clock: options.core.clock,
      delayMs: options.delayMs,
      work: (name) => this.#work(name),
    });
    this.#stop = this.#core.store.listen('*', (event) => this.#hear(event));
  }

  /** Looks at all namespaces anew, after the store was replaced. */
  rebuild(): void {
    this.#terminating.clear();
    for (const object of this.#core.store.collection(STORAGE).values()) this.#see(object);
  }

  close(): void {
    this.#stop();
    this.loop.close();
  }

  #hear(event: StoreEvent): void {
    if (event.storage === STORAGE) {
      if (event.type === 'DELETED') this.#terminating.delete(event.key);
      else this.#see(event.object);
    } else if (event.type === 'DELETED' && this.#terminating.size) {
      const { namespace } = event.object.metadata;
      if (namespace && this.#terminating.has(namespace)) this.loop.add(namespace);
    }
  }

  #see({ metadata }: KubeObject): void {
    if (!metadata.deletionTimestamp || this.#terminating.has(metadata.name as string)) return;
    this.#terminating.add(metadata.name as string);
    this.loop.add(metadata.name as string);
  }

  async #work(name: string): Promise<void> {
    const namespace = this.#core.store.get(STORAGE, name);
    const resource = this.#core.registry.byResource('', 'namespaces');
    if (!resource || !namespace?.metadata.deletionTimestamp || !specFinalizers(resource, namespace).length) return;
    for (const namespaced of this.#namespaced()) {
      if (!this.#contents(namespaced, name).length) continue;
      const target: Target = { resource: namespaced, version: namespaced.storageVersion, namespace: name };
      await this.#objects.deleteCollection(target, { ...CALL, propagationPolicy: 'Background' });
      // What Pods use stays until the last of them has ended.
      if (isPods(namespaced) && this.#contents(namespaced, name).length) break;
    }
    const remains = this.#remains(name);
    const target: Target = { resource, version: 'v1', name };
    if (remains.resources.size) await this.#report(target, remains);
    else await this.#finalize(target);
  }

  /** One resource for each storage: shared storages are emptied once. */
  #namespaced(): ResourceDef[] {
    const byStorage = new Map<string, ResourceDef>();
    for (const resource of this.#core.registry.all) {
      if (resource.namespaced && resource.verbs.includes('delete') && !resource.storage)
        byStorage.set(storageOf(resource), resource);
    }
    return [...byStorage.values()].sort((a, b) => Number(isPods(b)) - Number(isPods(a)));
  }

  #contents(resource: ResourceDef, namespace: string): KubeObject[] {
    const view = this.#core.store.collection(storageOf(resource)).view(`${namespace}/`);
    return view.keys.slice(view.from, view.to).map((key) => view.get(key));
  }

  #remains(namespace: string): Remains {
    const resources = new Map<string, number>();
    const finalizers = new Map<string, number>();
    for (const resource of this.#namespaced()) {
      const objects = this.#contents(resource, namespace);
      if (objects.length) resources.set(groupResource(resource), objects.length);
      for (const finalizer of objects.flatMap((object) => object.metadata.finalizers ?? [])) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
    return { resources, finalizers };
  }

  async #finalize(target: Target): Promise<void> {
    const live = this.#core.store.get(STORAGE, target.name as string);
    if (!live) return;
    const value = structuredClone(withoutFinalizer(live)) as never;
    await unlessGone(this.#objects.update({ ...target, subresource: 'finalize' }, { value, owned: true }, CALL));
  }

  async #report(target: Target, remains: Remains): Promise<void> {
    const live = this.#core.store.get(STORAGE, target.name as string);
    if (!live) return;
    const old = ((live['status'] as { conditions?: Condition[] } | undefined)?.conditions ?? []) as Condition[];
    const wanted = conditions(remains, timestamp(this.#core.clock.now()));
    const merged = wanted.map((condition) => {
      const before = old.find((other) => other.type === condition.type);
      const same =
        before?.status === condition.status &&
        before.reason === condition.reason &&
        before.message === condition.message;
      return same ? before : condition;
    });
    const value = { status: { conditions: merged as never } };
    await unlessGone(
      this.#objects.patch({ ...target, subresource: 'status' }, { type: 'merge', body: { value } }, CALL),
    );
  }
}

const isPods = ({ group, plural }: ResourceDef): boolean => group === '' && plural === 'pods';

function conditions(remains: Remains, lastTransitionTime: string): Condition[] {
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string): Condition => ({
    type,
    status,
    lastTransitionTime,
    reason,
    message,
  });
  const instances = [...remains.resources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${name}${name.includes('.') ? '' : '.'} has ${n} resource instances`);
  const held = [...remains.finalizers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${name} in ${n} resource instances`);
  return [
    condition(
      'NamespaceDeletionDiscoveryFailure',
      'False',
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      'False',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    condition(
      'NamespaceDeletionContentFailure',
      'False',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    condition(
      'NamespaceContentRemaining',
      'True',
      'SomeResourcesRemain',
      `Some resources are remaining: ${instances.join(', ')}`,
    ),
    held.length
      ? condition(
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
        )
      : condition(
          'NamespaceFinalizersRemaining',
          'False',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ];
}
