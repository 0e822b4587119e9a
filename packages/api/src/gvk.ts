/** The identity of a kind: two kinds of one name in different groups are different kinds. */
export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export type Scope = 'Namespaced' | 'Cluster';

/** All that a client must know of a kind to address it. */
export interface KindInfo extends GroupVersionKind {
  /** Lower-case plural as in URLs: `pods`. */
  readonly plural: string;
  readonly scope: Scope;
  /**
   * Whether the kind has a status subresource. Undefined when nothing is known (a kind found by discovery); the server
   * decides then.
   */
  readonly hasStatus?: boolean;
}

/** `v1` for the core group, else `group/version`. */
export function apiVersionOf(gvk: Pick<GroupVersionKind, 'group' | 'version'>): string {
  return gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
}

/** The inverse of {@link apiVersionOf}. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `group/version/Kind`, unique per GVK; for maps and messages. */
export function gvkKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}

/** `plural.group`, or `plural` in the core group: what RBAC texts and `kubectl` call the resource. */
export function groupResource(kind: Pick<KindInfo, 'group' | 'plural'>): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}
