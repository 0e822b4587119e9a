import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

/** How long a condition may take. Far above what is usual, so that only a fault reaches it, not a slow machine. */
const DEADLINE_MS = 90_000;

/**
 * Asks `probe` until it returns a value other than undefined or false. A probe that throws counts as "not yet"; what
 * it threw last is told when the deadline passes.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  deadlineMs: number = DEADLINE_MS,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (let last: unknown; ; await pause(50)) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `not within ${deadlineMs / 1000} s: ${what}${last === undefined ? '' : ` (last: ${last instanceof Error ? last.message : inspect(last)})`}`,
        {
          cause: last,
        },
      );
    }
  }
}
