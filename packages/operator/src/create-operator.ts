import { MetadataProbe } from './copies.js';
import { requireNodeVersion } from './node-version.js';
import type { Operator } from './operator.js';
import type { OperatorOptions } from './options.js';

const probe = new MetadataProbe();

/**
 * Makes an operator of classes: reads their decorators, checks all of them at once, constructs them in a container of
 * its own and builds caches, queues and controllers around them. Nothing is started and no request is sent.
 * Rejects with `KW_BOOTSTRAP` (every fault of every class, with its fix) or `KW_CLUSTER_…`.
 */
export async function createOperator(options: OperatorOptions): Promise<Operator> {
  requireNodeVersion();
  probe.check();
  // Loaded here and not with the package: who only reads decorated classes pays for no engine.
  const { compose } = await import('./compose.js');
  return compose(options);
}
