/** A rule of a webhook: which requests it wants to see. */
export interface WebhookRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM, base64. */
  readonly caBundle?: string;
}

/** One entry of a webhook configuration, with its defaults filled in by the kind (AD-3). */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: ClientConfig;
  readonly rules?: readonly WebhookRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: unknown;
  readonly objectSelector?: unknown;
  readonly timeoutSeconds?: number;
  readonly reinvocationPolicy?: string;
  readonly admissionReviewVersions?: readonly string[];
  readonly matchConditions?: readonly MatchCondition[];
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** What an HTTP call needs; `registerService` maps services to it (AD-4). */
export interface ServiceAddress {
  readonly url: string;
  /** CA of that address; default the caBundle of the webhook. */
  readonly caPem?: string | undefined;
}
