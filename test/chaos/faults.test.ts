import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Api } from '../support/api.js';
import { startTestServer, type TestServer } from '../support/servers.js';
import { FaultAlone } from './fault.js';
import { faults } from './faults.js';
import { HostProcess } from './host-process.js';
import { Lane } from './lane.js';
import { installPodSets } from './operator-process.js';

/** Often enough for any fault to strike as often as it is to; more rounds mean that it never will. */
const ROUNDS = 12;

/**
 * The PodSet operator meets each fault from its first request on. All of them at once, each in a namespace, on a road
 * and with an operator of its own, since most of the time goes by in back-off.
 */
describe(`the PodSet operator meets ${faults.length} faults, each alone`, function () {
  this.timeout(240_000);
  let server: TestServer;
  let api: Api;
  let host: HostProcess;
  const lanes: Lane[] = [];
  const ends: Promise<unknown>[] = [];

  /** Up, one Pod lost, down: until the fault has struck often enough. */
  const meet = async (lane: Lane, plan: FaultAlone): Promise<void> => {
    for (let round = 0; round === 0 || (plan.strikes < plan.wanted && round < ROUNDS); round++) {
      await lane.scale(4);
      await lane.converged(4);
      await lane.deletePod();
      await lane.converged(4);
      await lane.scale(2);
      await lane.converged(2);
    }
    expect(plan.strikes).to.equal(plan.wanted);
  };

  before(async () => {
    expect(faults.length).to.be.at.least(35);
    server = await startTestServer();
    api = await Api.of(server.kubeconfigPath);
    await installPodSets(api);
    const plans = faults.map((fault) => new FaultAlone(fault));
    for (const [index, plan] of plans.entries())
      lanes.push(await Lane.open(api, server.kubeconfigPath, { namespace: `fault-${index}`, replicas: 3, plan }));
    host = new HostProcess(lanes);
    await host.ready();
    for (const [index, plan] of plans.entries()) {
      const end = meet(lanes[index] as Lane, plan);
      // Its own test tells what went wrong.
      end.catch(() => {});
      ends.push(end);
    }
  });

  after(async () => {
    await host?.stop();
    for (const lane of lanes) await lane.close();
    api?.close();
    await server?.stop();
  });

  for (const [index, { name }] of faults.entries())
    it(`Z2 Z3 Z13 Z24: ${name}`, async () => {
      try {
        await ends[index];
      } catch (error) {
        throw new Error(`${String(error)}\n${host.tail(lanes[index] as Lane)}`, { cause: error });
      }
    });

  it('M1 no rejection was left to nobody', () => host.expectHealthy());
});
