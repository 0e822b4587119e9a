import { type Clock, type Logger, parseDuration, SystemClock } from '@kubewright/api';
import { kindOf, type ResourceDefinition } from '@kubewright/metadata';
import {
  type ClusterConfig,
  ClusterDiagnostics,
  HttpTransport,
  KindRegistry,
  KubeClient,
  loadCluster,
  Manager,
  RunContexts,
  SharedCache,
} from '@kubewright/runtime';
import type { OperatorOptions } from './options.js';
import { packageVersion } from './package-version.js';

/** The engine of one operator, wired: transport, kinds, cache, client, manager. */
export interface Engine {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly cluster: ClusterConfig;
  readonly transport: HttpTransport;
  readonly kinds: KindRegistry;
  readonly cache: SharedCache;
  readonly client: KubeClient;
  readonly manager: Manager;
  readonly runContexts: RunContexts;
}

/** Finds the cluster and builds the engine for it; no request is sent. */
export async function buildEngine(
  options: OperatorOptions & { readonly name: string },
  resources: readonly ResourceDefinition[],
  logger: Logger,
): Promise<Engine> {
  const { name, clock = new SystemClock(), random = Math.random, version = packageVersion() } = options;
  const cluster = await loadCluster({
    clock,
    logger,
    ...(options.kubeConfig !== undefined && { kubeConfig: options.kubeConfig }),
    ...(options.environment && { env: options.environment.env }),
  });
  const transport = new HttpTransport({ cluster, clock, random, logger, userAgent: `${name}/${version}` });
  const kinds = new KindRegistry({ resolve: kindOf, transport, clock });
  for (const { kind } of resources) kinds.register(kind);
  const syncTimeout = options.cacheSyncTimeout;
  const cache = new SharedCache({
    transport,
    clock,
    random,
    logger,
    ...options.cache,
    ...(syncTimeout !== undefined && { syncTimeout: parseDuration(syncTimeout) }),
  });
  const runContexts = new RunContexts();
  const client = new KubeClient({ transport, kinds, clock, random, logger, cache, operatorName: name, runContexts });
  const manager = new Manager({
    cache,
    diagnostics: new ClusterDiagnostics(transport),
    clock,
    logger,
    signals: options.signals ?? true,
    transports: [transport],
    ...(options.health && { health: options.health }),
    ...(options.startup !== undefined && { startup: options.startup }),
    ...(options.gracefulTimeout !== undefined && { gracefulTimeout: options.gracefulTimeout }),
    ...(syncTimeout !== undefined && { cacheSyncTimeout: syncTimeout }),
  });
  return { clock, random, logger, cluster, transport, kinds, cache, client, manager, runContexts };
}
