import type { KubewrightError } from '@kubewright/api';
import { runtimeError } from '../errors.js';

export const portInUse = (what: string, port: number, cause: unknown): KubewrightError =>
  runtimeError('KW_PORT_IN_USE', `the ${what} cannot listen on port ${port}: another process does`, {
    cause,
    fix: 'choose another port, or 0 for any free one',
  });

export const healthStarted = (check: string): KubewrightError =>
  runtimeError('KW_HEALTH_STARTED', `health check ${check} was added after the start`, {
    fix: 'add checks before start()',
  });
