import { InvalidArgumentError } from 'commander';
import type { DeclareCommand } from '../program.js';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly kubeconfigOut?: string;
  readonly kubeconfig?: string;
  readonly data?: string;
  readonly dataDir?: string;
  readonly auth: string;
  readonly rbac?: boolean;
  readonly users?: string;
  readonly load?: string[];
  readonly controllers: string;
  readonly podGrace: string;
  readonly http?: boolean;
  readonly control: boolean;
  readonly historyEvents?: number;
  readonly historyMinutes?: number;
}

/** `kubewright apiserver`. */
export const declareApiserver: DeclareCommand = (program, io, finish) => {
  program
    .command('apiserver')
    .summary('start an embedded Kubernetes API server')
    .description(
      'Starts an embedded Kubernetes API server for development and tests. kubectl works with it; containers are not run.',
    )
    .option('--port <number>', 'port to listen on; 0 takes any free one', port, 6443)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--kubeconfig-out <file>', 'where the kubeconfig is written (default: ".kubewright/kubeconfig")')
    .option('--kubeconfig <file>', 'the same as --kubeconfig-out')
    .option('--data <dir>', 'folder that keeps the state between starts (default: memory only)')
    .option('--data-dir <dir>', 'the same as --data')
    .option(
      '--auth <mode>',
      'open: everyone is administrator; rbac: credentials and roles decide',
      choice('open', 'rbac'),
      'open',
    )
    .option('--rbac', 'the same as --auth rbac')
    .option('--users <file>', 'static tokens: lines of token,user,uid,"group1,group2"')
    .option('--load <file|dir>', 'manifests to load at start (repeatable)', (value: string, before?: string[]) => [
      ...(before ?? []),
      value,
    ])
    .option('--controllers <list>', 'pretend controllers, separated by commas; all or none', 'all')
    .option('--pod-grace <duration>', 'longest time a deleted Pod stays Terminating', '1s')
    .option('--http', 'plain HTTP instead of TLS')
    .option('--no-control', 'do not serve the test-control API')
    .option('--history-events <number>', 'events kept per resource for watches of the past', whole)
    .option('--history-minutes <number>', 'how long those events are kept', whole)
    .addHelpText('after', '\nExample:\n  kubewright apiserver --port 0 --kubeconfig-out /tmp/kubeconfig')
    .action(async (flags: Flags) => {
      const { runApiServerCommand } = await import('@kubewright/apiserver');
      const { kubeconfigOut = flags.kubeconfig, data = flags.dataDir, auth, rbac, ...rest } = flags;
      const options = {
        ...rest,
        auth: rbac ? 'rbac' : (auth as 'open' | 'rbac'),
        ...(kubeconfigOut !== undefined && { kubeconfigOut }),
        ...(data !== undefined && { dataDir: data }),
      } as const;
      const write = (stream: { write(text: string): unknown }) => (line: string) => void stream.write(`${line}\n`);
      finish(
        await runApiServerCommand(options, {
          out: write(io.stdout),
          err: write(io.stderr),
          onSignal: io.onSignal,
          cwd: io.cwd,
        }),
      );
    });
};

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

function port(text: string): number {
  const value = whole(text);
  if (value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return value;
}

const choice =
  (...known: readonly string[]) =>
  (text: string): string => {
    if (!known.includes(text)) throw new InvalidArgumentError(`Allowed: ${known.join(', ')}.`);
    return text;
  };
