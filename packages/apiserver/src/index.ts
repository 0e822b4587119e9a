import type { ApiServerCommandIo, ApiServerCommandOptions } from './command.js';
import type { ApiServerOptions } from './options.js';
import type { ApiServer } from './api-server.js';

export type { ApiServerCommandError, ApiServerCommandIo, ApiServerCommandOptions } from './command.js';
export type { ApiServerOptions, TlsFiles } from './options.js';
export type { ControllerName } from './sim/index.js';
export type { ApiServer, UserRequest } from './api-server.js';
export type { Control, ControllerHandle, Mutation } from './control/control.js';
export type { ActiveFault, Fault, FaultReply } from './control/faults.js';
export type { RequestMatch } from './control/match.js';
export type { RequestFilter, RequestRecord } from './control/request-log.js';
export type { Cut, WatchInfo } from './control/watches.js';
export type { Kubeconfig, KubeconfigDocument } from './kubeconfig.js';
export type { StaticUser } from './auth/authenticate.js';
export type {
  KubeObject,
  ListOptions,
  ListResult,
  ObjectMeta,
  ObjectService,
  Principal,
  ResourceDef,
  Status,
  Target,
  WatchEvent,
  WatchHandle,
  WatchOptions,
  WatchSink,
} from './core/types.js';

/** Starts a Kubernetes API server in this process; resolves when it accepts requests and holds its seed. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  // The parts of the server load here and not with the package: who only imports it pays nothing.
  const { start } = await import('./start.js');
  return start(options);
}

/**
 * What `kubewright apiserver` runs: starts a server, writes its kubeconfig, waits for a signal. Resolves with the exit code;
 * rejects with an `ApiServerCommandError` when the server cannot start.
 */
export async function runApiServerCommand(options: ApiServerCommandOptions, io: ApiServerCommandIo): Promise<number> {
  const command = await import('./command.js');
  return command.runApiServerCommand(options, io);
}
