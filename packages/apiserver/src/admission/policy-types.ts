import type { KubeObject } from '../core/types.js';
import type { MatchCondition, WebhookRule } from '../webhooks/types.js';

export const POLICY_GROUP = 'admissionregistration.k8s.io';

interface NamedRule extends WebhookRule {
  readonly resourceNames?: readonly string[];
}

/** Which requests a policy or a binding is about. */
export interface MatchResources {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: unknown;
  readonly objectSelector?: unknown;
  readonly resourceRules?: readonly NamedRule[];
  readonly excludeResourceRules?: readonly NamedRule[];
}

export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/** A ValidatingAdmissionPolicy, with its defaults filled in by the kind. */
export interface Policy extends KubeObject {
  readonly spec: {
    readonly failurePolicy?: string;
    readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
    readonly matchConstraints?: MatchResources;
    readonly matchConditions?: readonly MatchCondition[];
    readonly variables?: readonly MatchCondition[];
    readonly validations?: readonly Validation[];
  };
}

export interface PolicyBinding extends KubeObject {
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: unknown;
      readonly parameterNotFoundAction?: string;
    };
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly string[];
  };
}
