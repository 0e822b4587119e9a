import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { Api, type ApiObject } from './api.js';
import { LOOPBACK, apiServerArgs, etcdArgs } from './control-plane-flags.js';
import { freePorts } from './free-ports.js';
import { temporaryFolder } from './leftovers.js';
import { Program } from './program.js';
import { loadRecipe } from './recipe.js';
import { until } from './until.js';

/** What a real control plane is started with. */
export interface RealClusterOptions {
  /** Simulated nodes on which Pods become Running. Default 2; with 0 there is no scheduler and Pods stay Pending. */
  readonly nodes?: number;
  /** How long the simulated kubelet keeps a deleted Pod Terminating, in milliseconds. Default 0. */
  readonly podGraceMs?: number;
}

/** A running control plane: etcd, kube-apiserver, kube-controller-manager and, with nodes, kube-scheduler and kwok. */
export interface RealCluster {
  /** Current context: an administrator. Further user entry `u`: a token user without any role. */
  readonly kubeconfigPath: string;
  /** Ends kube-apiserver alone; what it stored stays. Everybody's connections break. */
  stopApiServer(): Promise<void>;
  /** Starts it again on the same port and waits until it is ready. */
  startApiServer(): Promise<void>;
  /** Ends all programs and removes their files. */
  stop(): Promise<void>;
}

/** Absolute paths of the programs; rejects with the way to get them when some are missing. */
async function programs(): Promise<Readonly<Record<string, string>>> {
  const { howToGet, locatePrograms } = await loadRecipe();
  const { found, missing } = locatePrograms();
  if (missing.length > 0) throw new Error(`${howToGet(missing)} Then run: node test/real/build.mjs`);
  return found;
}

