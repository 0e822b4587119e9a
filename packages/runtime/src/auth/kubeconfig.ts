import { dirname, resolve } from 'node:path';
import { authErrors } from './errors.js';
import { checkKubeconfigShape } from './kubeconfig-shape.js';

/** `clusters[].cluster` of a kubeconfig. */
interface KubeconfigCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[];
}

/** `users[].user.exec` of a kubeconfig. */
export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

/** `users[].user` of a kubeconfig. */
export interface KubeconfigUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecConfig;
  readonly 'auth-provider'?: unknown;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
}

/** `contexts[].context` of a kubeconfig. */
interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

interface Named {
  readonly name: string;
}

/** A kubeconfig file, as far as it is looked at. */
export interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly clusters?: readonly (Named & { readonly cluster: KubeconfigCluster })[] | null;
  readonly users?: readonly (Named & { readonly user: KubeconfigUser })[] | null;
  readonly contexts?: readonly (Named & { readonly context: KubeconfigContext })[] | null;
}

/** A part of a kubeconfig, and the folder its relative paths start from. */
export interface Located<T> {
  readonly value: T;
  readonly folder: string;
}

/** The parts that a context names. */
export interface SelectedContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly cluster: Located<KubeconfigCluster>;
  readonly user: Located<KubeconfigUser>;
}

/** Reads kubeconfig text; YAML or JSON. */
export async function parseKubeconfig(text: string, where: string): Promise<Kubeconfig> {
  let parsed: unknown;
  try {
    parsed = text.trimStart().startsWith('{') ? JSON.parse(text) : (await import('yaml')).parse(text);
  } catch {
    // The parser's own message quotes the text, which holds secrets.
    throw authErrors.config(where, 'is neither YAML nor JSON');
  }
  checkKubeconfigShape(parsed, where);
  return parsed;
}

/** Picks a context from files in order of precedence: the first that names a thing wins. Paths are made absolute. */
export function selectContext(
  files: readonly { readonly path: string; readonly config: Kubeconfig }[],
  wanted: string | undefined,
): SelectedContext {
  const where = files.map(({ path }) => path).join(', ');
  const name = wanted ?? files.map(({ config }) => config['current-context']).find((current) => !!current);
  if (!name) throw authErrors.config(where, 'has no current-context; run kubectl config use-context, or name one');
  const context = find(files, ({ contexts }) => contexts?.find((entry) => entry.name === name)?.context);
  if (!context) throw authErrors.config(where, `has no context named ${name}`);
  const { cluster: clusterName, user: userName, namespace } = context.value;
  const cluster = find(files, ({ clusters }) => clusters?.find((entry) => entry.name === clusterName)?.cluster);
  if (!cluster)
    throw authErrors.config(where, `context ${name} names cluster ${clusterName ?? '(none)'}, which is not there`);
  const user = userName ? find(files, ({ users }) => users?.find((entry) => entry.name === userName)?.user) : undefined;
  if (userName && !user) throw authErrors.config(where, `context ${name} names user ${userName}, which is not there`);
  return { name, namespace, cluster, user: user ?? { value: {}, folder: cluster.folder } };
}

function find<T>(
  files: readonly { readonly path: string; readonly config: Kubeconfig }[],
  pick: (config: Kubeconfig) => T | undefined,
): Located<T> | undefined {
  for (const { path, config } of files) {
    const value = pick(config);
    if (value !== undefined && value !== null) return { value, folder: dirname(resolve(path)) };
  }
  return undefined;
}
