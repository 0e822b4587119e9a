import { groupResource, type KindInfo, type KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';

export const clientErrors = {
  selector: (what: string, text: string, column: number, expected: string): KubewrightError =>
    runtimeError('KW_CLIENT_SELECTOR', `${what} "${text}", column ${column}: expected ${expected}`),
  kindUnknown: (found: string): KubewrightError =>
    runtimeError('KW_CLIENT_KIND_UNKNOWN', `${found} names no Kubernetes kind`, {
      fix: 'pass a class with @Resource, a model class of @kubernetes/client-node, or kind({ group, version, kind })',
    }),
  kindNotServed: (gvk: { group: string; version: string; kind: string }, what: string): KubewrightError =>
    runtimeError(
      'KW_CLIENT_KIND_NOT_SERVED',
      `${what}: the API server does not serve ${gvk.kind} in ${gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`}`,
      { fix: 'apply its CustomResourceDefinition, or correct group, version and kind' },
    ),
  kindMismatch: (what: string, found: string, expected: string): KubewrightError =>
    runtimeError('KW_CLIENT_KIND_MISMATCH', `${what}: the object says ${found}, the call says ${expected}`),
  nameRequired: (what: string): KubewrightError =>
    runtimeError('KW_CLIENT_NAME_REQUIRED', `${what}: the target has no name`),
  namespaceRequired: (what: string, kind: KindInfo): KubewrightError =>
    runtimeError(
      'KW_CLIENT_NAMESPACE_REQUIRED',
      `${what}: ${kind.kind} is namespaced and the target names no namespace`,
      {
        fix: 'set metadata.namespace, or pass { namespace, name }',
      },
    ),
  namespaceUnwanted: (what: string, kind: KindInfo, namespace: string): KubewrightError =>
    runtimeError(
      'KW_CLIENT_NAMESPACE_UNWANTED',
      `${what}: ${kind.kind} is cluster-scoped and cannot be in namespace ${namespace}`,
      {
        fix: 'leave metadata.namespace out',
      },
    ),
  namespaceMismatch: (what: string, found: string, bound: string): KubewrightError =>
    runtimeError('KW_CLIENT_NAMESPACE_MISMATCH', `${what}: namespace ${found}, but this client is bound to ${bound}`),
  updateWithoutVersion: (what: string): KubewrightError =>
    runtimeError('KW_CLIENT_UPDATE_WITHOUT_VERSION', `${what}: the object has no metadata.resourceVersion`, {
      fix: 'update what a read returned, use patch or apply, or pass { unconditional: true }',
    }),
  updateTransformed: (what: string): KubewrightError =>
    runtimeError(
      'KW_CLIENT_UPDATE_TRANSFORMED',
      `${what}: the cache holds only part of this kind; an update would erase the rest`,
      {
        fix: 'use patch or apply, or read with client.live and update that',
      },
    ),
  patchBody: (what: string, type: string): KubewrightError =>
    runtimeError(
      'KW_CLIENT_PATCH_BODY',
      `${what}: a ${type} patch takes ${type === 'json' ? 'a list of operations' : 'an object'}`,
    ),
  strategicCustom: (what: string, kind: KindInfo): KubewrightError =>
    runtimeError(
      'KW_CLIENT_STRATEGIC_CUSTOM',
      `${what}: ${groupResource(kind)} is a custom kind, which knows no strategic merge patch`,
      {
        fix: "use type: 'merge' or apply",
      },
    ),
  applyReadObject: (what: string): KubewrightError =>
    runtimeError(
      'KW_CLIENT_APPLY_READ_OBJECT',
      `${what}: the object was read (it has uid, creationTimestamp or managedFields)`,
      {
        fix: 'apply an object that states only what you want',
      },
    ),
  lockWithoutVersion: (what: string): KubewrightError =>
    runtimeError(
      'KW_CLIENT_LOCK_WITHOUT_VERSION',
      `${what}: optimisticLock needs metadata.resourceVersion on the target`,
    ),
  mutateKey: (what: string): KubewrightError =>
    runtimeError('KW_CLIENT_MUTATE_KEY', `${what}: name or namespace of the object was changed; nothing was written`, {
      fix: 'change other fields only, or create the other object',
    }),
  deleteAll: (what: string): KubewrightError =>
    runtimeError('KW_CLIENT_DELETE_ALL', `${what}: no selector was given`, {
      fix: 'pass labels or fields, or { all: true } if all objects are meant',
    }),
  tokenSeconds: (what: string, seconds: number): KubewrightError =>
    runtimeError('KW_CLIENT_TOKEN_SECONDS', `${what}: expirationSeconds ${seconds} is less than 600`, {
      fix: 'ask for at least 600 seconds',
    }),
  noStatus: (what: string, kind: KindInfo): KubewrightError =>
    runtimeError('KW_CLIENT_NO_STATUS', `${what}: ${kind.kind} has no status subresource`, {
      fix: 'mark the status property of the class with @Status and apply the new CRD',
    }),
};
