import type { StaticUser } from './auth/authenticate.js';
import type { KubeObject } from './core/types.js';
import { controllerNames, isControllerName } from './sim/index.js';
import type { ControllerName } from './sim/index.js';

/** PEM texts of a certificate made elsewhere. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

/** Options of `startApiServer`; see each for its default. */
export interface ApiServerOptions {
  /** Address to listen on; default 127.0.0.1. Anything else can be reached by others: this server protects nothing. */
  host?: string;
  /** Default 0, any free port. A port that is taken makes the start fail; another one is never used in silence. */
  port?: number;
  /** Default `generated`: a CA and a certificate made at start. `false` = plain HTTP, with `auth: 'open'` only. */
  tls?: 'generated' | false | TlsFiles;
  /** Default `open`: every request is an administrator. `rbac`: credentials are checked and roles decide. */
  auth?: 'open' | 'rbac';
  /** Users with static tokens; default none. */
  users?: readonly StaticUser[];
  /** Whether requests without credentials pass as `system:anonymous` in `rbac` mode; default true. */
  anonymous?: boolean;
  /** Pretend controllers; default none. `all` = every one of them. */
  controllers?: readonly ControllerName[] | 'all';
  /** Longest time the pretend kubelet keeps a deleted Pod, in ms; default 1,000. */
  podGraceMs?: number;
  /** Events kept per resource, for watches and lists of the past; default 10,000. */
  historyEvents?: number;
  /** How long events are kept, in ms; default 5 minutes. */
  historyMs?: number;
  /** Time between bookmarks, in ms; default 60,000. */
  bookmarkMs?: number;
  /** Lifetime of watches that ask for none, in ms; default random between 30 and 60 minutes. */
  watchTimeoutMs?: number;
  /** Folder that keeps the objects, the CA and the token key between starts; default none, all in memory. */
  dataDir?: string;
  /** Objects to create at start: CRDs first, then namespaces, then the rest. An invalid one makes the start fail. */
  seed?: readonly KubeObject[];
  /** Delay before garbage collection and namespace deletion act, in ms; default 0. */
  gcDelayMs?: number;
  /** Whether test control is served under `/_embedded/`; default true. */
  control?: boolean;
  /** Seed of uids, generated names and jitter, to repeat a run; default chance. */
  randomSeed?: number;
}

/** Options with their defaults filled in. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly tls: 'generated' | false | TlsFiles;
  readonly auth: 'open' | 'rbac';
  readonly users: readonly StaticUser[];
  readonly anonymous: boolean;
  readonly controllers: readonly ControllerName[];
  readonly podGraceMs: number;
  readonly gcDelayMs: number;
  readonly control: boolean;
  readonly seed: readonly KubeObject[];
}

/** Fills defaults and refuses what contradicts itself (DE-2). */
export function settle(options: ApiServerOptions): Settings {
  const { tls = 'generated', auth = 'open', controllers = [], port = 0 } = options;
  if (tls === false && auth === 'rbac') {
    throw new Error(
      'auth "rbac" needs TLS: clients drop their credentials over plain HTTP, so every request would be anonymous. ' +
        'Leave tls at "generated", or use auth "open".',
    );
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`port ${port} is not a port: use 0 (any free one) to 65535`);
  const names = controllers === 'all' ? controllerNames : controllers;
  for (const name of names) {
    if (!isControllerName(name)) {
      throw new Error(`there is no pretend controller "${String(name)}"; known are ${controllerNames.join(', ')}`);
    }
  }
  return {
    host: options.host ?? '127.0.0.1',
    port,
    tls,
    auth,
    users: options.users ?? [],
    anonymous: options.anonymous ?? true,
    controllers: names,
    podGraceMs: options.podGraceMs ?? 1000,
    gcDelayMs: options.gcDelayMs ?? 0,
    control: options.control ?? true,
    seed: options.seed ?? [],
  };
}
