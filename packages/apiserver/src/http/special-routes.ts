import type { Authorizer } from '../auth/ports.js';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.js';
import type { Clock, ObjectService } from '../core/types.js';
import { accessReviews } from './access-reviews.js';
import { disruptionGuard } from './disruption.js';
import { identityReviews, tokenRequests } from './identity-reviews.js';
import type { TokenLookup } from './identity-reviews.js';
import { bindings, podSubresources } from './pod-subresources.js';
import type { SpecialRoutes } from './router.js';

export interface SpecialRouteOptions {
  readonly objects: ObjectService;
  readonly clock: Clock;
  readonly authorizer: Authorizer;
  readonly tokens: ServiceAccountTokens;
  readonly lookup: TokenLookup;
}

/** All routes that do something else than read and write an object. */
export function specialRoutes(options: SpecialRouteOptions): SpecialRoutes {
  const { objects, clock, authorizer, tokens, lookup } = options;
  return {
    subresources: new Map([
      ...podSubresources(objects, clock, disruptionGuard(objects)),
      ['serviceaccounts/token', tokenRequests(objects, clock, tokens)],
    ]),
    creates: new Map([...accessReviews(authorizer), ...identityReviews(clock, lookup), bindings(objects, clock)]),
  };
}
