import type { Fault } from '@kubewright/metadata';
import type { Environment, OperatorOptions } from './options.js';
import type { LogLevel } from './pino-logger.js';

type Setting = 'kubeConfig' | 'logLevel' | 'namespaces' | 'health';

/** Environment variable and flag of each setting that can be given from outside. */
const outsideSettings: Readonly<Record<Setting, { readonly env: string; readonly flag: string }>> = {
  kubeConfig: { env: 'KUBEWRIGHT_KUBECONFIG', flag: '--kubeconfig' },
  logLevel: { env: 'KUBEWRIGHT_LOG_LEVEL', flag: '--log-level' },
  namespaces: { env: 'KUBEWRIGHT_NAMESPACES', flag: '--namespaces' },
  health: { env: 'KUBEWRIGHT_HEALTH_PORT', flag: '--health-port' },
};

const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] satisfies LogLevel[];

/** Options with what the outside says put over them: a flag beats a variable, a variable beats an option. */
export function withEnvironment(options: OperatorOptions, faults: Fault[]): OperatorOptions {
  if (options.environment === false) return options;
  const source = options.environment ?? { env: process.env, argv: process.argv.slice(2) };
  const read = (setting: Setting): { value: string; from: string } | undefined =>
    given(source, outsideSettings[setting]);

  const kubeConfig = read('kubeConfig');
  const level = read('logLevel');
  const namespaces = read('namespaces');
  const port = read('health');
  if (level && !LEVELS.includes(level.value))
    faults.push(wrong(level.from, `is "${level.value}"`, `one of ${LEVELS.join(', ')}`, `${level.from}=info`));
  if (port && !/^\d{1,5}$/.test(port.value))
    faults.push(wrong(port.from, `is "${port.value}"`, 'a port number', `${port.from}=8081`));
  return {
    ...options,
    ...(kubeConfig && { kubeConfig: kubeConfig.value }),
    ...(level && { logLevel: level.value as LogLevel }),
    ...(namespaces && { namespaces: namespaces.value.split(',').map((name) => name.trim()) }),
    ...(port && { health: { ...options.health, port: Number(port.value) } }),
  };
}

function given(source: Environment, names: { env: string; flag: string }): { value: string; from: string } | undefined {
  const { argv, env } = source;
  for (let index = argv.length - 1; index >= 0; index--) {
    const argument = argv[index] ?? '';
    if (argument.startsWith(`${names.flag}=`))
      return { value: argument.slice(names.flag.length + 1), from: names.flag };
    const next = argv[index + 1];
    if (argument === names.flag && next !== undefined) return { value: next, from: names.flag };
  }
  const value = env[names.env];
  return value === undefined || value === '' ? undefined : { value, from: names.env };
}

const wrong = (owner: string, found: string, expected: string, fix: string): Fault => ({
  code: 'KW_OPTION',
  owner,
  found,
  expected,
  fix,
});
