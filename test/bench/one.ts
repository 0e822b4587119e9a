import { parseArgs } from 'node:util';
import { firstReconciles } from './first-reconciles.js';
import { hotQueue } from './hot-queue.js';
import { latencyOperator } from './latency.js';

const USAGE = `usage: bench one p1 --kubeconfig FILE [--count N] [--t0 NANOS]
       bench one p2 [--keys N] [--seconds S] [--t0 NANOS]
       bench one p3-operator --kubeconfig FILE --present N --writes N --reads FILE`;

/** Runs one workload in this process and prints its line of figures. */
export async function one(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      kubeconfig: { type: 'string', default: process.env['KUBECONFIG'] ?? '' },
      count: { type: 'string', default: '10000' },
      present: { type: 'string', default: '1000' },
      writes: { type: 'string', default: '2000' },
      keys: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '10' },
      reads: { type: 'string' },
      t0: { type: 'string' },
    },
  });
  const [workload] = positionals;
  const { kubeconfig, t0 } = values;
  if (workload === 'p2') return hotQueue({ keys: Number(values.keys), seconds: Number(values.seconds), t0 });
  if (kubeconfig === '') throw new Error(`no kubeconfig\n${USAGE}`);
  if (workload === 'p1') return firstReconciles({ kubeconfig, count: Number(values.count), t0 });
  if (workload === 'p3-operator' && values.reads)
    return latencyOperator({
      kubeconfig,
      present: Number(values.present),
      writes: Number(values.writes),
      file: values.reads,
    });
  throw new Error(USAGE);
}
