import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ApiServer, startApiServer } from '@kubewright/apiserver';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { exchange } from './fuzz-client.js';
import type { FuzzAnswer } from './fuzz-client.js';
import { Mutator, seededRandom } from './fuzz-mutate.js';
import { seeds, widgetDefinition } from './fuzz-seeds.js';
import type { FuzzRequest } from './fuzz-seeds.js';

const REQUESTS = Number(process.env['KUBEWRIGHT_FUZZ_REQUESTS'] ?? 3000);
const SEED = Number(process.env['KUBEWRIGHT_FUZZ_SEED'] ?? 20_261_201);
const AT_ONCE = 8;
/** Growth of the heap between a third of the way and its end, in bytes, that is still called flat. */
const FLAT = 24 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What an answer does that no answer may do; undefined when it is well. */
function wrong(answer: FuzzAnswer, { method }: FuzzRequest): string | undefined {
  if (answer.code === 0) return 'the connection ended without an answer';
  // An answer to HEAD has no body.
  if (answer.code < 500 || method === 'HEAD') return undefined;
  let status: { kind?: string; code?: number; message?: string };
  try {
    status = JSON.parse(answer.body) as typeof status;
  } catch {
    return `${answer.code} without a Status`;
  }
  if (status.kind !== 'Status' || status.code !== answer.code) return `${answer.code} without a Status`;
  // A stack is a fault of the server, whatever form it is answered in.
  return /\n\s+at /.test(status.message ?? '') ? `${answer.code}: ${status.message}` : undefined;
}

const show = ({ method, path, query, headers, body }: FuzzRequest): string =>
  `${method} ${path} ${JSON.stringify(query)} ${JSON.stringify(headers)} ${(body?.toString('latin1') ?? '').slice(0, 600)}`;

describe('Bad input', function () {
  this.timeout(0);
  let server: ApiServer;

  before(async () => {
    // Little history and no request log: what is left in memory are leaks.
    server = await startApiServer({
      tls: false,
      control: false,
      historyEvents: 50,
      seed: [widgetDefinition],
    });
  });
  after(() => server.close());

  it(`${REQUESTS} mutated requests get an answer each, no fault among them, and leave no memory behind`, async () => {
    const mutator = new Mutator(seededRandom(SEED));
    const faults = new Map<string, string>();
    const codes = new Map<number, number>();
    let sent = 0;
    let third = 0;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const worker = async (): Promise<void> => {
      while (sent < REQUESTS) {
        const number = sent++;
        if (number === Math.floor(REQUESTS / 3)) third = heap();
        const request = mutator.mutate(mutator.pick(seeds));
        const answer = await exchange(server.port, request).catch((error: unknown) => {
          throw new Error(`request ${number} of seed ${SEED}: ${String(error)}\n${show(request)}`, { cause: error });
        });
        codes.set(answer.code, (codes.get(answer.code) ?? 0) + 1);
        const fault = wrong(answer, request);
        if (fault !== undefined && !faults.has(fault)) faults.set(fault, `${number}: ${show(request)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const grown = heap() - third;
    if (process.env['KUBEWRIGHT_FUZZ_REQUESTS'] !== undefined) {
      const counts = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`);
      console.log(`seed ${SEED}; answers ${counts.join(', ')}; heap grew by ${Math.round(grown / 1024)} KiB`);
    }
    expect([...faults].map(([fault, example]) => `${fault}\n  ${example}`)).to.deep.equal([]);
    expect(grown).to.be.lessThan(FLAT);
    // It still works.
    const alive = await exchange(server.port, {
      method: 'GET',
      path: '/readyz',
      query: [],
      headers: [],
      body: undefined,
    });
    expect(alive).to.include({ code: 200, body: 'ok' });
  });
});
