import type { Request } from '@kubewright/api';

/** The inverse of `requestKey`: `cluster|namespace/name`, with empty parts left out. */
export function requestOfKey(key: string): Request {
  const [, cluster, namespace, name = ''] = /^(?:([^|]*)\|)?(?:([^/]*)\/)?(.*)$/s.exec(key) ?? [];
  return { ...(cluster !== undefined && { cluster }), ...(namespace !== undefined && { namespace }), name };
}
