import { gvkKey, type KindInfo, type KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';
import type { InformerScope, StreamStatus } from './contract.js';

/** `Pod in all namespaces`, `Pod in team-a with labels a=b`. */
export function scopeText(kind: Pick<KindInfo, 'kind' | 'scope'>, scope: InformerScope): string {
  const where =
    kind.scope === 'Cluster' ? '' : scope.namespace === undefined ? ' in all namespaces' : ` in ${scope.namespace}`;
  const labels = scope.labels === undefined ? '' : ` with labels ${scope.labels}`;
  return `${kind.kind}${where}${labels}${scope.fields === undefined ? '' : ` with fields ${scope.fields}`}`;
}

export const cacheErrors = {
  notStarted: (what: string): KubewrightError =>
    runtimeError('KW_CACHE_NOT_STARTED', `${what}: the cache is not started yet`, {
      fix: 'read after operator.start() has started the caches, or use client.live',
    }),
  notSynced: (what: string, status: StreamStatus, ms: number): KubewrightError =>
    runtimeError(
      'KW_CACHE_NOT_SYNCED',
      `${what}: the informer of ${scopeText(status.kind, status.scope)} is not complete after ${ms} ms; it is ${status.state}` +
        (status.lastError ? `: ${status.lastError.message}` : ''),
      { cause: status.lastError },
    ),
  notCached: (what: string): KubewrightError =>
    runtimeError('KW_CACHE_NOT_CACHED', `${what}: no informer holds what was asked for`, {
      fix: "watch the kind (@Owns, @Watches or option cache.kinds), or read with read: 'auto' or 'live'",
    }),
  index: (name: string, kind: string, declared: readonly string[]): KubewrightError =>
    runtimeError(
      'KW_CACHE_INDEX',
      `no informer of ${kind} declares the index "${name}"; declared: ${declared.length === 0 ? 'none' : declared.join(', ')}`,
      { fix: `add it where the kind is watched: { index: { ${name}: (object) => [...] } }` },
    ),
  badList: (what: string, found: string): KubewrightError =>
    runtimeError('KW_CACHE_BAD_LIST', `${what}: the answer is no list with a resourceVersion: ${found}`),
  malformed: (what: string, cause: unknown): KubewrightError =>
    runtimeError(
      'KW_CACHE_MALFORMED',
      `${what}: a transform or index function failed for this object: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause, fix: 'make the function accept the object, or read it with client.live' },
    ),
  transformConflict: (kind: KindInfo, first: string, second: string): KubewrightError =>
    runtimeError(
      'KW_CACHE_TRANSFORM_CONFLICT',
      `${first} and ${second} share one stream of ${gvkKey(kind)} and want different transforms or different indexes of one name`,
      { fix: 'give both the same function, or another name to one of the indexes' },
    ),
  stopped: (what: string): KubewrightError =>
    runtimeError('KW_CACHE_STOPPED', `${what}: the cache was stopped and cannot start again`),
};