/** Starts a control plane of its own on free loopback ports and waits until Pods can be made. */
export async function startRealCluster(options: RealClusterOptions = {}): Promise<RealCluster> {
  const files = await programs();
  const folder = await temporaryFolder('real');
  const cluster = new Cluster(files, folder, options);
  try {
    await cluster.start();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

class Cluster implements RealCluster {
  readonly kubeconfigPath: string;
  readonly #running: Program[] = [];
  #apiServer: Program | undefined;
  #apiServerArgs: string[] = [];
  #api: Api | undefined;
  #tokens: Record<string, string> = {};

  constructor(
    private readonly files: Readonly<Record<string, string>>,
    private readonly folder: string,
    private readonly options: RealClusterOptions,
  ) {
    this.kubeconfigPath = this.#path('kubeconfig');
  }

  async start(): Promise<void> {
    const { nodes = 2 } = this.options;
    const [etcd = 0, peer = 0, server = 0, manager = 0, scheduler = 0, kwok = 0] = await freePorts(6);
    await this.#writeKeys();
    this.#run('etcd', etcdArgs(this.#path('etcd'), etcd, peer));
    this.#apiServerArgs = apiServerArgs(this.folder, etcd, server);
    this.#apiServer = this.#run('kube-apiserver', this.#apiServerArgs);
    await this.#writeKubeconfig(server);
    await this.#ready();
    this.#run('kube-controller-manager', [
      ...this.#login(manager),
      `--service-account-private-key-file=${this.#path('sa.key')}`,
      `--root-ca-file=${this.#path('tls/apiserver.crt')}`,
      '--use-service-account-credentials=true',
    ]);
    if (nodes > 0) {
      this.#run('kube-scheduler', this.#login(scheduler));
      await this.#writeStages();
      this.#run('kwok', [
        `--kubeconfig=${this.kubeconfigPath}`,
        `--config=${this.#path('stages.yaml')}`,
        '--manage-all-nodes=true',
        `--node-ip=${LOOPBACK}`,
        `--server-address=${LOOPBACK}:${kwok}`,
      ]);
      await this.#createNodes(nodes);
    }
    // Pods are refused until their namespace has its ServiceAccount, which the controller manager makes.
    await this.#wait('ServiceAccount "default" exists', (api) =>
      api.ok('GET', '/api/v1/namespaces/default/serviceaccounts/default'),
    );
  }

  async stopApiServer(): Promise<void> {
    const program = this.#apiServer;
    if (!program) return;
    this.#running.splice(this.#running.indexOf(program), 1);
    await program.stop('SIGKILL');
  }

  async startApiServer(): Promise<void> {
    this.#apiServer = this.#run('kube-apiserver', this.#apiServerArgs);
    await this.#ready();
  }

  async stop(): Promise<void> {
    this.#api?.close();
    // Killed at once, all together: nothing they hold outlives the folder, and an orderly end takes up to a minute.
    await Promise.all(this.#running.map((program) => program.stop('SIGKILL')));
    await rm(this.folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return path.join(this.folder, name);
  }

  #run(name: string, args: string[]): Program {
    const program = new Program({ name, file: this.files[name] ?? name, args, cwd: this.folder });
    this.#running.push(program);
    return program;
  }

  /** Flags of the programs that log in with the kubeconfig and serve their own health port. */
  #login(port: number): string[] {
    const flags = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
    return [
      ...flags.map((flag) => `--${flag}=${this.kubeconfigPath}`),
      `--secure-port=${port}`,
      `--bind-address=${LOOPBACK}`,
      '--leader-elect=false',
    ];
  }

  /** Waits on a condition of the server. A program that has ended is a fault at once: nothing starts it again. */
  async #wait(what: string, probe: (api: Api) => Promise<unknown>): Promise<void> {
    const ended = await until(what, async () => {
      const dead = this.#running.find((program) => program.isEnded);
      if (dead) return [dead];
      this.#api ??= await Api.of(this.kubeconfigPath);
      return (await probe(this.#api)) ? [] : undefined;
    }).catch((error: unknown) => {
      throw this.#apiServer?.fault(`runs, but: ${String(error)}`) ?? error;
    });
    for (const program of ended) throw program.fault('ended');
  }

  async #ready(): Promise<void> {
    await this.#wait('kube-apiserver is ready', async (api) => (await api.send('GET', '/readyz')).status === 200);
  }

  async #writeKeys(): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    await writeFile(this.#path('sa.key'), privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
    await writeFile(this.#path('sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    const tokens = ['admin', 'u'].map((user) => [user, randomBytes(16).toString('hex')] as const);
    this.#tokens = Object.fromEntries(tokens);
    const groups: Record<string, string> = { admin: 'system:masters', u: 'system:authenticated' };
    const lines = tokens.map(([user, token]) => `${token},${user},${user},"${groups[user]}"`);
    await writeFile(this.#path('tokens.csv'), `${lines.join('\n')}\n`, { mode: 0o600 });
  }

  /** kube-apiserver makes its own authority and certificate; both are in the file that it writes before it listens. */
  async #writeKubeconfig(port: number): Promise<void> {
    const certificate = this.#path('tls/apiserver.crt');
    const ca = await until(`kube-apiserver has written ${certificate}`, () => readFile(certificate));
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'real',
          cluster: { server: `https://${LOOPBACK}:${port}`, 'certificate-authority-data': ca.toString('base64') },
        },
      ],
      users: Object.entries(this.#tokens).map(([name, token]) => ({ name, user: { token } })),
      contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
      'current-context': 'real',
    };
    await writeFile(this.kubeconfigPath, JSON.stringify(config, undefined, 2), { mode: 0o600 });
  }

  /** The stages that were built with kwok; deletion waits for the grace that was asked for. */
  async #writeStages(): Promise<void> {
    const { podGraceMs = 0 } = this.options;
    const stages = parseAllDocuments(await readFile(this.files['kwok-stages.yaml'] ?? '', 'utf8'))
      .map((document) => document.toJS() as ApiObject | null)
      .filter((stage) => stage !== null);
    for (const stage of stages) {
      if (stage.metadata.name === 'pod-delete') stage['spec'].delay = { durationMilliseconds: podGraceMs };
    }
    await writeFile(this.#path('stages.yaml'), stages.map((stage) => stringify(stage)).join('---\n'));
  }

  async #createNodes(count: number): Promise<void> {
    const size = { cpu: '64', memory: '256Gi', pods: '1000' };
    for (let index = 0; index < count; index++) {
      const name = `sim-node-${index}`;
      const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
      const node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels },
        status: { allocatable: size, capacity: size },
      };
      await this.#wait(`node ${name} is created`, (api) => api.ok('POST', '/api/v1/nodes', { body: node }));
    }
    await this.#wait('simulated nodes are ready', async (api) => {
      const { items } = await api.ok<{ items: ApiObject[] }>('GET', '/api/v1/nodes');
      return items.every((node) => isReady(node) && !node['spec'].taints);
    });
  }
}

const isReady = (node: ApiObject): boolean =>
  ((node['status']?.conditions ?? []) as { type: string; status: string }[]).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
