import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { ApiServer, ApiServerOptions, ControllerName } from './index.js';

/** Flags of `kubewright apiserver`, parsed. */
export interface ApiServerCommandOptions {
  /** Default 6443; 0 = any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Where the kubeconfig is written; default `.kubewright/kubeconfig`. */
  readonly kubeconfigOut?: string;
  /** Folder that keeps the state; default none. */
  readonly dataDir?: string;
  /** Default `open`. */
  readonly auth?: 'open' | 'rbac';
  /** File of static tokens. */
  readonly users?: string;
  /** Files or folders of manifests to load. */
  readonly load?: readonly string[];
  /** Names of pretend controllers separated by commas, `all` (default) or `none`. */
  readonly controllers?: string;
  /** Longest time a deleted Pod stays, as `1s`, `500ms` or `2m`; default 1s. */
  readonly podGrace?: string;
  /** Plain HTTP; default false. */
  readonly http?: boolean;
  /** Default true. */
  readonly control?: boolean;
  readonly historyEvents?: number;
  readonly historyMinutes?: number;
}

/** Where a command speaks and hears. */
export interface ApiServerCommandIo {
  out(line: string): void;
  err(line: string): void;
  /** Calls back on each SIGINT or SIGTERM; answers an unsubscribe function. */
  onSignal(listener: () => void): () => void;
  /** Folder that relative paths start from; default that of the process. */
  readonly cwd?: string;
  /** Milliseconds since the command started; default since the process did. */
  elapsed?(): number;
}

/** Why the command could not start; `code` names the case. */
export class ApiServerCommandError extends Error {
  override readonly name: string = 'ApiServerCommandError';
  readonly code: 'KW_PORT_IN_USE' | 'KW_USAGE' | 'KW_APISERVER';

