import { AssertionError } from 'node:assert';
import { isAlreadyExists, isConflict, isKubewrightError, isNamespaceTerminating } from '@kubewright/api';

const PANICS = [TypeError, ReferenceError, RangeError, SyntaxError, AssertionError] as const;

/** An error that points at the program and not at the world (C4). */
export const isPanic = (thrown: unknown): boolean =>
  !(thrown instanceof Error) || PANICS.some((panic) => thrown instanceof panic);

/** An error that ordinary concurrency makes: retried, and not worth a line (C10). */
export const isQuiet = (thrown: unknown): boolean =>
  (isConflict(thrown) && !isKubewrightError(thrown, 'KW_API_APPLY_CONFLICT')) ||
  isAlreadyExists(thrown) ||
  isNamespaceTerminating(thrown);

/** Ms that the error asks to wait at least (C14). */
export const retryAfterOf = (thrown: unknown): number =>
  isKubewrightError(thrown) && thrown.retryAfterMs !== undefined && Number.isFinite(thrown.retryAfterMs)
    ? thrown.retryAfterMs
    : 0;
