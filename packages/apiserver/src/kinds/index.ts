import type { KubeObject, ResourceDef } from '../core/types.js';
import { admissionPolicies } from './admission-policies.js';
import { apiServices } from './api-services.js';
import { controllerRevisions, daemonSets, deployments, replicaSets, statefulSets } from './apps.js';
import { horizontalPodAutoscalers } from './autoscaling.js';
import { cronJobs, jobs } from './batch.js';
import { certificateSigningRequests } from './certificates.js';
import { namespaces, nodes, serviceAccounts } from './cluster.js';
import { configMaps, secrets } from './config.js';
import { endpoints, endpointSlices } from './endpoints.js';
import { coreEvents, newEvents } from './events.js';
import { flowSchemas, priorityLevelConfigurations } from './flow-control.js';
import { leases } from './leases.js';
import { ingressClasses, ingresses, networkPolicies } from './networking.js';
import { pods } from './pod.js';
import { limitRanges, podDisruptionBudgets, priorityClasses, resourceQuotas, runtimeClasses } from './policy.js';
import { rbacKinds } from './rbac.js';
import {
  csiNodes,
  resourceClaimKinds,
  resourceSlices,
  storageVersionMigrations,
  volumeAttributesClasses,
} from './resource-claims.js';
import { bindings, reviews } from './reviews.js';
import { services } from './service.js';
import { csiDrivers, persistentVolumeClaims, persistentVolumes, storageClasses } from './storage.js';
import { podTemplates, replicationControllers } from './templates.js';
import { webhookConfigurations } from './webhook-configs.js';

export { bootstrapObjects } from './bootstrap.js';

/** What built-in kinds need of the server they belong to. */
interface BuiltinDeps {
  /** Stored objects of a collection (storage key), to see which addresses and ports are taken. */
  stored(storage: string): readonly KubeObject[];
}

/** All built-in resources of one server (KI-1), in the order of discovery. CustomResourceDefinitions come from `crd`. */
export function builtinResources(deps: BuiltinDeps): ResourceDef[] {
  return [
    // core
    bindings(),
    configMaps(),
    endpoints(),
    coreEvents(),
    limitRanges(),
    namespaces(),
    nodes(),
    persistentVolumeClaims(),
    persistentVolumes(),
    pods(),
    podTemplates(),
    replicationControllers(),
    resourceQuotas(),
    secrets(),
    serviceAccounts(),
    services(() => deps.stored('services')),
    // groups
    controllerRevisions(),
    daemonSets(),
    deployments(),
    replicaSets(),
    statefulSets(),
    newEvents(),
    ...reviews(),
    horizontalPodAutoscalers(),
    cronJobs(),
    jobs(),
    ingressClasses(),
    ingresses(),
    networkPolicies(),
    podDisruptionBudgets(),
    ...rbacKinds(),
    csiDrivers(),
    csiNodes(),
    storageClasses(),
    volumeAttributesClasses(),
    storageVersionMigrations(),
    ...webhookConfigurations(),
    ...admissionPolicies(),
    flowSchemas(),
    priorityLevelConfigurations(),
    ...resourceClaimKinds(),
    resourceSlices(),
    apiServices(),
    certificateSigningRequests(),
    priorityClasses(),
    leases(),
    runtimeClasses(),
    endpointSlices(),
  ];
}
