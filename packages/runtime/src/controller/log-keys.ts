import type { KindInfo, Request } from '@kubewright/api';

/** Log keys of a controller, and of a request of its (M18). */
export function logKeys(
  { name: controller, kind }: { readonly name: string; readonly kind?: Pick<KindInfo, 'group' | 'kind'> },
  request?: Request,
): Record<string, unknown> {
  const own = { controller, ...(kind && { controllerGroup: kind.group, controllerKind: kind.kind }) };
  if (request === undefined) return own;
  const { cluster, namespace, name } = request;
  return {
    ...own,
    ...(kind && { [kind.kind]: { namespace, name } }),
    ...(cluster !== undefined && { cluster }),
    namespace,
    name,
  };
}
