// The kinds whose schemas and protobuf messages are generated: what the server stores or answers, and the bodies it reads.

const kinds = {
  v1: `Namespace ConfigMap Secret ServiceAccount Event Service Endpoints Pod Node PersistentVolumeClaim PersistentVolume
    ResourceQuota LimitRange ReplicationController PodTemplate Binding`,
  'events.k8s.io/v1': 'Event',
  'coordination.k8s.io/v1': 'Lease',
  'discovery.k8s.io/v1': 'EndpointSlice',
  'apps/v1': 'Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision',
  'batch/v1': 'Job CronJob',
  'rbac.authorization.k8s.io/v1': 'Role RoleBinding ClusterRole ClusterRoleBinding',
  'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
  'admissionregistration.k8s.io/v1': `MutatingWebhookConfiguration ValidatingWebhookConfiguration
    ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding MutatingAdmissionPolicy MutatingAdmissionPolicyBinding`,
  'autoscaling/v1': 'Scale HorizontalPodAutoscaler',
  'autoscaling/v2': 'HorizontalPodAutoscaler',
  'policy/v1': 'PodDisruptionBudget Eviction',
  'networking.k8s.io/v1': 'Ingress IngressClass NetworkPolicy',
  'scheduling.k8s.io/v1': 'PriorityClass',
  'storage.k8s.io/v1': 'StorageClass CSIDriver CSINode VolumeAttributesClass',
  'storagemigration.k8s.io/v1': 'StorageVersionMigration',
  'flowcontrol.apiserver.k8s.io/v1': 'FlowSchema PriorityLevelConfiguration',
  'resource.k8s.io/v1': 'DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice',
  'apiregistration.k8s.io/v1': 'APIService',
  'certificates.k8s.io/v1': 'CertificateSigningRequest',
  'node.k8s.io/v1': 'RuntimeClass',
  'authentication.k8s.io/v1': 'TokenRequest TokenReview SelfSubjectReview',
  'authorization.k8s.io/v1':
    'SubjectAccessReview LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview',
};

/** `[apiVersion, kind]` pairs. */
export const servedKinds = Object.entries(kinds).flatMap(([version, names]) =>
  names.split(/\s+/).map((kind) => [version, kind]),
);
