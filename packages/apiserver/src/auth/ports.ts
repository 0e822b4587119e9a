import type { Principal } from '../core/types.js';

/** What a request shows of who sends it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /**
   * Client certificate: verified against the CA of the server (`name` = CN, `groups` = O), or `invalid` when one was sent
   * that does not verify (TL-2).
   */
  readonly certificate: { readonly name: string; readonly groups: readonly string[] } | 'invalid' | undefined;
}

/** Says who sends a request. Throws a StatusError 401 for credentials that are wrong. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Principal>;
}

/** What is asked for, as RBAC sees it. */
export interface Attributes {
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly path: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** Which binding allows it, in the words of AU-4; empty otherwise. */
  readonly reason: string;
}

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface Authorizer {
  authorize(principal: Principal, attributes: Attributes): Promise<Decision>;
  /** All that `principal` may do in `namespace` (SelfSubjectRulesReview). */
  rules(
    principal: Principal,
    namespace: string,
  ): Promise<{ resourceRules: readonly ResourceRule[]; nonResourceRules: readonly NonResourceRule[] }>;
}

/** Everybody may do everything (AU-1). */
export const allowAll: Authorizer = {
  authorize: () => Promise.resolve({ allowed: true, reason: '' }),
  rules: () =>
    Promise.resolve({
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    }),
};
