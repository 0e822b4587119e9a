import type { JsonObject, KubeObject, ObjectMeta } from '../core/types.js';

/** The parts of built-in objects that defaults, validation, columns and pretend controllers look at. */

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string | null;
  lastProbeTime?: string | null;
  lastUpdateTime?: string | null;
  observedGeneration?: number;
}

export interface Probe {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  httpGet?: { path?: string; scheme?: string; port?: number | string; httpHeaders?: { name: string }[] };
  exec?: { command?: string[] };
  tcpSocket?: { port?: number | string };
  grpc?: { port?: number };
  sleep?: { seconds?: number };
}

interface ResourceRequirements {
  limits?: Record<string, string>;
  requests?: Record<string, string>;
}

interface ContainerPort {
  name?: string;
  containerPort: number;
  hostPort?: number;
  protocol?: string;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: { apiVersion?: string; fieldPath: string };
    configMapKeyRef?: { name?: string; key?: string };
    secretKeyRef?: { name?: string; key?: string };
  };
}

export interface Container {
  name: string;
  image?: string;
  imagePullPolicy?: string;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  restartPolicy?: string;
  ports?: ContainerPort[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Record<string, Probe | undefined>;
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  envFrom?: { configMapRef?: object; secretRef?: object }[];
  securityContext?: {
    runAsUser?: number;
    runAsGroup?: number;
    privileged?: boolean;
    allowPrivilegeEscalation?: boolean;
  };
}

export type Volume = { name: string } & Record<string, JsonObject | undefined>;

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

export interface PodSpec {
  containers: Container[] | null;
  initContainers?: Container[];
  ephemeralContainers?: Container[];
  volumes?: Volume[];
  nodeName?: string;
  restartPolicy?: string;
  dnsPolicy?: string;
  schedulerName?: string;
  serviceAccountName?: string;
  serviceAccount?: string;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  securityContext?: { runAsUser?: number; runAsGroup?: number };
  nodeSelector?: Record<string, string>;
  hostname?: string;
  subdomain?: string;
  dnsConfig?: { nameservers?: string[] };
  hostAliases?: { ip: string; hostnames?: string[] }[];
  topologySpreadConstraints?: { maxSkew?: number }[];
  enableServiceLinks?: boolean;
  hostNetwork?: boolean;
  tolerations?: Toleration[];
  schedulingGates?: { name: string }[];
  readinessGates?: { conditionType: string }[];
  priority?: number;
  priorityClassName?: string;
  preemptionPolicy?: string;
}

export interface ContainerStatus {
  name: string;
  image: string;
  imageID: string;
  ready: boolean;
  restartCount: number;
  started?: boolean;
  containerID?: string;
  state?: {
    running?: { startedAt: string | null };
    waiting?: { reason?: string; message?: string };
    terminated?: {
      exitCode: number;
      signal?: number;
      reason?: string;
      startedAt?: string | null;
      finishedAt?: string | null;
    };
  };
  lastState?: ContainerStatus['state'];
}

export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  conditions?: Condition[];
  podIP?: string;
  podIPs?: { ip: string }[];
  hostIP?: string;
  hostIPs?: { ip: string }[];
  startTime?: string;
  qosClass?: string;
  nominatedNodeName?: string;
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
  observedGeneration?: number;
}

export interface Pod extends KubeObject {
  spec: PodSpec;
  status: PodStatus;
}

export interface PodTemplateSpec {
  metadata?: ObjectMeta;
  spec: PodSpec;
}

export interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
  appProtocol?: string;
}

export interface Service extends KubeObject {
  spec: {
    type?: string;
    ports?: ServicePort[];
    selector?: Record<string, string>;
    clusterIP?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    loadBalancerSourceRanges?: string[];
    externalName?: string;
    externalTrafficPolicy?: string;
    internalTrafficPolicy?: string;
    ipFamilies?: string[];
    ipFamilyPolicy?: string;
    sessionAffinity?: string;
    sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } };
    allocateLoadBalancerNodePorts?: boolean;
    publishNotReadyAddresses?: boolean;
  };
  status: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export interface WorkloadStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  fullyLabeledReplicas?: number;
  currentReplicas?: number;
  terminatingReplicas?: number;
  conditions?: Condition[];
}

/** ReplicaSet, Deployment, StatefulSet, DaemonSet as far as they agree. */
export interface Workload extends KubeObject {
  spec: {
    replicas?: number;
    selector?: LabelSelector;
    template: PodTemplateSpec;
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    paused?: boolean;
    progressDeadlineSeconds?: number;
    strategy?: { type?: string; rollingUpdate?: { maxUnavailable?: number | string; maxSurge?: number | string } };
  };
  status: WorkloadStatus;
}

export interface Job extends KubeObject {
  spec: {
    parallelism?: number;
    completions?: number;
    backoffLimit?: number;
    backoffLimitPerIndex?: number;
    activeDeadlineSeconds?: number;
    completionMode?: string;
    suspend?: boolean;
    manualSelector?: boolean;
    podReplacementPolicy?: string;
    podFailurePolicy?: JsonObject;
    selector?: LabelSelector;
    template: PodTemplateSpec;
    ttlSecondsAfterFinished?: number;
  };
  status: {
    active?: number;
    ready?: number;
    succeeded?: number;
    failed?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: Condition[];
    uncountedTerminatedPods?: JsonObject;
    terminating?: number;
  };
}
