import { createHash, timingSafeEqual } from 'node:crypto';
import { failure } from '../core/errors.js';
import type { StatusError } from '../core/errors.js';
import type { Principal } from '../core/types.js';
import type { Authenticator, Credentials } from './ports.js';
import type { ServiceAccountTokens } from './service-account-tokens.js';

/** A user known by a static token (OP-4). */
export interface StaticUser {
  readonly token: string;
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
}

/** Who everybody is in open mode (AU-1). */
export const ADMIN: Principal = { name: 'embedded-admin', groups: ['system:masters', 'system:authenticated'] };

const ANONYMOUS: Principal = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Every request is an administrator (AU-1); credentials are not looked at. */
export const openAuthenticator: Authenticator = { authenticate: () => Promise.resolve(ADMIN) };

export interface CredentialsOptions {
  readonly users: readonly StaticUser[];
  /** Whether requests without credentials pass as `system:anonymous`; otherwise 401. */
  readonly anonymous: boolean;
  readonly tokens: ServiceAccountTokens;
}

/** ER-18 */
const unauthorized = (): StatusError => failure(401, 'Unauthorized', 'Unauthorized');

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Static tokens, client certificates and service account tokens (AU-2). */
export class CredentialsAuthenticator implements Authenticator {
  readonly #options: CredentialsOptions;
  readonly #users: readonly (StaticUser & { readonly digest: Buffer })[];

  constructor(options: CredentialsOptions) {
    this.#options = options;
    this.#users = options.users.map((user) => ({ ...user, digest: digest(user.token) }));
  }

  async authenticate({ authorization, certificate }: Credentials): Promise<Principal> {
    if (certificate === 'invalid') throw unauthorized();
    if (certificate) return { name: certificate.name, groups: [...certificate.groups, 'system:authenticated'] };
    const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
    if (token !== undefined) {
      const found = await this.token(token);
      if (!found) throw unauthorized();
      return found.principal;
    }
    // Other schemes than Bearer count as no credentials.
    if (!this.#options.anonymous) throw unauthorized();
    return ANONYMOUS;
  }

  /** Who a bearer token speaks for; also answers TokenReview. */
  async token(
    token: string,
    audiences?: readonly string[],
  ): Promise<{ principal: Principal; audiences: string[] } | undefined> {
    const wanted = digest(token);
    const user = this.#users.find((u) => timingSafeEqual(u.digest, wanted));
    if (!user) return this.#options.tokens.verify(token, audiences);
    const groups = [...(user.groups ?? []), 'system:authenticated'];
    return {
      principal: { name: user.name, ...(user.uid ? { uid: user.uid } : {}), groups },
      audiences: [...(audiences ?? [])],
    };
  }
}
