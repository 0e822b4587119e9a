import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '../support/api.js';
import { startTestServer, type TestServer } from '../support/servers.js';
import { until } from '../support/until.js';
import { FaultMix } from './fault.js';
import { faults } from './faults.js';
import { type Footprint, HostProcess } from './host-process.js';
import { Lane } from './lane.js';
import { installPodSets } from './operator-process.js';

/** `KUBEWRIGHT_CHAOS_SECONDS=300` is the long run. */
const SECONDS = Number(process.env['KUBEWRIGHT_CHAOS_SECONDS'] || 30);
/** Printed with each failure; `KUBEWRIGHT_CHAOS_SEED` repeats the choices, though not the moments. */
const SEED = Number(process.env['KUBEWRIGHT_CHAOS_SEED'] || Date.now() % 1_000_000);
const LANES = 4;
const FEW = 3;
const MOST = 12;
/** Two watches, and what the client keeps for its next calls. */
const SOCKETS_PER_LANE = 6;

/** A small generator of numbers in [0, 1): the same seed gives the same row. */
const numbers =
  (seed: number): (() => number) =>
  () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

describe(`the PodSet operator meets all faults at random for ${SECONDS} s (seed ${SEED})`, function () {
  this.timeout((SECONDS + 300) * 1_000);
  let server: TestServer;
  let api: Api;
  let host: HostProcess;
  let first: Footprint;
  const lanes: Lane[] = [];
  const mixes: FaultMix[] = [];
  const random = numbers(SEED);

  before(async () => {
    server = await startTestServer();
    api = await Api.of(server.kubeconfigPath);
    await installPodSets(api);
    for (let index = 0; index < LANES; index++) {
      const lane = await Lane.open(api, server.kubeconfigPath, { namespace: `mix-${index}`, replicas: FEW });
      lanes.push(lane);
    }
    host = new HostProcess(lanes);
    await host.ready();
    for (const lane of lanes) {
      // Full size once, so that what is compared later has seen all code and all objects.
      await lane.scale(MOST);
      await lane.converged(MOST);
      await lane.scale(FEW);
      await lane.converged(FEW);
    }
    first = await host.measure();
  });

  after(async () => {
    await host?.stop();
    for (const lane of lanes) await lane.close();
    api?.close();
    await server?.stop();
  });

  /** Grows, and loses Pods; it never shrinks, since then a Pod that comes late would be one too many by right. */
  const stir = async (lane: Lane): Promise<void> => {
    const end = Date.now() + SECONDS * 1_000;
    for (let replicas = FEW; Date.now() < end;) {
      if (replicas < MOST && random() < 0.3) await lane.scale(++replicas);
      else await lane.deletePod();
      await pause(100 + 400 * random());
    }
    await lane.scale(MOST);
  };

  it('Z2 Z3 Z4 Z13 Z24 R20 ends with exactly the wanted Pods, and never made one too many', async () => {
    for (const lane of lanes) {
      const mix = new FaultMix(faults, random);
      lane.proxy.plan = mix;
      mixes.push(mix);
    }
    // Watches that opened before the faults began would outlive them all.
    for (const lane of lanes) lane.proxy.cutWatches();
    await Promise.all(lanes.map((lane) => stir(lane)));
    for (const mix of mixes) mix.end();
    for (const lane of lanes) await lane.converged(MOST);
    for (const lane of lanes) await lane.scale(FEW);
    for (const lane of lanes) await lane.converged(FEW);
    const met = new Set(mixes.flatMap((mix) => [...mix.counts.keys()]));
    const strikes = mixes.reduce((sum, mix) => [...mix.counts.values()].reduce((a, b) => a + b, sum), 0);
    console.log(`      ${strikes} faults of ${met.size} kinds`);
    expect(met.size).to.be.at.least(20);
  });

  it('Z9 M1 holds as much memory and as many sockets as before, and left no rejection to nobody', async () => {
    host.expectHealthy();
    // The last delayed connections of the faults run out.
    const last = await until('sockets are few again', async () => {
      const footprint = await host.measure();
      const open = lanes.reduce((sum, { proxy }) => sum + proxy.openConnections, 0);
      if (footprint.sockets <= SOCKETS_PER_LANE * LANES && open <= SOCKETS_PER_LANE * LANES) return footprint;
      throw new Error(`${footprint.sockets} sockets in the operator, ${open} at the proxies`);
    });
    console.log(`      heap ${mega(first.heap)} before, ${mega(last.heap)} after`);
    expect(last.heap).to.be.below(first.heap * 1.15 + 2 ** 21);
  });
});

const mega = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
