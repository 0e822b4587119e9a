import { KubernetesResource, Nested, Resource, Status } from 'kubewright';

class PodSetSpec {
  replicas!: number;
}

class PodSetStatus {
  podNames?: string[];
}

/** The PodSet of the benches' CRD; only what the workloads read. */
@Resource({ group: 'app.example.com', version: 'v1alpha1' })
export class PodSet extends KubernetesResource {
  @Nested(() => PodSetSpec) spec!: PodSetSpec;
  @Status(() => PodSetStatus) status?: PodSetStatus;
}
