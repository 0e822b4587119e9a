import { isStatusError } from './core/errors.js';
import { parseApiVersion } from './core/registry.js';
import type { CallOptions, JsonValue, KubeObject, Semantics, Target } from './core/types.js';

const CALL: CallOptions = {
  principal: { name: 'embedded-admin', groups: ['system:masters', 'system:authenticated'] },
  fieldManager: 'kubewright-seed',
};

/** CRDs come first, then namespaces, then the rest, each in the order given (OP-9). */
function rank(object: KubeObject): number {
  if (object.kind === 'CustomResourceDefinition') return 0;
  return object.kind === 'Namespace' && object.apiVersion === 'v1' ? 1 : 2;
}

/** Creates objects; those that exist already are brought to the given state. The first invalid one fails the whole. */
export async function seedObjects(semantics: Semantics, objects: readonly KubeObject[]): Promise<void> {
  const sorted = [...objects].sort((a, b) => rank(a) - rank(b));
  for (const object of sorted) {
    try {
      await seedObject(semantics, object);
    } catch (error) {
      const { name, namespace } = object.metadata ?? {};
      const what = `${object.apiVersion} ${object.kind} ${namespace ? `${namespace}/` : ''}${name ?? ''}`;
      throw new Error(`${what} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}

async function seedObject(semantics: Semantics, object: KubeObject): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion ?? '');
  let resource = semantics.registry.byKind(group, object.kind);
  if (!resource && group !== '') {
    // A definition seeded just before is established by its controller.
    await semantics.settle();
    resource = semantics.registry.byKind(group, object.kind);
  }
  if (!resource)
    throw new Error(
      `this server has no kind ${object.kind} in ${object.apiVersion}; load its CustomResourceDefinition too`,
    );
  const { name } = object.metadata ?? {};
  const namespace = resource.namespaced ? (object.metadata?.namespace ?? 'default') : undefined;
  const target: Target = { resource, version, namespace };
  const value = object as unknown as JsonValue;
  try {
    await semantics.objects.create(target, { value }, CALL);
  } catch (error) {
    if (!isStatusError(error) || error.code !== 409 || !name) throw error;
    await semantics.objects.patch({ ...target, name }, { type: 'apply', body: { value }, force: true }, CALL);
  }
}

/** Creates what exists before the first request and is not there from an earlier run. */
export async function bootstrap(semantics: Semantics, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const { group, version } = parseApiVersion(object.apiVersion);
    const resource = semantics.registry.byKind(group, object.kind);
    if (!resource) continue;
    const { name } = object.metadata;
    const target: Target = {
      resource,
      version,
      namespace: resource.namespaced ? object.metadata.namespace : undefined,
    };
    const body = { value: object as unknown as JsonValue };
    const call = { ...CALL, fieldManager: 'embedded-bootstrap' };
    if (!(await exists(semantics, { ...target, name }))) await semantics.objects.create(target, body, call);
    // The port may be another one than in the earlier run.
    else if (object.kind === 'EndpointSlice') await semantics.objects.update({ ...target, name }, body, call);
  }
}

async function exists(semantics: Semantics, target: Target): Promise<boolean> {
  try {
    await semantics.objects.get(target, CALL);
    return true;
  } catch (error) {
    if (isStatusError(error) && error.code === 404) return false;
    throw error;
  }
}
