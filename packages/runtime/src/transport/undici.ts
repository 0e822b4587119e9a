import { createRequire } from 'node:module';
import type * as undici from 'undici';

const require = createRequire(import.meta.url);

/**
 * The connection pool of undici without the rest of it (fetch, WebSocket, caches): loading the whole package costs 70 ms
 * and 16 MB at the start of every operator. Where a release keeps its files elsewhere, the whole package serves.
 */
export const Pool: typeof undici.Pool = loadPool();

/** The whole package, for clusters behind a proxy. */
export function wholeUndici(): typeof undici {
  return require('undici') as typeof undici;
}

function loadPool(): typeof undici.Pool {
  try {
    return require('undici/lib/dispatcher/pool.js') as typeof undici.Pool;
  } catch {
    return wholeUndici().Pool;
  }
}
