import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { Api, type ApiObject } from '../support/api.js';
import { Kubectl, findKubectls } from '../support/kubectl.js';
import { temporaryFolder } from '../support/leftovers.js';
import { PodHistory } from '../support/pod-history.js';
import type { Program } from '../support/program.js';
import { type TestServer, serverKind, startTestServer } from '../support/servers.js';
import { until } from '../support/until.js';
import { HttpSteps } from './http-steps.js';
import { KubectlSteps } from './kubectl-steps.js';
import { podSetCrd, startPodSetOperator } from './podset-operator.js';
import type { Manifest, Steps } from './steps.js';

const NAME = 'example-podset';
const POD_NAME = /^example-podset-pod[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const AGE = /^\d+[smhd]/;
/** Long enough that a listing made at once still shows Pods Terminating. */
const POD_GRACE_SECONDS = 5;

const podSet = (replicas: number): Manifest => ({
  apiVersion: 'app.example.com/v1alpha1',
  kind: 'PodSet',
  metadata: { name: NAME },
  spec: { replicas },
});

const drivers: { title: string; open(server: TestServer): Promise<Steps> }[] = [
  { title: 'HTTP', open: async ({ kubeconfigPath }) => new HttpSteps(await Api.of(kubeconfigPath)) },
];
const { found, absent } = await findKubectls();
for (const binary of found) {
  drivers.push({
    title: `kubectl 1.${binary.minor}`,
    open: async ({ kubeconfigPath }) =>
      new KubectlSteps(new Kubectl(binary, { kubeconfigPath, folder: await temporaryFolder('kubectl') })),
  });
}
const notRun = absent.length > 0 ? ` (not on this machine: ${absent.join(', ')})` : '';

for (const driver of drivers) {
  describe(`PodSet tutorial with ${driver.title} on the ${serverKind} server${notRun}`, function () {
    this.timeout(120_000);
    let server: TestServer;
    let steps: Steps;
    let operator: Program;
    let history: PodHistory;
    let isBroken = false;

    before(async () => {
      server = await startTestServer({ podGraceSeconds: POD_GRACE_SECONDS });
      steps = await driver.open(server);
      await steps.installCrd(await podSetCrd());
      history = await PodHistory.start(server.kubeconfigPath);
      operator = startPodSetOperator(server.kubeconfigPath);
    });
    after(async () => {
      await operator?.stop();
      await history?.stop();
      await server?.stop();
    });
    // Each row of the tutorial begins where the one before ended.
    beforeEach(() => {
      if (isBroken) throw new Error('an earlier row of the tutorial failed');
    });
    afterEach(function () {
      isBroken ||= this.currentTest?.state === 'failed';
      if (isBroken) process.stderr.write(`${operator?.output.slice(-4_000)}\n`);
    });

    /** Waits until the listing of the PodSet's Pods has the given states, in any order, and returns the names. */
    const podsBecome = (...states: string[]): Promise<string[]> =>
      until(`Pods are ${states.join(', ') || 'gone'}`, async () => {
        const { header, rows } = await steps.list('pods', { selector: `app=${NAME}` });
        expect(rows.map((row) => row[2])).to.have.members(states);
        if (rows.length > 0) expect(header).to.deep.equal(['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE']);
        for (const [name, ready, status, restarts, age] of rows) {
          expect(name).to.match(POD_NAME);
          if (status === 'Running') expect(ready).to.equal('1/1');
          expect(restarts).to.equal('0');
          expect(age).to.match(AGE);
        }
        return rows.map(([name = '']) => name);
      });
    const running = (count: number): string[] => Array<string>(count).fill('Running');
    const terminating = (count: number): string[] => Array<string>(count).fill('Terminating');
    /** The test's own watch may be a moment behind the listing. */
    const aliveBecome = (names: string[]): Promise<ApiObject[]> =>
      until(`the watch shows ${names.join()}`, async () => {
        const { alive } = history;
        return (
          alive
            .map(({ metadata }) => metadata.name)
            .toSorted()
            .join() === names.toSorted().join() && alive
        );
      });
    const checkHistory = (created: number): void => {
      expect(history.excess, 'Pods beyond what was wanted').to.deep.equal([]);
      expect(history.created, 'Pods ever made').to.have.length(created);
    };

    it('TUT-6 the CRD generated from the class is listed with its scope and version', async () => {
      const { header, rows } = await steps.list('crd', { name: 'podsets.app.example.com' });
      expect(header).to.deep.equal(['NAME', 'SCOPE', 'VERSIONS', 'CREATED AT']);
      expect(rows).to.have.length(1);
      expect(rows[0]?.slice(0, 3)).to.deep.equal(['podsets.app.example.com', 'Namespaced', 'v1alpha1(storage)']);
      expect(rows[0]?.[3]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    it('TUT-7 no PodSets are found under either name', async () => {
      expect((await steps.list('podsets.app.example.com')).rows).to.deep.equal([]);
      expect((await steps.list('podsets')).rows).to.deep.equal([]);
    });

    it('TUT-18 a PodSet with -1 replicas is refused with the reason, and nothing is stored', async () => {
      await steps.createInvalid(podSet(-1), [
        'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
        // A server checks the field a second time because the scale subresource names it.
        '.spec.replicas: Invalid value: -1: should be a non-negative integer',
      ]);
      expect((await steps.list('podsets')).rows).to.deep.equal([]);
    });

    it('TUT-8 a PodSet is created and listed with its wanted replicas', async () => {
      await steps.create(podSet(3));
      const { header, rows } = await steps.list('podsets');
      expect(header).to.deep.equal(['NAME', 'DESIRED', 'AGE']);
      expect(rows.map(([name, desired]) => [name, desired])).to.deep.equal([[NAME, '3']]);
      expect(rows[0]?.[2]).to.match(AGE);
    });

    it('TUT-9 three Pods run, and no more than three ever existed', async () => {
      await aliveBecome(await podsBecome(...running(3)));
      checkHistory(3);
    });

    it('TUT-10 a deleted Pod is replaced by one new Pod', async () => {
      const earlier = await podsBecome(...running(3));
      const [victim = '', ...kept] = earlier;
      await steps.remove('pods', victim);
      const later = await podsBecome(...running(3));
      expect(later).to.include.members(kept).and.not.include(victim);
      const alive = await aliveBecome(later);
      const times = (names: string[]): string[] =>
        alive.filter(({ metadata }) => names.includes(metadata.name)).map(({ metadata }) => metadata.creationTimestamp);
      const [made = ''] = times(later.filter((name) => !earlier.includes(name)));
      for (const time of times(kept)) expect(made >= time, `made ${made}, kept one ${time}`).to.equal(true);
      checkHistory(4);
    });

    it('TUT-11 with two replicas applied the youngest Pod terminates, then two are left', async () => {
      const youngest = history.alive.at(-1)?.metadata.name;
      const earlier = await podsBecome(...running(3));
      await steps.apply(podSet(2), true);
      await podsBecome(...running(2), ...terminating(1));
      const later = await podsBecome(...running(2));
      expect(later).to.have.members(earlier.filter((name) => name !== youngest));
      checkHistory(4);
    });

    it('TUT-12 with four replicas applied four Pods run, the two kept ones among them', async () => {
      const kept = await podsBecome(...running(2));
      await steps.apply(podSet(4), false);
      const later = await podsBecome(...running(4));
      expect(later).to.include.members(kept);
      await aliveBecome(later);
      checkHistory(6);
    });

    it('TUT-13 the description shows the four Pod names, sorted, and no events', async () => {
      const pods = await podsBecome(...running(4));
      const described = await until('the status names four Pods', async () => {
        const names = await steps.describe(NAME, 4);
        return names.length === 4 && names;
      });
      expect(described).to.deep.equal(pods.toSorted());
    });

    it('TUT-14 a deleted PodSet takes its four Pods along', async () => {
      await steps.remove('podsets', NAME);
      await podsBecome(...terminating(4));
      await podsBecome();
      expect((await steps.list('podsets')).rows).to.deep.equal([]);
      checkHistory(6);
    });

    it('TUT-17 a PodSet is scaled through its scale subresource', async () => {
      await steps.create(podSet(2));
      await podsBecome(...running(2));
      await steps.scale(NAME, 1);
      await podsBecome(...running(1));
      expect((await steps.list('podsets')).rows[0]?.[1]).to.equal('1');
      checkHistory(8);
    });

    it('the operator ends in order on SIGTERM and leaves Pods and PodSet alone', async () => {
      expect(await operator.stop()).to.equal(0);
      expect(operator.output).to.not.match(/unhandled/i);
      await podsBecome(...running(1));
      expect((await steps.list('podsets')).rows).to.have.length(1);
    });

    it('TUT-14 owner references do it: Pods go with their PodSet though no operator runs', async () => {
      expect(operator.isEnded).to.equal(true);
      await steps.remove('podsets', NAME);
      await podsBecome(...terminating(1));
      await podsBecome();
      checkHistory(8);
    });
  });
}
