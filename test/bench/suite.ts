import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Api } from '../support/api.js';
import { EmbeddedServer } from '../support/embedded-server.js';
import { inRepository } from '../support/paths.js';
import { Program } from '../support/program.js';
import { apiServer } from './api-server.js';
import { type Contender, kubewright, peer } from './contender.js';
import { type Figures, median, memory, percentile, round } from './figures.js';
import { nameOf, pathOf, seed } from './seed.js';

const RUNS = 5;
const WRITES = 2000;
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Median of the runs, with the least and the greatest beside it. */
const spread = (values: readonly number[], digits = 0): string =>
  `${round(median(values), digits)} (${round(Math.min(...values), digits)}–${round(Math.max(...values), digits)})`;

interface Row {
  readonly label: string;
  readonly field: string;
  readonly digits?: number;
  /** More is better. */
  readonly more?: boolean;
}

/** Runs one workload on all contenders in turn and prints a row a figure; with a peer also the ratio to it. */
async function compare(title: string, workload: string, args: readonly string[], rows: readonly Row[]): Promise<void> {
  const contenders = [kubewright, ...[peer()].filter((one): one is Contender => one !== undefined)];
  const results = new Map<Contender, Figures[]>(contenders.map((contender) => [contender, []]));
  for (let run = 0; run < RUNS; run++)
    for (const contender of contenders) results.get(contender)?.push(await contender.run(workload, args));
  print(`\n${title}: median of ${RUNS} (least–greatest)`);
  for (const { label, field, digits = 0, more = false } of rows) {
    const values = contenders.map((one) => (results.get(one) ?? []).map((figures) => Number(figures[field])));
    const cells = contenders.map((one, index) => `${one.name} ${spread(values[index] ?? [], digits)}`);
    const [ours, theirs] = values.map(median);
    const ratio =
      theirs === undefined ? '' : ` · ratio ${round((ours ?? 0) / theirs, 2)}${more ? ' (more is better)' : ''}`;
    print(`  ${label}: ${cells.join(' · ')}${ratio}`);
  }
}

/** Process start to the first `ready` line of the built command, and `startApiServer()` in a process of its own. */
async function startOfServer(): Promise<void> {
  const command: number[] = [];
  const inProcess: number[] = [];
  let idle = 0;
  for (let run = 0; run < 10; run++) {
    const begin = performance.now();
    const server = await EmbeddedServer.start();
    command.push(performance.now() - begin);
    idle = memory(server.pid).rssMB;
    await server.stop();
    const child = new Program({
      name: 'start in process',
      file: process.execPath,
      args: [inRepository('test/bench/start-in-process.mjs')],
    });
    inProcess.push(Number((await child.printed(/(\d+(\.\d+)?) ms/, 10_000))[1]));
    await child.ended;
  }
  print('embedded API server: median of 10 (least–greatest)');
  print(`  command, process start to ready: ${spread(command)} ms · memory when ready ${idle} MB`);
  print(`  in process, startApiServer(): ${spread(inProcess)} ms`);
}

/** 200 writes a second for 10 s: from just before a write is sent to the start of the reconcile that sees it. */
async function latency(kubeconfig: string, present: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kubewright-bench-'));
  const reads = path.join(folder, 'reads');
  const operator = new Program({
    name: 'latency operator',
    file: process.execPath,
    args: [
      inRepository('test/bench/run.mjs'),
      'one',
      'p3-operator',
      '--kubeconfig',
      kubeconfig,
      '--present',
      String(present),
      '--writes',
      String(WRITES),
      '--reads',
      reads,
    ],
  });
  await operator.printed(/^ready$/m, 60_000);
  const api = await Api.of(kubeconfig);
  const sent = new Map<number, number>();
  const first = Math.floor(Date.now() / 1000) * 10_000;
  const begin = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let i = 0; i < WRITES;) {
    // Open loop: a write is due every 5 ms, whether the ones before were answered or not.
    for (const due = (performance.now() - begin) / 5; i < Math.min(due, WRITES); i++) {
      const index = i % 1000;
      sent.set(first + i, performance.timeOrigin + performance.now());
      const body = { metadata: { annotations: { 'bench.example.com/seq': String(first + i) } } };
      pending.push(
        api.ok('PATCH', `${pathOf(index)}/${nameOf(index)}`, { body, contentType: 'application/merge-patch+json' }),
      );
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  await Promise.all(pending);
  api.close();
  // What is missing after a minute is reported as not seen.
  await operator.printed(/^complete$/m, 60_000).catch(() => {});
  await operator.stop();
  const delays: number[] = [];
  for (const line of (await readFile(reads, 'utf8')).trim().split('\n')) {
    const [sequence, at] = line.split(' ').map(Number);
    const from = sent.get(sequence ?? 0);
    if (from !== undefined && at !== undefined) delays.push(at / 1e6 - from);
  }
  await rm(folder, { recursive: true });
  print(`\nevent → reconcile, 200 writes a second for 10 s, ${present} objects: ${delays.length} of ${sent.size} seen`);
  print(
    `  write sent → reconcile: p50 ${round(percentile(delays, 50), 2)} ms · p99 ${round(percentile(delays, 99), 2)} ms`,
  );
}

/** All benches, printed as they end. */
export async function suite(): Promise<void> {
  await startOfServer();
  await apiServer(print);
  const given = process.env['KUBEWRIGHT_BENCH_KUBECONFIG'];
  const server = given ? undefined : await EmbeddedServer.start({ args: ['--controllers', 'none'] });
  const kubeconfig = given ?? server?.kubeconfigPath ?? '';
  print(`\nserver of the following: ${given ? `that of ${given}` : 'embedded'}`);
  try {
    let present = 0;
    for (const count of [1000, 10_000]) {
      await seed(kubeconfig, present, count);
      present = count;
      await compare(
        `start → ${count} custom resources of 2 KB reconciled once`,
        'p1',
        ['--kubeconfig', kubeconfig, '--count', String(count)],
        [
          { label: 'ms', field: 'lastReconcileMs' },
          { label: 'peak memory, MB', field: 'rssPeakMB' },
          { label: 'CPU, ms', field: 'cpuMs' },
        ],
      );
    }
    await compare(
      'no-op reconciles, one worker, 1,000 keys',
      'p2',
      ['--seconds', '3'],
      [{ label: 'per second', field: 'reconcilesPerSec', more: true }],
    );
    await latency(kubeconfig, present);
  } finally {
    await server?.stop();
  }
}
