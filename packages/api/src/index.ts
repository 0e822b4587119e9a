export { builtinKind, builtinKindOfClass } from './builtin-kinds.js';
export {
  ApiError,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNamespaceTerminating,
  isNotFound,
  isThrottled,
  isTimeout,
  isUnauthorized,
} from './api-error.js';
export type { ApiErrorOptions, StatusCause, StatusDetails } from './api-error.js';
export { Client } from './client.js';
export type {
  ApplyOptions,
  ApplyOutcome,
  CallOptions,
  ClientScope,
  DeleteOptions,
  DeleteOutcome,
  Editable,
  EnsureOutcome,
  EnsurePatchOutcome,
  FieldSelector,
  FieldValidation,
  LabelSelector,
  ListOptions,
  Mutate,
  ObjectTarget,
  PatchFromOptions,
  PatchOptions,
  PatchType,
  ReadMode,
  ReadOptions,
  ResourceList,
  StatusClient,
  StatusPatchOptions,
  Target,
  UpdateOptions,
  WriteOptions,
} from './client.js';
export { sleep, SystemClock } from './clock.js';
export type { Clock, TimerHandle } from './clock.js';
export { parseDuration } from './duration.js';
export type { Duration } from './duration.js';
export { isKubewrightError, isTerminalError, KubewrightError, TerminalError } from './error.js';
export type { ErrorDetail, KubewrightErrorOptions } from './error.js';
export type { CreateEvent, DeleteEvent, GenericEvent, ObjectEvent, UpdateEvent } from './event.js';
export { apiVersionOf, groupResource, gvkKey, parseApiVersion } from './gvk.js';
export type { GroupVersionKind, KindInfo, Scope } from './gvk.js';
export type { Enqueue, EnqueueOptions, EventHandler } from './handler.js';
export { Logger } from './logger.js';
export { metadataOf, metadataSource } from './metadata-of.js';
export { kind, KubernetesResource } from './object.js';
export type {
  Draft,
  KindRef,
  KindToken,
  KubernetesObject,
  ObjectMeta,
  OwnerReference,
  Stored,
  StoredObject,
  StoredObjectMeta,
  Wire,
} from './object.js';
export type { EventPredicate } from './predicate.js';
export type { Cause, Context, Reconciler } from './reconciler.js';
export { requestKey } from './request.js';
export type { Request } from './request.js';
export { Result } from './result.js';
export type { RequeueAfterOptions } from './result.js';
export type {
  DeleteAllOfOptions,
  EvictOptions,
  IssuedToken,
  Scale,
  ScaleClient,
  SubresourceClient,
  TokenOptions,
} from './subresources.js';
