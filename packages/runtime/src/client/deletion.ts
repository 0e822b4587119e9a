import type { KindInfo, ObjectTarget } from '@kubewright/api';

/** What tells whether an object that is being deleted is still there. */
export interface Deletable extends ObjectTarget {
  readonly spec?: { readonly finalizers?: readonly string[] } | undefined;
}

/** Whether finalizers or a grace period keep an object whose deletion was asked for (L12). */
export function isHeld(kind: Pick<KindInfo, 'group' | 'kind'>, { metadata, spec }: Deletable): boolean {
  const isNamespace = kind.group === '' && kind.kind === 'Namespace';
  return (
    (metadata?.finalizers?.length ?? 0) > 0 ||
    (isNamespace && (spec?.finalizers?.length ?? 0) > 0) ||
    (metadata?.deletionGracePeriodSeconds ?? 0) > 0
  );
}

/** Whether the answer of a write shows an object that the write was the last to hold: it is gone by now. */
export function isLastState(kind: Pick<KindInfo, 'group' | 'kind'>, object: Deletable): boolean {
  return object.metadata?.deletionTimestamp !== undefined && !isHeld(kind, object);
}
