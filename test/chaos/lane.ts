import type { Api } from '../support/api.js';
import { PodHistory } from '../support/pod-history.js';
import { until } from '../support/until.js';
import { AdminProxy } from './admin-proxy.js';
import type { FaultPlan } from './fault.js';

const MERGE = 'application/merge-patch+json';
/** After an outage the next try of a watch may be 30 s away (R16), and the one after a failed run as well. */
const CONVERGE_MS = 90_000;

/** One namespace with one PodSet, a record of what happens there, and a road to the server that can be harmed. */
export class Lane {
  readonly namespace: string;
  readonly proxy: AdminProxy;
  readonly history: PodHistory;
  readonly #api: Api;

  private constructor(api: Api, parts: { namespace: string; proxy: AdminProxy; history: PodHistory }) {
    this.#api = api;
    this.namespace = parts.namespace;
    this.proxy = parts.proxy;
    this.history = parts.history;
  }

  /** Makes the namespace, and in it a PodSet that wants so many Pods. */
  static async open(
    api: Api,
    kubeconfigPath: string,
    { namespace, replicas, plan }: { namespace: string; replicas: number; plan?: FaultPlan },
  ): Promise<Lane> {
    await api.ok('POST', '/api/v1/namespaces', {
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    });
    const proxy = await AdminProxy.before(kubeconfigPath);
    proxy.plan = plan;
    const history = await PodHistory.start(kubeconfigPath, { namespace });
    const lane = new Lane(api, { namespace, proxy, history });
    await api.ok('POST', lane.#podSets, {
      body: { apiVersion: 'app.example.com/v1alpha1', kind: 'PodSet', metadata: { name: 'web' }, spec: { replicas } },
    });
    return lane;
  }

  /** What `hosted-operators` takes. */
  get argument(): string {
    return `${this.namespace}=${this.proxy.kubeconfigPath}`;
  }

  async scale(replicas: number): Promise<void> {
    await this.#api.ok('PATCH', `${this.#podSets}/web`, { body: { spec: { replicas } }, contentType: MERGE });
  }

  /** Deletes the oldest Pod behind the operator's back; resolves when that has happened. */
  async deletePod(): Promise<void> {
    const [victim] = this.history.alive;
    if (!victim) return;
    const { name, uid } = victim.metadata;
    // It may be gone already: somebody deleted it a moment ago.
    await this.#api.send('DELETE', `/api/v1/namespaces/${this.namespace}/pods/${name}`);
    await until(`${name} is gone`, async () => this.history.alive.every(({ metadata }) => metadata.uid !== uid));
  }

  /** Resolves when there are exactly the wanted Pods, known to the status; at no time was there one too many. */
  async converged(replicas: number): Promise<void> {
    const { history } = this;
    await until(
      `${replicas} Pods in ${this.namespace}, all in the status`,
      async () => {
        const alive = history.alive.map(({ metadata }) => metadata.name).toSorted();
        const told = history.podSet?.['status']?.podNames ?? [];
        if (alive.length === replicas && JSON.stringify(told) === JSON.stringify(alive)) return true;
        throw new Error(`alive ${alive.join(' ')}, in the status ${told.join(' ')}`);
      },
      CONVERGE_MS,
    );
    if (history.excess.length > 0) throw new Error(`too many Pods in ${this.namespace}: ${history.excess.join('; ')}`);
  }

  async close(): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    await this.history.stop();
  }

  get #podSets(): string {
    return `/apis/app.example.com/v1alpha1/namespaces/${this.namespace}/podsets`;
  }
}
