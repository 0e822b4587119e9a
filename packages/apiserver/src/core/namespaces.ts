import type { Core } from './core.js';
import { forbidden, notFound } from './errors.js';
import { storageOf } from './registry.js';
import type { KubeObject, ResourceDef, Target } from './types.js';

/** Namespaces that cannot be deleted (NS-4). */
const PERMANENT = new Set(['default', 'kube-system', 'kube-public']);
const FINALIZER = 'kubernetes';

export const isNamespaceKind = (resource: Pick<ResourceDef, 'group' | 'plural'>): boolean =>
  resource.group === '' && resource.plural === 'namespaces';

/** Refuses new objects in a namespace that is missing or terminating (PI-4). A core without namespaces takes all. */
export function checkNamespaceOpen(core: Core, target: Target, object: KubeObject): void {
  const { resource } = target;
  if (!resource.namespaced) return;
  const namespaces = core.registry.byResource('', 'namespaces');
  if (!namespaces) return;
  const name = target.namespace ?? '';
  const namespace = core.store.get(storageOf(namespaces), name);
  if (!namespace) throw notFound(namespaces, name);
  if (!namespace.metadata.deletionTimestamp) return;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  throw forbidden(resource, object.metadata.name ?? '', why, [
    { reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' },
  ]);
}

/** NS-4 */
export function checkNamespaceDeletable(resource: ResourceDef, name: string): void {
  if (isNamespaceKind(resource) && PERMANENT.has(name))
    throw forbidden(resource, name, 'this namespace may not be deleted');
}

/** The finalizers in spec that hold a namespace; none for other kinds. */
export function specFinalizers(resource: Pick<ResourceDef, 'group' | 'plural'>, object: KubeObject): readonly string[] {
  if (!isNamespaceKind(resource)) return [];
  const spec = object['spec'] as { finalizers?: string[] } | undefined;
  return spec?.finalizers ?? [];
}

/** `next` as the finalize subresource takes it: the live namespace with the finalizers of `next` (NS-3). */
export function takeFinalizers(live: KubeObject, next: KubeObject): KubeObject {
  const finalizers = (next['spec'] as { finalizers?: string[] } | undefined)?.finalizers ?? [];
  const spec: Record<string, unknown> = { ...(live['spec'] as object | undefined) };
  if (finalizers.length) spec['finalizers'] = [...finalizers];
  else delete spec['finalizers'];
  return { ...live, spec, metadata: { ...live.metadata } };
}

/** What the namespace controller sends to the finalize subresource when the namespace is empty. */
export function withoutFinalizer(namespace: KubeObject): KubeObject {
  const finalizers = specFinalizers({ group: '', plural: 'namespaces' }, namespace).filter((f) => f !== FINALIZER);
  return { ...namespace, spec: { ...(namespace['spec'] as object | undefined), finalizers } };
}
