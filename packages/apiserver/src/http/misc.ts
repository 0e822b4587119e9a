import type { Exchange } from './exchange.js';
import { pageNotFound } from './router.js';
import { VERSION } from './version.js';

/** A named condition of `/readyz`; `ready` false while the server starts. */
export interface HealthCheck {
  readonly name: string;
  ready(): boolean;
}

const HEALTH = /^\/(healthz|livez|readyz)(?:\/(.*))?$/s;

/** `/version`. */
export const sendVersion = (x: Exchange): Promise<void> => x.json(200, VERSION);

/** `/healthz`, `/livez`, `/readyz` and their single checks (DI-11); false when the path is none of them. */
export async function sendHealth(x: Exchange, checks: readonly HealthCheck[]): Promise<boolean> {
  const match = HEALTH.exec(x.info.path);
  if (!match) return false;
  const kind = match[1] ?? '';
  // Only readiness depends on the state of the server.
  const known = kind === 'readyz' ? [PING, ...checks] : [PING];
  const named = match[2] === undefined ? known : known.filter((c) => c.name === match[2]);
  if (named.length === 0) {
    await pageNotFound(x);
    return true;
  }
  const failed = named.filter((c) => !c.ready());
  const lines = named.map(
    (c) => `[${c.ready() ? '+' : '-'}]${c.name} ${c.ready() ? 'ok' : 'failed: reason withheld'}\n`,
  );
  if (failed.length > 0) await x.text(500, `${lines.join('')}${kind} check failed\n`);
  else await x.text(200, x.query.has('verbose') ? `${lines.join('')}${kind} check passed\n` : 'ok');
  return true;
}

const PING: HealthCheck = { name: 'ping', ready: () => true };
