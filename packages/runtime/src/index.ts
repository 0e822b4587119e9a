// Transport and authentication
export type { ClusterConfig, Credential, CredentialSource } from './auth/credentials.js';
export { FixedCredential } from './auth/credentials.js';
export type { Kubeconfig } from './auth/kubeconfig.js';
export type { LoadClusterOptions } from './auth/load-cluster.js';
export { loadCluster } from './auth/load-cluster.js';
export type {
  HttpMethod,
  ResponseHeaders,
  RetryPolicy,
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
} from './transport/contract.js';
export type { HttpTransportOptions } from './transport/http-transport.js';
export { HttpTransport } from './transport/http-transport.js';
export { microTime } from './transport/time-format.js';
export type { TlsMaterial } from './transport/tls.js';

// Client
export type { KubeClientOptions } from './client/core.js';
export { parseFieldSelector } from './client/field-selector.js';
export { mutable } from './client/json.js';
export type { KindRegistryOptions } from './client/kind-registry.js';
export { KindRegistry } from './client/kind-registry.js';
export { KubeClient } from './client/kube-client.js';
export type { ParsedSelector } from './client/label-selector.js';
export { parseLabelSelector } from './client/label-selector.js';
export type { ControllerReferenceOptions } from './client/owner-references.js';
export {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './client/owner-references.js';

// Cache
export type {
  Cache,
  HandlerRegistration,
  Indexers,
  Informer,
  InformerHandler,
  InformerOptions,
  InformerScope,
  StreamState,
  StreamStatus,
} from './cache/contract.js';
export type { SharedCacheOptions } from './cache/shared-cache.js';
export { SharedCache } from './cache/shared-cache.js';

// Events
export type { MapFunction, Mapped } from './handler/for-mapping.js';
export { forMapping } from './handler/for-mapping.js';
export { forObject } from './handler/for-object.js';
export type { ForOwnerOptions } from './handler/for-owner.js';
export { forOwner } from './handler/for-owner.js';
export { always, inNamespaces, never, onlyOn, where } from './predicate/by-object.js';
export {
  annotationsChanged,
  fieldChanged,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  resourceVersionChanged,
  specChanged,
  statusChanged,
} from './predicate/changes.js';
export { matchesLabels } from './predicate/matches-labels.js';
export { allOf, anyOf, not, Predicate } from './predicate/predicate.js';
export { Channel, channelSource } from './source/channel-source.js';
export type { EventCounters, Source, SourceHost } from './source/contract.js';
export type { EverySourceOptions } from './source/every-source.js';
export { EverySource } from './source/every-source.js';
export type { LateSourceOptions } from './source/late-source.js';
export { LateSource } from './source/late-source.js';
export type { EventPipelineOptions } from './source/event-pipeline.js';
export type { KindSourceOptions } from './source/kind-source.js';
export { KindSource } from './source/kind-source.js';

// Work queue
export { bucket } from './workqueue/bucket.js';
export type { AddOptions, CauseRecord, CoalesceOptions, QueueSnapshot, WorkItem } from './workqueue/contract.js';
export { fastSlow } from './workqueue/fast-slow.js';
export { itemExponential } from './workqueue/item-exponential.js';
export { maxOf } from './workqueue/max-of.js';
export { perKeyWindow } from './workqueue/per-key-window.js';
export type { RateLimiter } from './workqueue/rate-limiter.js';
export type { WorkQueueOptions } from './workqueue/work-queue.js';
export { WorkQueue } from './workqueue/work-queue.js';

// Controller and manager
export type { ControllerConfig, WatchHandle } from './controller/controller.js';
export { Controller } from './controller/controller.js';
export type { ControllerCounters } from './controller/counters.js';
export type { ControllerOptions, ResolvedControllerOptions } from './controller/options.js';
export type { HealthCheck } from './health/health-check.js';
export type { HealthServerOptions } from './health/health-server.js';
export { HealthServer } from './health/health-server.js';
export type {
  Control,
  ControllerSnapshot,
  ErrorText,
  Inspector,
  InspectorEvent,
  KeySnapshot,
  ManagerSnapshot,
  RunRecord,
  StreamSnapshot,
} from './inspector/contract.js';
export { ClusterDiagnostics } from './manager/cluster-diagnostics.js';
export type { ManagerOptions } from './manager/manager.js';
export { Manager } from './manager/manager.js';
export type { SignalSource } from './manager/process-signals.js';
export type { Runnable } from './manager/runnable.js';
export type { Diagnostics } from './manager/source-fault.js';
export type { RunContext } from './run-context.js';
export { RunContexts } from './run-context.js';

// Errors
export type { RuntimeErrorCode } from './errors.js';
export { runtimeErrorCodes } from './errors.js';
