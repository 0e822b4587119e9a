import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inRepository } from '../support/paths.js';
import type { Figures } from './figures.js';

/** An implementation that runs the same workloads and prints the same figures. */
export interface Contender {
  readonly name: string;
  /** Runs one workload in a process of its own. */
  run(workload: string, args: readonly string[]): Promise<Figures>;
}

function lastLine(file: string, args: readonly string[]): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const t0 = String(BigInt(Date.now()) * 1_000_000n);
    const child = spawn(file, [...args, '--t0', t0], { stdio: ['ignore', 'pipe', 'pipe'] });
    let line = '';
    let errors = '';
    createInterface({ input: child.stdout }).on('line', (text) => {
      line = text;
    });
    child.stderr.on('data', (text) => {
      errors = `${errors}${String(text)}`.slice(-2000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && line.startsWith('{')) resolve(JSON.parse(line) as Figures);
      else reject(new Error(`${file} ${args.join(' ')} ended with ${code}: ${errors}`));
    });
  });
}

/** Kubewright as it is built here. */
export const kubewright: Contender = {
  name: 'kubewright',
  run: (workload, args) => lastLine(process.execPath, [inRepository('test/bench/run.mjs'), 'one', workload, ...args]),
};

/** The reference implementation, if `KUBEWRIGHT_BENCH_PEER` names its program. */
export function peer(): Contender | undefined {
  const file = process.env['KUBEWRIGHT_BENCH_PEER'];
  return file ? { name: 'peer', run: (workload, args) => lastLine(file, [workload, ...args]) } : undefined;
}
