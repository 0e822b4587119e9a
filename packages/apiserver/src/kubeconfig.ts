import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** How one user of a kubeconfig proves who it is. */
export interface KubeconfigUser {
  readonly name: string;
  readonly token?: string;
  /** PEM. */
  readonly cert?: string;
  /** PEM. */
  readonly key?: string;
}

/** The document as kubectl reads it. */
export interface KubeconfigDocument {
  readonly apiVersion: 'v1';
  readonly kind: 'Config';
  readonly clusters: readonly { name: string; cluster: Record<string, string> }[];
  readonly users: readonly { name: string; user: Record<string, string> }[];
  readonly contexts: readonly { name: string; context: Record<string, string> }[];
  readonly 'current-context': string;
}

export interface KubeconfigOptions {
  readonly server: string;
  /** PEM; undefined over plain HTTP. */
  readonly ca?: string | undefined;
  /** The first one is the user of the current context. */
  readonly users: readonly KubeconfigUser[];
}

const CLUSTER = 'kubewright-embedded';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A kubeconfig for this server. */
export class Kubeconfig {
  readonly document: KubeconfigDocument;

  constructor(options: KubeconfigOptions) {
    const { server, ca, users } = options;
    const first = users[0] as KubeconfigUser;
    const context = (user: KubeconfigUser): string => (user === first ? CLUSTER : `${CLUSTER}-${user.name}`);
    this.document = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: CLUSTER, cluster: { server, ...(ca ? { 'certificate-authority-data': base64(ca) } : {}) } }],
      users: users.map((user) => ({
        name: user.name,
        user: {
          ...(user.token ? { token: user.token } : {}),
          ...(user.cert && user.key
            ? { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) }
            : {}),
        },
      })),
      contexts: users.map((user) => ({
        name: context(user),
        context: { cluster: CLUSTER, user: user.name, namespace: 'default' },
      })),
      'current-context': CLUSTER,
    };
  }

  /** Removes a file that {@link write} wrote, unless another server has put its own there since. */
  remove(path: string): void {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // What is not there, or cannot be read, was not written by us.
      return;
    }
    if (text === this.toYaml()) rmSync(path, { force: true });
  }

  toJSON(): KubeconfigDocument {
    return this.document;
  }

  toYaml(): string {
    const { clusters, users, contexts } = this.document;
    const map = (entries: Record<string, string>): string => {
      const lines = Object.entries(entries).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`);
      return lines.length ? `\n${lines.join('')}` : ' {}\n';
    };
    const list = (key: string, items: readonly { name: string }[]): string =>
      items
        .map(
          (item) =>
            `- name: ${JSON.stringify(item.name)}\n  ${key}:${map((item as unknown as Record<string, Record<string, string>>)[key] ?? {})}`,
        )
        .join('');
    return (
      `apiVersion: v1\nkind: Config\ncurrent-context: ${JSON.stringify(this.document['current-context'])}\n` +
      `clusters:\n${list('cluster', clusters)}users:\n${list('user', users)}contexts:\n${list('context', contexts)}`
    );
  }

  /** Writes the file as a whole or not at all, readable by its owner only: it holds credentials. */
  write(path: string): void {
    const file = resolve(path);
    mkdirSync(dirname(file), { recursive: true });
    const temporary = join(dirname(file), `.kubeconfig-${randomBytes(6).toString('hex')}`);
    try {
      writeFileSync(temporary, this.toYaml(), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }
}
