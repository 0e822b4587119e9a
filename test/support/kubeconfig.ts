import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** What a request needs to know of the cluster: from the current context of a kubeconfig with inline data. */
export interface Access {
  readonly server: string;
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

interface Kubeconfig {
  'current-context': string;
  contexts: { name: string; context: { cluster: string; user: string } }[];
  clusters: { name: string; cluster: Record<string, string> }[];
  users: { name: string; user: Record<string, string> }[];
}

/** Reads the kubeconfig (YAML or JSON) that a test server wrote. */
export async function readAccess(file: string): Promise<Access> {
  const config = parse(await readFile(file, 'utf8')) as Kubeconfig;
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
  const cluster = config.clusters.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users.find(({ name }) => name === context?.user)?.user;
  if (!cluster?.['server'])
    throw new Error(`${file}: the current context "${config['current-context']}" names no cluster`);
  const decode = (text: string | undefined): string | undefined => text && Buffer.from(text, 'base64').toString();
  return {
    server: cluster['server'].replace(/\/$/, ''),
    ca: decode(cluster['certificate-authority-data']),
    cert: decode(user?.['client-certificate-data']),
    key: decode(user?.['client-key-data']),
    token: user?.['token'],
  };
}
