import type { CrdCondition, CrdStatus, CustomResourceDefinition } from './types.js';

/** What a condition says, without its time. */
export type Statement = Pick<CrdCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The condition of a type, if the definition has it. */
export function conditionOf(crd: CustomResourceDefinition, type: string): CrdCondition | undefined {
  return crd.status?.conditions?.find((condition) => condition.type === type);
}

/** The status with a condition set; its time changes only with its status. Shares structure with the old one. */
export function withCondition(status: CrdStatus, statement: Statement, now: string): CrdStatus {
  const conditions = status.conditions ?? [];
  const old = conditions.find((condition) => condition.type === statement.type);
  const time = old?.status === statement.status && old.lastTransitionTime ? old.lastTransitionTime : now;
  const next: CrdCondition = {
    lastTransitionTime: time,
    ...(statement.message === undefined ? {} : { message: statement.message }),
    ...(statement.reason === undefined ? {} : { reason: statement.reason }),
    status: statement.status,
    type: statement.type,
  };
  return { ...status, conditions: old ? conditions.map((c) => (c === old ? next : c)) : [...conditions, next] };
}

/** The finalizer that holds a definition until its instances are gone (CR-5). */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
