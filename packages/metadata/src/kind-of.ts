import { builtinKind, builtinKindOfClass, type KindInfo, type KindRef } from '@kubewright/api';
import { type Class, isClass } from './class-type.js';
import type { EventChannel, ResourceOptions } from './record.js';
import { pluralOf } from './plural.js';
import { recordOf } from './store.js';

/** How messages name a kind: the class, or the kind of a token. */
export function refName(ref: unknown): string {
  if (typeof ref === 'function') return ref.name || 'anonymous class';
  if (typeof ref === 'object' && ref !== null && 'kind' in ref) return String(ref.kind);
  return String(ref);
}

/** Whether a value can name a kind at all. */
export function isKindRef(value: unknown): value is KindRef<unknown> {
  return isClass(value) || isToken(value);
}

/** Whether a value is a channel of events from outside the cluster. */
export function isChannel(value: unknown): value is EventChannel {
  return typeof value === 'object' && value !== null && 'push' in value && 'source' in value;
}

const isToken = (value: unknown): value is { group: string; version: string; kind: string } =>
  typeof value === 'object' && value !== null && 'group' in value && 'version' in value && 'kind' in value;

/**
 * What is known of a kind without asking a server: `@Resource` classes, model classes, tokens of built-in kinds or with
 * plural and scope. Undefined for tokens that need discovery and for classes that are no kind.
 */
export function kindOf(ref: KindRef<unknown>): KindInfo | undefined {
  if (isClass(ref)) {
    const { resource } = recordOf(ref);
    return resource ? kindInfoOf(ref, resource) : builtinKindOfClass(ref);
  }
  if (!isToken(ref)) return undefined;
  const { group, version, kind, plural, scope, hasStatus } = ref;
  const builtin = builtinKind({ group, version, kind });
  if (builtin) return builtin;
  if (plural === undefined || scope === undefined) return undefined;
  return { group, version, kind, plural, scope, ...(hasStatus !== undefined && { hasStatus }) };
}

/** The kind a `@Resource` class describes. */
export function kindInfoOf(cls: Class, resource: ResourceOptions): KindInfo {
  const kind = resource.kind ?? cls.name;
  return {
    group: resource.group,
    version: resource.version,
    kind,
    plural: resource.plural ?? pluralOf(kind.toLowerCase()),
    scope: resource.scope ?? 'Namespaced',
    hasStatus: Object.values(recordOf(cls).properties).some((property) => property.status?.subresource === true),
  };
}
