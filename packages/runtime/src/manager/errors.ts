import type { ErrorDetail, KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';
import { secondsText } from './seconds-text.js';

export const managerStarted = (): KubewrightError =>
  runtimeError('KW_MANAGER_STARTED', 'the manager was started before', { fix: 'make a new one for each start' });

export const managerStopping = (what: string): KubewrightError =>
  runtimeError('KW_MANAGER_STOPPING', `${what} was added while the manager is stopping`);

/** The reason that signals carry at a clean stop. */
export const managerStopped = (): KubewrightError => runtimeError('KW_MANAGER_STOPPED', 'the manager is stopping');

export const gracefulTimeOver = (limit: number, who: readonly string[]): KubewrightError =>
  runtimeError('KW_MANAGER_TIMEOUT', `${who.length} did not end within ${secondsText(limit)}: ${who.join(', ')}`);

export const restTimeOver = (limit: number, step: string): KubewrightError =>
  runtimeError('KW_MANAGER_TIMEOUT', `${step} did not stop within ${secondsText(limit)}`);

export const managerForced = (signal: string): KubewrightError =>
  runtimeError('KW_MANAGER_FORCED', `a second ${signal} ended the graceful time`);

export const nameTaken = (name: string): KubewrightError =>
  runtimeError('KW_MANAGER_NAME_TAKEN', `two controllers are named ${name}`, {
    fix: 'give one of them another name, for example @Controller({ name: "…" })',
  });

export const notSynced = (limit: number, details: readonly ErrorDetail[]): KubewrightError =>
  runtimeError(
    'KW_CACHE_SYNC',
    [
      `${details.length} of the watched kinds could not be listed within ${secondsText(limit)}:`,
      ...details.map(({ message }) => `  ${message}`),
    ].join('\n'),
    { details },
  );
