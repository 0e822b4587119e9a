import { isStatusError } from './errors.js';

/** Waits for an operation of a controller; that its object is gone meanwhile is no failure. */
export async function unlessGone(operation: Promise<unknown>): Promise<void> {
  try {
    await operation;
  } catch (error) {
    if (!isStatusError(error) || error.code !== 404) throw error;
  }
}
