import path from 'node:path';
import { rm } from 'node:fs/promises';
import { temporaryFolder } from './leftovers.js';
import { inRepository } from './paths.js';
import { Program } from './program.js';

/** How the built `kubewright apiserver` is started. */
export interface EmbeddedServerOptions {
  /** Further flags, such as `--pod-grace 5s`. */
  readonly args?: readonly string[];
  /** Keeps objects in a folder, so that the server can be stopped and started again. Default false: memory. */
  readonly persistent?: boolean;
}

const READY = /ready at (https?:\/\/\S+)/;
const READY_MS = 30_000;

/** The embedded API server as users run it: the command, in a process of its own, on a free port. */
export class EmbeddedServer {
  /** The file that the command wrote. */
  readonly kubeconfigPath: string;
  #program: Program | undefined;
  #port = 0;

  private constructor(
    private readonly folder: string,
    private readonly options: EmbeddedServerOptions,
  ) {
    this.kubeconfigPath = path.join(folder, 'kubeconfig');
  }

  /** Starts it and waits until it says that it is ready. */
  static async start(options: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
    const server = new EmbeddedServer(await temporaryFolder('embedded'), options);
    try {
      await server.startApiServer();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Process id, to look at memory or to kill it. */
  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  /** Starts the process (again, on the same port). */
  async startApiServer(): Promise<void> {
    const { args = [], persistent = false } = this.options;
    const data = persistent ? ['--data-dir', path.join(this.folder, 'data')] : [];
    this.#program = new Program({
      name: 'kubewright apiserver',
      file: process.execPath,
      args: [
        inRepository('packages/cli/bin/kubewright.js'),
        'apiserver',
        '--port',
        String(this.#port),
        '--kubeconfig-out',
        this.kubeconfigPath,
        ...data,
        ...args,
      ],
      cwd: this.folder,
    });
    const [, url = ''] = await this.#program.printed(READY, READY_MS);
    this.#port = Number(new URL(url).port);
  }

  /** Kills the process; with `persistent` its objects survive. */
  async stopApiServer(): Promise<void> {
    await this.#program?.stop('SIGKILL');
  }

  /** Ends it in order, checks that it ended well, and removes its files. */
  async stop(): Promise<void> {
    const program = this.#program;
    const wasRunning = program?.isEnded === false;
    const code = await program?.stop();
    await rm(this.folder, { recursive: true, force: true });
    if (program && wasRunning && code !== 0) throw program.fault(`ended with ${code} on SIGTERM`);
  }
}
