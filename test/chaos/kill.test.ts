import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import { Api } from '../support/api.js';
import { PodHistory } from '../support/pod-history.js';
import { startTestServer, type TestServer } from '../support/servers.js';
import { until } from '../support/until.js';
import { AdminProxy } from './admin-proxy.js';
import { installPodSets, OperatorProcess } from './operator-process.js';

const POD_SETS = '/apis/app.example.com/v1alpha1/namespaces/default/podsets';
const MERGE = 'application/merge-patch+json';
const OUTAGE_MS = 10_000;
/** After an outage the next try of a watch may be 30 s away (R16), and the one after a failed run as well. */
const CONVERGE_MS = 90_000;

/** All there is for one kill test: a server, the operator in a process of its own, and the record of what happened. */
describe('the PodSet operator survives', function () {
  this.timeout(180_000);
  let server: TestServer;
  let api: Api;
  let history: PodHistory;
  let operator: OperatorProcess | undefined;

  before(async () => {
    server = await startTestServer({ outages: true });
    api = await Api.of(server.kubeconfigPath);
    await installPodSets(api);
    history = await PodHistory.start(server.kubeconfigPath, { outages: true });
  });

  afterEach(async () => {
    await operator?.stop();
    operator = undefined;
    await api.send('DELETE', `${POD_SETS}/web`);
    await until('all Pods are gone', async () => history.alive.length === 0);
  });

  after(async () => {
    await history?.stop();
    api?.close();
    await server?.stop();
  });

  const create = (replicas: number): Promise<unknown> =>
    api.ok('POST', POD_SETS, {
      body: { apiVersion: 'app.example.com/v1alpha1', kind: 'PodSet', metadata: { name: 'web' }, spec: { replicas } },
    });
  const scale = (replicas: number): Promise<unknown> =>
    api.ok('PATCH', `${POD_SETS}/web`, { body: { spec: { replicas } }, contentType: MERGE });

  /** Exactly the wanted Pods, known to the status, and at no time one too many. */
  const converged = async (replicas: number): Promise<void> => {
    await until(
      `${replicas} Pods, all in the status`,
      async () => {
        const { status } = await api.ok('GET', `${POD_SETS}/web`);
        const alive = history.alive.map(({ metadata }) => metadata.name).toSorted();
        return alive.length === replicas && JSON.stringify(status?.podNames ?? []) === JSON.stringify(alive);
      },
      CONVERGE_MS,
    );
    expect(history.excess).to.deep.equal([]);
  };

  it('an API server that is gone for 10 s in the middle of converging', async () => {
    operator = new OperatorProcess(server.kubeconfigPath);
    await create(30);
    await until('converging has begun', async () => history.alive.length >= 5);
    await server.stopApiServer();
    // The outage itself is what is tested: its length is given, nothing is waited for.
    await new Promise((resolve) => {
      setTimeout(resolve, OUTAGE_MS);
    });
    await server.startApiServer();
    await converged(30);
    operator.expectHealthy();
  });

  it('50 watch connections cut while Pods are deleted and replaced', async () => {
    await using proxy = await AdminProxy.before(server.kubeconfigPath);
    operator = new OperatorProcess(proxy.kubeconfigPath);
    await create(8);
    while (proxy.watchesCut < 50) {
      await until('both watches are open', async () => proxy.openWatches === 2, CONVERGE_MS);
      const victim = history.alive.at(0)?.metadata.name;
      if (victim) await api.ok('DELETE', `/api/v1/namespaces/default/pods/${victim}`);
      proxy.cutWatches();
    }
    await converged(8);
    operator.expectHealthy();
  });

  it('SIGKILL in the middle of converging, and a new start', async () => {
    operator = new OperatorProcess(server.kubeconfigPath);
    await create(30);
    for (const reached of [5, 15]) {
      await until(`${reached} Pods are there`, async () => history.alive.length >= reached);
      await operator.kill();
      operator = new OperatorProcess(server.kubeconfigPath);
    }
    await converged(30);
    await scale(3);
    await until('Pods are being removed', async () => history.alive.length < 25);
    await operator.kill();
    operator = new OperatorProcess(server.kubeconfigPath);
    await converged(3);
    operator.expectHealthy();
  });
});
