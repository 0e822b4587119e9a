import type { TlsMaterial } from '../transport/tls.js';

/** What a request is sent with. */
export interface Credential {
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined;
  /** A client certificate that the credentials brought; it replaces the configured one. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** Where the credentials of a cluster come from; one source per transport. */
export interface CredentialSource {
  /** The present credential; a promise only when one must be fetched first. */
  current(): Credential | Promise<Credential>;
  /**
   * The server answered 401 to `refused`: drop it and fetch anew. Resolves when a new one is there (or none can be had);
   * waiters share one fetch, and a result younger than 5 s is used again (T9).
   */
  renew(refused: Credential): Promise<Credential>;
}

/** A credential that does not change. */
export class FixedCredential implements CredentialSource {
  constructor(private readonly credential: Credential) {}

  current(): Credential {
    return this.credential;
  }

  renew(): Promise<Credential> {
    return Promise.resolve(this.credential);
  }
}

/** A resolved cluster: where it is and how to speak to it. */
export interface ClusterConfig {
  /** URL of the API server; a path prefix is kept. */
  readonly server: string;
  /** Read for each request: another object here is used from then on. */
  readonly tls: TlsMaterial;
  /** A TLS handshake failed; the material may be looked at anew (T10). */
  readonly handshakeFailed?: () => void;
  readonly credentials: CredentialSource;
  /** `Impersonate-…` headers. */
  readonly impersonate?: readonly (readonly [name: string, value: string])[];
  /** Proxy URL. */
  readonly proxy?: string | undefined;
  /** Namespace of the context or of the service account; `default` where none is named. */
  readonly namespace: string;
  /** Where this was found, for logs: `KUBECONFIG /home/me/dev.yaml, context dev`. */
  readonly source: string;
}
