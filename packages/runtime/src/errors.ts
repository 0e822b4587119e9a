import { KubewrightError, type KubewrightErrorOptions } from '@kubewright/api';

/** Every code this package makes, with what it means in one line. Documentation is kept equal to this table by a test. */
export const runtimeErrorCodes = {
  KW_CLUSTER_NO_CONFIG: 'No place told how to reach a cluster.',
  KW_CLUSTER_CONFIG: 'The cluster configuration that was found cannot be used.',
  KW_CLUSTER_EXEC: 'The credential plugin of the kubeconfig failed.',
  KW_CLUSTER_PROXY: 'The proxy URL has a scheme that is not supported.',
  KW_TRANSPORT_FAILED: 'No answer came from the API server.',
  KW_TRANSPORT_TLS: 'The certificate of the API server was refused.',
  KW_TRANSPORT_UNKNOWN_OUTCOME: 'A write was sent and no answer came: it may or may not have happened.',
  KW_TRANSPORT_TIMEOUT: 'The time limit of the call is over.',
  KW_TRANSPORT_CLOSED: 'The transport was closed.',
  KW_JSON_VALUE: 'An object to be sent holds a value that JSON cannot say.',
  KW_JSON_UNSAFE_INTEGER: 'An object to be sent holds a whole number that was rounded when it was read.',
  KW_CLIENT_KIND_UNKNOWN: 'The reference names no kind.',
  KW_CLIENT_KIND_NOT_SERVED: 'The API server does not serve the kind.',
  KW_CLIENT_KIND_MISMATCH: 'The object names another kind than the call.',
  KW_CLIENT_NAME_REQUIRED: 'The target has no name.',
  KW_CLIENT_NAMESPACE_REQUIRED: 'The kind is namespaced and the target has no namespace.',
  KW_CLIENT_NAMESPACE_UNWANTED: 'The kind is cluster-scoped and the object to be written has a namespace.',
  KW_CLIENT_NAMESPACE_MISMATCH: 'The client is bound to another namespace.',
  KW_CLIENT_SELECTOR: 'A selector text cannot be read.',
  KW_CLIENT_UPDATE_WITHOUT_VERSION: 'An update needs the resourceVersion of the object it replaces.',
  KW_CLIENT_UPDATE_TRANSFORMED: 'The update would erase what a transform cut off.',
  KW_CLIENT_PATCH_BODY: 'The patch body does not fit the patch type.',
  KW_CLIENT_STRATEGIC_CUSTOM: 'Custom kinds know no strategic merge patch.',
  KW_CLIENT_APPLY_READ_OBJECT: 'An object that was read cannot be applied.',
  KW_CLIENT_LOCK_WITHOUT_VERSION: 'An optimistic lock needs the resourceVersion of the target.',
  KW_CLIENT_NO_STATUS: 'The kind has no status subresource.',
  KW_CLIENT_MUTATE_KEY: 'A callback changed name or namespace of the object it was given.',
  KW_CLIENT_DELETE_ALL: 'A delete of many objects names no selector.',
  KW_CLIENT_TOKEN_SECONDS: 'The life of a token is shorter than the server takes.',
  KW_OWNER_NO_UID: 'The owner was not read from the API server.',
  KW_OWNER_SCOPE: 'A namespaced owner cannot own a cluster-scoped object.',
  KW_OWNER_NAMESPACE: 'Owner and object are in different namespaces.',
  KW_OWNER_TAKEN: 'The object already has another controller.',
  KW_OWNER_ABSENT: 'The object does not have that owner.',
  KW_CACHE_NOT_STARTED: 'A cached read came before the cache was started.',
  KW_CACHE_NOT_SYNCED: 'The cache did not become complete in time.',
  KW_CACHE_NOT_CACHED: 'Read mode "cache" was asked of what no informer holds.',
  KW_CACHE_INDEX: 'No informer of the kind declares the index.',
  KW_CACHE_BAD_LIST: 'The answer to a list is no list.',
  KW_CACHE_MALFORMED: 'A transform or index function failed for the object.',
  KW_CACHE_TRANSFORM_CONFLICT: 'Two users of one stream want different transforms.',
  KW_CACHE_STOPPED: 'The cache was stopped.',
  KW_CACHE_SYNC: 'Not every watched kind could be listed in time.',
  KW_PREDICATE_PATH: 'The text names no field path.',
  KW_CONTROLLER_NO_SOURCE: 'A controller needs a reconcile method and something to watch.',
  KW_CONTROLLER_STARTED: 'A controller can be started once.',
  KW_CONTROLLER_RESULT: 'A reconcile returned something that is no Result.',
  KW_CONTROLLER_THREW: 'User code threw something that is no Error.',
  KW_RECONCILE_TIMEOUT: 'A reconcile took longer than its time-out.',
  KW_MANAGER_STARTED: 'A manager can be started once.',
  KW_MANAGER_STOPPING: 'The manager is stopping and takes nothing new.',
  KW_MANAGER_STOPPED: 'The manager was stopped.',
  KW_MANAGER_TIMEOUT: 'Something did not end within the graceful time.',
  KW_MANAGER_FORCED: 'A second signal ended the graceful time.',
  KW_MANAGER_NAME_TAKEN: 'Two controllers of one manager have the same name.',
  KW_PORT_IN_USE: 'The port is taken by another process.',
  KW_HEALTH_STARTED: 'Health checks are added before the start.',
} as const;

/** A code of {@link runtimeErrorCodes}. */
export type RuntimeErrorCode = keyof typeof runtimeErrorCodes;

/** Makes an error of this package. Call sites use it through the factories of their folder's `errors.ts`. */
export function runtimeError(
  code: RuntimeErrorCode,
  message: string,
  options: KubewrightErrorOptions = {},
): KubewrightError {
  return new KubewrightError(code, options.fix === undefined ? message : `${message}; fix: ${options.fix}`, options);
}
