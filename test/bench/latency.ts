import { writeFile } from 'node:fs/promises';
import { Client, Controller, createOperator, For, type Reconciler, type Request } from 'kubewright';
import { PodSet } from './pod-set.js';

const SEQUENCE = 'bench.example.com/seq';

/**
 * The operator of P3: notes when a reconcile first saw each value of the annotation `bench.example.com/seq`. Prints `ready` once
 * `present` objects were reconciled, and `complete` once `writes` values were seen; on SIGTERM writes lines `seq reconcileStartUnixNs` to `file` and ends.
 */
export async function latencyOperator(options: {
  kubeconfig: string;
  present: number;
  writes: number;
  file: string;
}): Promise<void> {
  const seen = new Set<string>();
  const lines: string[] = [];
  const known = new Set<string>();

  @Controller()
  @For(PodSet)
  class Latency implements Reconciler {
    constructor(private readonly client: Client) {}

    async reconcile(request: Request): Promise<void> {
      const startMs = performance.timeOrigin + performance.now();
      const podSet = await this.client.find(PodSet, request);
      if (!podSet) return;
      if (seen.size < options.present) {
        seen.add(`${request.namespace}/${request.name}`);
        if (seen.size === options.present) process.stdout.write('ready\n');
      }
      const sequence = podSet.metadata.annotations?.[SEQUENCE];
      if (sequence === undefined || known.has(sequence)) return;
      known.add(sequence);
      lines.push(`${sequence} ${Math.round(startMs * 1000)}000`);
      if (lines.length === options.writes) process.stdout.write('complete\n');
    }
  }

  const operator = await createOperator({
    name: 'bench-p3',
    controllers: [Latency],
    kubeConfig: options.kubeconfig,
    logLevel: 'warn',
    environment: false,
  });
  await operator.start();
  await writeFile(options.file, `${lines.join('\n')}\n`);
}
