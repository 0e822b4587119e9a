import { timestamp } from './clock.js';
import { conflict, groupKind, invalid, invalidValue, notFound, notSupported } from './errors.js';
import { deepFreeze, jsonCopy, jsonEqual } from './json.js';
import { checkNamespaceDeletable, isNamespaceKind, specFinalizers } from './namespaces.js';
import { keyOf } from './registry.js';
import type { Write } from './write.js';
import type { DeleteOptions, DeleteResult, FieldError, KubeObject, ResourceDef } from './types.js';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const DEFAULT_POD_GRACE = 30;
const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** QP-14 */
function checkDeleteOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const policy: string | undefined = options.propagationPolicy;
  if (policy !== undefined && options.orphanDependents !== undefined) {
    errors.push(
      invalidValue('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  if (policy !== undefined && !POLICIES.includes(policy))
    errors.push(notSupported('propagationPolicy', policy, [...POLICIES, 'nil']));
  if (errors.length) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

/** DELETE of one object (DL-1 … DL-6, NS-2). */
export async function remove(write: Write, options: DeleteOptions): Promise<DeleteResult> {
  checkDeleteOptions(options);
  const { core, target } = write;
  const name = target.name ?? '';
  const key = keyOf(target.resource, target.namespace, name);
  for (;;) {
    const stored = core.store.get(write.storage, key);
    checkNamespaceDeletable(target.resource, name);
    if (!stored) throw notFound(target.resource, name);
    checkPreconditions(target.resource, stored, options);
    const live = await write.seen(stored);
    await core.admission?.mutate(write.attributes('DELETE', undefined, live));
    await write.validate('DELETE', undefined, live);
    if (core.beforeWrite) await core.beforeWrite(target, stored);
    if (core.store.get(write.storage, key) !== stored) continue;
    const next = marked(write, stored, options);
    if (next === 'gone') {
      const object = write.context.dryRun ? live : write.seen(write.remove(key));
      warnAboutOrphans(write, options);
      return { object: await object, gone: true };
    }
    warnAboutOrphans(write, options);
    if (jsonEqual(next, stored)) return { object: live, gone: false };
    if (write.context.dryRun) return { object: deepFreeze(next), gone: false };
    return { object: await write.seen(write.put(key, next)), gone: false };
  }
}

/** ER-5: here the text names the kind where others name the resource. */
function checkPreconditions(resource: ResourceDef, stored: KubeObject, { preconditions }: DeleteOptions): void {
  if (!preconditions) return;
  const { uid, resourceVersion, name = '' } = stored.metadata;
  const refuse = (what: string, wanted: string, found: string | undefined, why: string): Error => {
    const text = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found ?? ''}). ${why}`;
    return conflict({ ...resource, plural: resource.kind }, name, text);
  };
  if (preconditions.uid !== undefined && preconditions.uid !== uid) {
    throw refuse('UID', preconditions.uid, uid, 'The object might have been deleted and then recreated');
  }
  if (preconditions.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion) {
    throw refuse(
      'ResourceVersion',
      preconditions.resourceVersion,
      resourceVersion,
      'The object might have been modified',
    );
  }
}

/** DL-2 */
function propagation(
  resource: ResourceDef,
  stored: KubeObject,
  options: DeleteOptions,
): 'Orphan' | 'Foreground' | 'Background' {
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  const finalizers = stored.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  if (finalizers.includes(FOREGROUND)) return 'Foreground';
  return resource.traits.defaultPropagation;
}

/** The object as it stays in the store after the delete, or `gone` when nothing holds it. */
function marked(write: Write, stored: KubeObject, options: DeleteOptions): KubeObject | 'gone' {
  const { resource } = write.target;
  const next = jsonCopy(stored);
  const { metadata } = next;
  if (!metadata.deletionTimestamp) resource.strategy.prepareForDeleteInPlace?.(next, write.context);
  const policy = propagation(resource, stored, options);
  const finalizers = (metadata.finalizers ?? []).filter(
    (finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND,
  );
  if (policy === 'Orphan') finalizers.push(ORPHAN);
  if (policy === 'Foreground') finalizers.push(FOREGROUND);
  if (!jsonEqual(finalizers, metadata.finalizers ?? [])) metadata.finalizers = finalizers;
  if (!finalizers.length) delete metadata.finalizers;

  if (isNamespaceKind(resource)) return markedNamespace(write, next);
  const grace = resource.traits.gracefulDelete ? graceOf(stored, options) : 0;
  const now = write.core.clock.now();
  if (!metadata.deletionTimestamp) {
    if (grace === 0 && !finalizers.length) return 'gone';
    metadata.deletionTimestamp = timestamp(now + grace * 1000);
    if (resource.traits.barelyMarked) return next;
    metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation) metadata.generation++;
    return next;
  }
  const left = metadata.deletionGracePeriodSeconds ?? 0;
  const wanted = options.gracePeriodSeconds === undefined && left > 0 ? left : grace;
  if (wanted < left) {
    const due = Date.parse(metadata.deletionTimestamp) - left * 1000 + wanted * 1000;
    metadata.deletionTimestamp = timestamp(Math.max(due, now));
    metadata.deletionGracePeriodSeconds = wanted > 0 && due < now ? 1 : wanted;
  }
  return metadata.deletionGracePeriodSeconds || finalizers.length ? next : 'gone';
}

/** DL-1, in seconds. */
function graceOf(pod: KubeObject, options: DeleteOptions): number {
  const spec = pod['spec'] as { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined;
  const phase = (pod['status'] as { phase?: string } | undefined)?.phase;
  if (!spec?.nodeName || phase === 'Succeeded' || phase === 'Failed') return 0;
  const grace = options.gracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? DEFAULT_POD_GRACE;
  return grace < 0 ? 1 : grace;
}

/** NS-2: a namespace waits for its content, whatever its metadata says. */
function markedNamespace(write: Write, namespace: KubeObject): KubeObject | 'gone' {
  const { metadata } = namespace;
  if (metadata.deletionTimestamp) {
    const held = specFinalizers(write.target.resource, namespace).length > 0 || metadata.finalizers?.length;
    return held ? namespace : 'gone';
  }
  metadata.deletionTimestamp = timestamp(write.core.clock.now());
  namespace['status'] = { ...(namespace['status'] as object | undefined), phase: 'Terminating' };
  return namespace;
}

/** DL-2: Jobs keep their Pods unless told otherwise, which surprises. */
function warnAboutOrphans(write: Write, options: DeleteOptions): void {
  const { resource } = write.target;
  if (
    groupKind(resource) !== 'Job.batch' ||
    options.propagationPolicy !== undefined ||
    options.orphanDependents !== undefined
  )
    return;
  write.context.warn(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set ' +
      'propagationPolicy=Orphan to suppress this warning',
  );
}
