import type { ErrorDetail, KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';

export const authErrors = {
  noConfig: (places: readonly ErrorDetail[]): KubewrightError =>
    runtimeError(
      'KW_CLUSTER_NO_CONFIG',
      `no cluster is configured: ${places.map(({ where, message }) => `${where}: ${message}`).join('; ')}`,
      {
        details: places,
        fix: 'set KUBECONFIG to a kubeconfig file, pass option kubeConfig, or run in a Pod with a service account',
      },
    ),
  config: (where: string, message: string, cause?: unknown): KubewrightError =>
    runtimeError('KW_CLUSTER_CONFIG', `${where}: ${message}`, cause === undefined ? {} : { cause }),
  exec: (command: string, message: string, hint?: string): KubewrightError =>
    runtimeError('KW_CLUSTER_EXEC', `credential plugin ${command}: ${message}${hint === undefined ? '' : `; ${hint}`}`),
  proxy: (scheme: string): KubewrightError =>
    runtimeError('KW_CLUSTER_PROXY', `proxy URL with scheme ${scheme}`, { fix: 'use http, https or socks5' }),
};

/** What a failed read of a file says: never its content. */
export function fileFault(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'may not be read';
  return code === undefined ? 'cannot be read' : `cannot be read (${code})`;
}
