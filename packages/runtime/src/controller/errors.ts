import type { KubewrightError } from '@kubewright/api';
import { describeThrown } from '../error-fields.js';
import { runtimeError } from '../errors.js';

export const noSource = (controller: string): KubewrightError =>
  runtimeError('KW_CONTROLLER_NO_SOURCE', `controller ${controller} watches nothing`, {
    fix: 'give it at least one source, for example @For(Kind)',
  });

export const noReconcile = (controller: string): KubewrightError =>
  runtimeError('KW_CONTROLLER_NO_SOURCE', `controller ${controller} has no reconcile method`, {
    fix: 'write async reconcile(request, ctx) { … }',
  });

export const controllerStarted = (controller: string): KubewrightError =>
  runtimeError('KW_CONTROLLER_STARTED', `controller ${controller} was started before`, { fix: 'make a new one' });

export const notAResult = (controller: string, value: unknown): KubewrightError =>
  runtimeError('KW_CONTROLLER_RESULT', `reconcile of controller ${controller} returned ${kindOf(value)}`, {
    fix: 'return Result.done(), Result.requeue(), Result.requeueAfter(…) or nothing',
  });

export const threwNoError = (value: unknown): KubewrightError =>
  runtimeError('KW_CONTROLLER_THREW', describeThrown(value));

export const reconcileTimedOut = (run: { controller: string; key: string; limit: number }): KubewrightError =>
  runtimeError(
    'KW_RECONCILE_TIMEOUT',
    `controller ${run.controller}: reconcile of ${run.key} took longer than ${run.limit} ms and was aborted`,
    { fix: 'pass ctx.signal to what it waits for, or raise reconcileTimeout' },
  );

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`;
