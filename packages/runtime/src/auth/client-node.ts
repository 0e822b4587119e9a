import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '@kubewright/api';
import type { Credential, CredentialSource } from './credentials.js';
import type { Kubeconfig } from './kubeconfig.js';
import { expiryOf } from './token-file.js';
import { authDefaults as defaults } from './defaults.js';

/** Whether a value is a KubeConfig of `@kubernetes/client-node`, of any copy of it. */
export function isKubeConfig(value: unknown): value is KubeConfig {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { getCurrentCluster?: unknown }).getCurrentCluster === 'function'
  );
}

/** Loads the package and a configuration for a user that only it can log in; about a second and 90 MB (T5). */
export async function loadKubeConfig(config: Kubeconfig, context: string): Promise<KubeConfig> {
  const { KubeConfig: Loaded } = await import('@kubernetes/client-node');
  const instance = new Loaded();
  instance.loadFromString(JSON.stringify(config));
  instance.setCurrentContext(context);
  return instance;
}

/** Asks a KubeConfig for the Authorization header: `auth-provider` users and custom authenticators (T8). */
export class KubeConfigCredential implements CredentialSource {
  private credential: Credential | undefined;
  private dueAt = -Infinity;
  private fetchedAt = -Infinity;
  private fetching: Promise<Credential> | undefined;

  constructor(
    private readonly config: KubeConfig,
    private readonly clock: Clock,
  ) {}

  current(): Credential | Promise<Credential> {
    return this.credential && this.clock.now() < this.dueAt ? this.credential : this.fetch();
  }

  renew(refused: Credential): Promise<Credential> {
    const isYoung = this.clock.monotonic() - this.fetchedAt < defaults.shared;
    if (this.credential && (isYoung || this.credential !== refused)) return Promise.resolve(this.credential);
    this.credential = undefined;
    return this.fetch();
  }

  private fetch(): Promise<Credential> {
    this.fetching ??= this.fetchOnce().finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetchOnce(): Promise<Credential> {
    const options: { headers: Record<string, string>; auth?: string } = { headers: {} };
    await this.config.applyToHTTPSOptions(options);
    const header =
      options.headers['Authorization'] ?? (options.auth && `Basic ${Buffer.from(options.auth).toString('base64')}`);
    const now = this.clock.now();
    const expires = header?.startsWith('Bearer ') ? expiryOf(header.slice(7)) : Infinity;
    this.dueAt = expires === Infinity ? now + defaults.renewBefore : expires - defaults.renewBefore;
    this.fetchedAt = this.clock.monotonic();
    this.credential = header === undefined ? {} : { authorization: header };
    return this.credential;
  }
}

/** The parts of an instance as a kubeconfig says them, so that ordinary users take our own way. */
export function asKubeconfig(instance: KubeConfig): Kubeconfig {
  const name = instance.getCurrentContext();
  const cluster = instance.getCurrentCluster();
  const user = instance.getCurrentUser();
  const namespace = instance.getContextObject(name)?.namespace;
  return {
    'current-context': name,
    contexts: [{ name, context: { cluster: 'cluster', user: 'user', ...(namespace && { namespace }) } }],
    clusters: cluster
      ? [
          {
            name: 'cluster',
            cluster: {
              server: cluster.server,
              ...(cluster.caData && { 'certificate-authority-data': cluster.caData }),
              ...(cluster.caFile && { 'certificate-authority': cluster.caFile }),
              ...(cluster.skipTLSVerify && { 'insecure-skip-tls-verify': true }),
              ...(cluster.tlsServerName && { 'tls-server-name': cluster.tlsServerName }),
              ...(cluster.proxyUrl && { 'proxy-url': cluster.proxyUrl }),
            },
          },
        ]
      : [],
    users: [
      {
        name: 'user',
        user: user
          ? {
              ...(user.certData && { 'client-certificate-data': user.certData }),
              ...(user.certFile && { 'client-certificate': user.certFile }),
              ...(user.keyData && { 'client-key-data': user.keyData }),
              ...(user.keyFile && { 'client-key': user.keyFile }),
              ...(user.token && { token: user.token }),
              ...(user.username && { username: user.username }),
              ...(user.password && { password: user.password }),
              ...(user.exec && { exec: user.exec as never }),
              ...(user.authProvider && { 'auth-provider': user.authProvider }),
              ...(user.impersonateUser && { as: user.impersonateUser }),
            }
          : {},
      },
    ],
  };
}
