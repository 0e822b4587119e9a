import type { KindInfo } from '@kubewright/api';

/** What a path is about. */
export interface ResourcePath {
  readonly kind: Pick<KindInfo, 'group' | 'version' | 'plural' | 'scope'>;
  /** Ignored for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** `/api/v1` or `/apis/group/version`. */
export function groupVersionPath(gv: { readonly group: string; readonly version: string }): string {
  return gv.group === '' ? `/api/${gv.version}` : `/apis/${gv.group}/${gv.version}`;
}

/** The path of a collection, object or subresource; each segment is percent-encoded once, its case untouched (T13). */
export function resourcePath({ kind, namespace, name, subresource }: ResourcePath): string {
  let path = groupVersionPath(kind);
  if (namespace !== undefined && kind.scope === 'Namespaced') path += `/namespaces/${encodeURIComponent(namespace)}`;
  path += `/${kind.plural}`;
  if (name !== undefined) path += `/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** Appends the parameters that are set; false counts as not set. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  let text = '';
  for (const name in query) {
    const value = query[name];
    if (value !== undefined && value !== false)
      text += `${text === '' ? '?' : '&'}${name}=${encodeURIComponent(value)}`;
  }
  return path + text;
}
