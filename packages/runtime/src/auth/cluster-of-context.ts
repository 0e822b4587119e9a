import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock, Logger } from '@kubewright/api';
import { KubeConfigCredential, loadKubeConfig } from './client-node.js';
import { type ClusterConfig, type Credential, type CredentialSource, FixedCredential } from './credentials.js';
import { authErrors, fileFault } from './errors.js';
import { ExecPlugin } from './exec-plugin.js';
import type { KubeconfigUser, Located, SelectedContext } from './kubeconfig.js';
import { checkedProxy, proxyFromEnv } from './proxy.js';
import { following, type TlsPaths } from './tls-files.js';
import { TokenFile } from './token-file.js';
import type { TlsMaterial } from '../transport/tls.js';

interface ContextOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the context stands, for messages. */
  readonly where: string;
  /** Option `auth.tokenFile`: beats what the user says (T5). */
  readonly tokenFile?: string | undefined;
  /** A ready-made instance, for users that only it can log in. */
  readonly instance?: KubeConfig | undefined;
}

/** Makes a cluster of a kubeconfig context. */
export async function clusterOfContext(context: SelectedContext, options: ContextOptions): Promise<ClusterConfig> {
  const { cluster, user } = context;
  const { where, env } = options;
  const server = cluster.value.server;
  if (!server || !/^https?:\/\//.test(server) || !URL.canParse(server))
    throw authErrors.config(where, `the server of context ${context.name} is no http or https URL`);
  const skip = cluster.value['insecure-skip-tls-verify'];
  const serverName = cluster.value['tls-server-name'];
  const proxyUrl = cluster.value['proxy-url'];
  const tls: TlsMaterial = {
    ca: await material(
      cluster.value['certificate-authority-data'],
      cluster.value['certificate-authority'],
      cluster.folder,
      where,
    ),
    cert: await material(user.value['client-certificate-data'], user.value['client-certificate'], user.folder, where),
    key: await material(user.value['client-key-data'], user.value['client-key'], user.folder, where),
    serverName,
    ...(skip && { rejectUnauthorized: false }),
  };
  const paths: TlsPaths = {
    ca: fileOf(cluster.value['certificate-authority-data'], cluster.value['certificate-authority'], cluster.folder),
    cert: fileOf(user.value['client-certificate-data'], user.value['client-certificate'], user.folder),
    key: fileOf(user.value['client-key-data'], user.value['client-key'], user.folder),
  };
  const { clock, logger } = options;
  return following(
    { clock, logger, paths, material: tls },
    {
      server,
      credentials: await credentialsOf(context, options),
      impersonate: impersonation(user.value),
      proxy: proxyUrl ? checkedProxy(proxyUrl) : proxyFromEnv(new URL(server), env),
      namespace: context.namespace ?? 'default',
      source: `${where}, context ${context.name}`,
    },
  );
}

const fileOf = (data: string | undefined, path: string | undefined, folder: string): string | undefined =>
  data || !path ? undefined : resolve(folder, path);

async function credentialsOf(context: SelectedContext, options: ContextOptions): Promise<CredentialSource> {
  const { clock, logger, env, tokenFile, instance } = options;
  const { value: user, folder } = context.user;
  const file = tokenFile ?? (user.tokenFile && resolve(folder, user.tokenFile));
  if (file) return new TokenFile({ path: file, clock, logger });
  if (user.token) return new FixedCredential({ authorization: `Bearer ${user.token}` });
  if (user['auth-provider']) return new KubeConfigCredential(instance ?? (await loadProvider(context)), clock);
  if (user.exec) return new ExecPlugin({ config: user.exec, folder, clusterInfo: clusterInfo(context), env, clock });
  if (user.username) {
    const pair = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64');
    return new FixedCredential({ authorization: `Basic ${pair}` });
  }
  return new FixedCredential({} satisfies Credential);
}

function loadProvider({ name, cluster, user }: SelectedContext): Promise<KubeConfig> {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: 'cluster', user: 'user' } }],
    clusters: [{ name: 'cluster', cluster: cluster.value }],
    users: [{ name: 'user', user: user.value }],
  };
  return loadKubeConfig(config, name);
}

/** What a plugin learns of the cluster when it asks for it. */
function clusterInfo({ cluster: { value } }: SelectedContext): unknown {
  return {
    server: value.server,
    'tls-server-name': value['tls-server-name'],
    'insecure-skip-tls-verify': value['insecure-skip-tls-verify'],
    'certificate-authority-data': value['certificate-authority-data'],
    'proxy-url': value['proxy-url'],
    config: value.extensions?.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension,
  };
}

function impersonation(user: Located<KubeconfigUser>['value']): [string, string][] {
  if (!user.as) return [];
  const headers: [string, string][] = [['Impersonate-User', user.as]];
  if (user['as-uid']) headers.push(['Impersonate-Uid', user['as-uid']]);
  for (const group of user['as-groups'] ?? []) headers.push(['Impersonate-Group', group]);
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {}))
    for (const value of values) headers.push([`Impersonate-Extra-${encodeURIComponent(key)}`, value]);
  return headers;
}

/** Data in the file beats a path beside it. */
async function material(
  data: string | undefined,
  path: string | undefined,
  folder: string,
  where: string,
): Promise<string | undefined> {
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  if (!path) return undefined;
  const file = resolve(folder, path);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw authErrors.config(where, `the file ${file} that it names ${fileFault(error)}`);
  }
}
