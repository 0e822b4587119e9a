import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isStatusError } from '../core/errors.js';
import type { Clock, KubeObject, ObjectService, Principal } from '../core/types.js';
import { SERVER } from './mirror.js';

export const ISSUER = 'https://kubernetes.default.svc';

/** Another object whose deletion ends a token. */
export interface BoundObject {
  readonly apiVersion?: string;
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

export interface TokenRequest {
  readonly account: KubeObject;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound?: BoundObject | undefined;
}

interface Named {
  readonly name: string;
  readonly uid: string;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly nbf: number;
  readonly sub: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: Named;
    readonly pod?: Named;
    readonly secret?: Named;
    readonly node?: Named;
  };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Issues and checks the tokens of service accounts: JWTs signed with ES256 (AU-5). Expiry follows the injected clock. */
export class ServiceAccountTokens {
  readonly #objects: ObjectService;
  readonly #clock: Clock;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #keyId: string;

  /** `key`: PEM of a P-256 private key, kept between starts; default a new one. */
  constructor(objects: ObjectService, clock: Clock, key?: string) {
    this.#objects = objects;
    this.#clock = clock;
    this.#key =
      key === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(key);
    this.#publicKey = createPublicKey(this.#key);
    const spki = this.#publicKey.export({ type: 'spki', format: 'der' });
    this.#keyId = createHash('sha256').update(spki).digest('base64url');
  }

  /** The private key as PEM, for a data folder. */
  get privateKey(): string {
    return this.#key.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  issue(request: TokenRequest): { token: string; expires: string } {
    const { name = '', namespace = '', uid = '' } = request.account.metadata;
    const now = Math.floor(this.#clock.now() / 1000);
    const bound = request.bound;
    const claims: Claims = {
      aud: request.audiences,
      exp: now + request.seconds,
      iat: now,
      iss: ISSUER,
      jti: randomUUID(),
      'kubernetes.io': {
        namespace,
        ...(bound ? { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } } : {}),
        serviceaccount: { name, uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const content = `${encode({ alg: 'ES256', kid: this.#keyId })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    const expires = new Date(claims.exp * 1000).toISOString().replace(/\.\d+/, '');
    return { token: `${content}.${signature.toString('base64url')}`, expires };
  }

  /** Who the token speaks for; undefined when it is not valid now or for none of `audiences`. */
  async verify(
    token: string,
    audiences: readonly string[] = [ISSUER],
  ): Promise<{ principal: Principal; audiences: string[] } | undefined> {
    const claims = this.#read(token);
    if (!claims) return undefined;
    const now = this.#clock.now() / 1000;
    const shared = claims.aud.filter((a) => audiences.includes(a));
    if (claims.iss !== ISSUER || now >= claims.exp || now < claims.nbf - 60 || shared.length === 0) return undefined;
    const { namespace, serviceaccount, pod, secret, node } = claims['kubernetes.io'];
    const alive =
      (await this.#alive('serviceaccounts', serviceaccount, namespace)) &&
      (!pod || (await this.#alive('pods', pod, namespace))) &&
      (!secret || (await this.#alive('secrets', secret, namespace))) &&
      (!node || (await this.#alive('nodes', node)));
    if (!alive) return undefined;
    const extra: Record<string, string[]> = { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] };
    for (const [kind, of] of [['pod', pod] as const, ['node', node] as const]) {
      if (!of) continue;
      extra[`authentication.kubernetes.io/${kind}-name`] = [of.name];
      extra[`authentication.kubernetes.io/${kind}-uid`] = [of.uid];
    }
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    return { principal: { name: claims.sub, uid: serviceaccount.uid, groups, extra }, audiences: shared };
  }

  /** The documents other parties check tokens with; undefined for other paths. */
  openid(path: string, url: string): unknown {
    if (path === '/openid/v1/jwks') {
      return { keys: [{ use: 'sig', ...this.#publicKey.export({ format: 'jwk' }), kid: this.#keyId, alg: 'ES256' }] };
    }
    if (path !== '/.well-known/openid-configuration') return undefined;
    return {
      issuer: ISSUER,
      jwks_uri: `${url}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
  }

  #read(token: string): Claims | undefined {
    const [header = '', payload = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || signature === '') return undefined;
    try {
      const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: string };
      const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' as const };
      if (alg !== 'ES256') return undefined;
      if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
        return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    } catch {
      return undefined;
    }
  }

  async #alive(plural: string, of: Named, namespace?: string): Promise<boolean> {
    const resource = this.#objects.registry.byResource('', plural);
    if (!resource) return false;
    try {
      const target = { resource, version: resource.storageVersion, name: of.name, namespace };
      return (await this.#objects.get(target, { principal: SERVER })).metadata.uid === of.uid;
    } catch (error) {
      if (isStatusError(error) && error.code === 404) return false;
      throw error;
    }
  }
}
