import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { Default, KubernetesResource, Nested, PrinterColumn, Resource, Scale, Status } from 'kubewright';

export class PodSetSpec {
  /** How many Pods to keep running. */
  @IsInt()
  @Min(0)
  @Default(1)
  @PrinterColumn({ name: 'Desired' })
  replicas!: number;
}

export class PodSetStatus {
  /** Names of the Pods that exist, sorted. */
  @IsString({ each: true })
  @IsOptional()
  podNames?: string[];

  /** Where the scale subresource looks for the number of Pods. */
  @IsInt()
  @IsOptional()
  replicas?: number;
}

@Resource({ group: 'app.example.com', version: 'v1alpha1' })
@Scale({ spec: '.spec.replicas', status: '.status.replicas' })
export class PodSet extends KubernetesResource {
  @Nested(() => PodSetSpec)
  spec!: PodSetSpec;

  @Status(() => PodSetStatus)
  status?: PodSetStatus;
}
