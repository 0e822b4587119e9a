import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock, ErrorDetail, Logger } from '@kubewright/api';
import { asKubeconfig, isKubeConfig } from './client-node.js';
import { clusterOfContext } from './cluster-of-context.js';
import type { ClusterConfig } from './credentials.js';
import { authErrors, fileFault } from './errors.js';
import { type Kubeconfig, parseKubeconfig, selectContext } from './kubeconfig.js';
import { checkedProxy, proxyFromEnv } from './proxy.js';
import { following } from './tls-files.js';
import { TokenFile } from './token-file.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface LoadClusterOptions {
  /** A kubeconfig: path, parsed document, or KubeConfig of `@kubernetes/client-node`. Default: the places of T4. */
  readonly kubeConfig?: string | Kubeconfig | KubeConfig;
  /** Context to use. Default: `current-context`. */
  readonly context?: string;
  /** A token file that beats what the user of the context says; a ready-made KubeConfig cannot carry one. */
  readonly tokenFile?: string;
  /** Proxy URL; the text `env`: `https_proxy` and the like count in a cluster, too. Default: only for clusters of a kubeconfig (T12). */
  readonly proxy?: string;
  /** Ask the home folder before the service account, as tools for people do. Default false. */
  readonly homeFirst?: boolean;
  /** Default `process.env`. */
  readonly env?: Env;
  /** Default: of the user. */
  readonly home?: string;
  /** Folder of the service account. Default `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly serviceAccountDir?: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Finds the cluster to talk to: option, KUBECONFIG, service account, home folder (T4). Nothing is guessed. */
export async function loadCluster(options: LoadClusterOptions): Promise<ClusterConfig> {
  const { kubeConfig, proxy, homeFirst = false } = options;
  const override = proxy !== undefined && proxy !== 'env' ? { proxy: checkedProxy(proxy) } : {};
  if (kubeConfig !== undefined) return { ...(await fromOption(kubeConfig, options)), ...override };
  const reasons: ErrorDetail[] = [];
  const places = homeFirst ? [fromEnv, fromHome, fromPod] : [fromEnv, fromPod, fromHome];
  for (const place of places) {
    const found = await place(options);
    if ('server' in found) return { ...found, ...override };
    reasons.push(found);
  }
  throw authErrors.noConfig([
    { code: 'KW_CLUSTER_NO_CONFIG', where: 'option kubeConfig', message: 'not given' },
    ...reasons,
  ]);
}

const missing = (where: string, message: string): ErrorDetail => ({ code: 'KW_CLUSTER_NO_CONFIG', where, message });

async function fromOption(
  kubeConfig: string | Kubeconfig | KubeConfig,
  options: LoadClusterOptions,
): Promise<ClusterConfig> {
  if (typeof kubeConfig !== 'string') {
    const instance = isKubeConfig(kubeConfig) ? kubeConfig : undefined;
    const config = instance ? asKubeconfig(instance) : (kubeConfig as Kubeconfig);
    return select([{ path: join(process.cwd(), 'kubeconfig'), config }], 'option kubeConfig', options, instance);
  }
  const read = await readKubeconfig(kubeConfig);
  if ('fault' in read) throw authErrors.config(`option kubeConfig, ${kubeConfig}`, read.fault);
  return select([{ path: kubeConfig, config: read }], `option kubeConfig, ${kubeConfig}`, options);
}

async function fromEnv(options: LoadClusterOptions): Promise<ClusterConfig | ErrorDetail> {
  const list = (options.env ?? process.env)['KUBECONFIG'];
  if (!list) return missing('KUBECONFIG', 'not set');
  const files = [];
  const faults = [];
  for (const path of list.split(delimiter).filter((entry) => entry !== '')) {
    const read = await readKubeconfig(path);
    if (!('fault' in read)) files.push({ path, config: read });
    else if (read.isMissing) faults.push(`${path} ${read.fault}`);
    else throw authErrors.config(`KUBECONFIG, ${path}`, read.fault);
  }
  if (files.length === 0) return missing('KUBECONFIG', faults.join(', ') || 'names no file');
  return select(files, `KUBECONFIG ${files.map(({ path }) => path).join(delimiter)}`, options);
}

async function fromHome(options: LoadClusterOptions): Promise<ClusterConfig | ErrorDetail> {
  const path = join(options.home ?? homedir(), '.kube', 'config');
  const read = await readKubeconfig(path);
  if (!('fault' in read)) return select([{ path, config: read }], path, options);
  if (read.isMissing) return missing('home folder', `${path} ${read.fault}`);
  throw authErrors.config(path, read.fault);
}

async function fromPod(options: LoadClusterOptions): Promise<ClusterConfig | ErrorDetail> {
  const {
    env = process.env,
    clock,
    logger,
    serviceAccountDir: dir = '/var/run/secrets/kubernetes.io/serviceaccount',
  } = options;
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port)
    return missing('service account', 'KUBERNETES_SERVICE_HOST and _PORT are not set: this is no Pod');
  const tokenPath = options.tokenFile ?? join(dir, 'token');
  const fault = await readFile(tokenPath, 'utf8').then(() => undefined, fileFault);
  if (fault !== undefined) return missing('service account', `${tokenPath} ${fault}`);
  const optional = (name: string): Promise<string | undefined> =>
    readFile(join(dir, name), 'utf8').catch(() => undefined);
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const ca = await optional('ca.crt');
  const paths = { ca: ca === undefined ? undefined : join(dir, 'ca.crt') };
  return following(
    { clock, logger, paths, material: { ca } },
    {
      server,
      credentials: new TokenFile({ path: tokenPath, clock, logger }),
      proxy: options.proxy === 'env' ? proxyFromEnv(new URL(server), env) : undefined,
      namespace: (await optional('namespace'))?.trim() || 'default',
      source: 'service account of the Pod',
    },
  );
}

function select(
  files: readonly { readonly path: string; readonly config: Kubeconfig }[],
  where: string,
  options: LoadClusterOptions,
  instance?: KubeConfig,
): Promise<ClusterConfig> {
  const { env = process.env, clock, logger, tokenFile, context } = options;
  return clusterOfContext(selectContext(files, context), { env, clock, logger, where, tokenFile, instance });
}

async function readKubeconfig(
  path: string,
): Promise<Kubeconfig | { readonly fault: string; readonly isMissing: boolean }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return { fault: fileFault(error), isMissing: (error as NodeJS.ErrnoException).code === 'ENOENT' };
  }
  return parseKubeconfig(text, path);
}