  constructor(code: ApiServerCommandError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const DEFAULT_PORT = 6443;
const INTERRUPTED = 130;

/**
 * Runs the server until a signal comes. Resolves with the exit code: 0 after a clean end, 130 when a second signal asks for an
 * end at once. Rejects with an `ApiServerCommandError` when the server cannot start.
 */
export async function runApiServerCommand(options: ApiServerCommandOptions, io: ApiServerCommandIo): Promise<number> {
  // From the first moment on: whoever ends the command early leaves no kubeconfig behind.
  const signals = new Signals(io);
  try {
    return await serve(options, io, signals);
  } finally {
    signals.stop();
  }
}

async function serve(options: ApiServerCommandOptions, io: ApiServerCommandIo, signals: Signals): Promise<number> {
  const cwd = io.cwd ?? process.cwd();
  const kubeconfig = resolve(cwd, options.kubeconfigOut ?? '.kubewright/kubeconfig');
  const settings = await serverOptions(options, cwd);
  warnAboutHost(settings, io);
  const server = await startOrExplain(settings);
  // Made once: each one has client certificates of its own, and a file is removed only by the one that wrote it.
  const access = server.kubeconfig();
  try {
    access.write(kubeconfig);
  } catch (error) {
    await server.close();
    throw new ApiServerCommandError('KW_APISERVER', `the kubeconfig cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const state = options.dataDir === undefined ? 'memory' : `data in ${options.dataDir}`;
  const seconds = ((io.elapsed?.() ?? performance.now()) / 1000).toFixed(1);
  io.out(`embedded test server, not a cluster · ready at ${server.url} (1.37, ${state}) in ${seconds} s`);
  io.out(`export KUBECONFIG=${kubeconfig}`);
  if (settings.controllers?.includes('kubelet') || settings.controllers === 'all') {
    io.out('containers are not run; pods only change status');
  }
  await signals.first;
  if (options.dataDir === undefined) access.remove(kubeconfig);
  return Promise.race([server.close().then(() => 0), signals.second.then(() => INTERRUPTED)]);
}

/** The first signal asks for a clean end, the second for an end at once. */
class Signals {
  readonly first: Promise<void>;
  readonly second: Promise<void>;
  readonly stop: () => void;

  constructor(io: ApiServerCommandIo) {
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    let asked = false;
    this.first = first.promise;
    this.second = second.promise;
    this.stop = io.onSignal(() => {
      if (asked) second.resolve();
      asked = true;
      first.resolve();
    });
  }
}

async function serverOptions(options: ApiServerCommandOptions, cwd: string): Promise<ApiServerOptions> {
  const load = options.load ?? [];
  const { loadManifests, loadUsers } = load.length || options.users ? await import('./load.js') : NO_FILES;
  const path = (file: string): string => resolve(cwd, file);
  try {
    return {
      host: options.host ?? '127.0.0.1',
      port: options.port ?? DEFAULT_PORT,
      ...(options.http ? { tls: false } : {}),
      auth: options.auth ?? 'open',
      users: options.users === undefined ? [] : loadUsers(path(options.users)),
      controllers: controllersOf(options.controllers),
      podGraceMs: durationOf(options.podGrace ?? '1s'),
      seed: await loadManifests(load.map(path)),
      control: options.control ?? true,
      ...(options.dataDir === undefined ? {} : { dataDir: path(options.dataDir) }),
      ...(options.historyEvents === undefined ? {} : { historyEvents: options.historyEvents }),
      ...(options.historyMinutes === undefined ? {} : { historyMs: options.historyMinutes * 60_000 }),
    };
  } catch (error) {
    if (error instanceof ApiServerCommandError) throw error;
    throw new ApiServerCommandError('KW_APISERVER', (error as Error).message, { cause: error });
  }
}

const NO_FILES = { loadManifests: () => Promise.resolve([]), loadUsers: () => [] };

function controllersOf(text = 'all'): readonly ControllerName[] | 'all' {
  if (text === 'all') return 'all';
  if (text === 'none' || text === '') return [];
  return text.split(',').map((name) => name.trim()) as ControllerName[];
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** `500ms`, `1s`, `2m` in ms; a number alone means seconds. */
function durationOf(text: string): number {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text);
  if (!found) throw new ApiServerCommandError('KW_USAGE', `"${text}" is no duration: write 500ms, 1s or 2m`);
  return Number(found[1]) * (UNITS[found[2] ?? 's'] as number);
}

/** APIS-3 */
function warnAboutHost({ host = '', auth }: ApiServerOptions, io: ApiServerCommandIo): void {
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return;
  const warning = `warning: --host ${host} lets other machines reach this server, which is no security boundary`;
  io.err(auth === 'open' ? `${warning}. WITH --auth open EVERY CALLER IS AN ADMINISTRATOR` : warning);
}

async function startOrExplain(options: ApiServerOptions): Promise<ApiServer> {
  const { startApiServer } = await import('./index.js');
  try {
    return await startApiServer(options);
  } catch (error) {
    const { code } = error as { code?: string };
    const port = options.port ?? DEFAULT_PORT;
    if (code === 'EADDRINUSE') {
      const host = options.host ?? '127.0.0.1';
      const [who, free] = await Promise.all([whoAnswers(host, port), freePort(host)]);
      const message = `port ${port} is taken.${who ? `\ncause: ${who}` : ''}\nfix: --port ${free}`;
      throw new ApiServerCommandError('KW_PORT_IN_USE', message, { cause: error });
    }
    throw new ApiServerCommandError('KW_APISERVER', (error as Error).message, { cause: error });
  }
}

/** How long the process on a taken port gets to say what it is, in ms. */
const PROBE_MS = 300;

/** Whether one of our servers holds a port. */
async function whoAnswers(host: string, port: number): Promise<string | undefined> {
  const [{ default: http }, { default: https }] = await Promise.all([import('node:http'), import('node:https')]);
  const ask = (client: typeof http | typeof https): Promise<string | undefined> =>
    new Promise((answer) => {
      const request = client.get(
        { host, port, path: '/version', rejectUnauthorized: false, timeout: PROBE_MS },
        (response) => {
          let text = '';
          response.on('data', (chunk) => (text += String(chunk)));
          response.on('end', () => answer(/"gitVersion":\s*"([^"]*\+embedded)"/.exec(text)?.[1]));
        },
      );
      request.on('timeout', () => request.destroy());
      request.on('error', () => answer(undefined));
    });
  const version = (await ask(https)) ?? (await ask(http));
  return version && `an embedded API server (${version}) answers there`;
}

async function freePort(host: string): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}
