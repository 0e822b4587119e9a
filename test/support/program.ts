import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { forgetProcess, rememberProcess } from './leftovers.js';

/** How a program is started. */
export interface ProgramOptions {
  /** Name in error messages. */
  readonly name: string;
  readonly file: string;
  readonly args?: readonly string[];
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

const KEPT_OUTPUT = 64 * 1024;
const STOP_MS = 10_000;

/** A child process that is ended with the test process at the latest. */
export class Program {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #listeners = new Set<() => void>();
  readonly #ended: Promise<number | null>;
  #output = '';
  #isEnded = false;

  /** Starts it; output of both streams is kept together (its end, 64 KiB). */
  constructor(options: ProgramOptions) {
    this.#name = options.name;
    this.#child = spawn(options.file, options.args ?? [], {
      env: { ...process.env, ...options.env },
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A program that a failed test forgot must not keep the test process from ending, which ends the program.
    this.#child.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr]) (stream as Socket | null)?.unref();
    const { pid } = this.#child;
    if (pid) rememberProcess(pid);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-KEPT_OUTPUT);
        this.#notify();
      });
    }
    this.#ended = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.#isEnded = true;
        if (pid) forgetProcess(pid);
        this.#notify();
        resolve(code);
      };
      this.#child.once('error', (error) => {
        this.#output += String(error);
        end(-1);
      });
      this.#child.once('close', end);
    });
  }

  /** Process id; 0 if it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The end of what it printed so far. */
  get output(): string {
    return this.#output;
  }

  /** Resolves when the process has ended: with its exit code, or null after a signal. Whoever asks is waited for. */
  get ended(): Promise<number | null> {
    this.#child.ref();
    return this.#ended;
  }

  /** True once it has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** An error that names the program and shows the end of its output. */
  fault(what: string): Error {
    return new Error(`${this.#name} ${what}; its last output:\n${this.#output.slice(-4_000)}`);
  }

  /** Waits until it has printed something that matches; rejects when it ends first or `timeoutMs` pass. */
  printed(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(look);
      };
      const timer = setTimeout(() => {
        done();
        reject(this.fault(`did not print ${pattern} within ${timeoutMs} ms`));
      }, timeoutMs);
      const look = (): void => {
        const match = pattern.exec(this.#output);
        if (!match && !this.#isEnded) return;
        done();
        if (match) resolve(match);
        else reject(this.fault(`ended before it printed ${pattern}`));
      };
      this.#listeners.add(look);
      look();
    });
  }

  /** Ends it and waits; one that ignores the signal for 10 s is killed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    if (!this.#isEnded) this.#child.kill(signal);
    const code = await this.ended;
    clearTimeout(timer);
    return code;
  }

  #notify(): void {
    // A listener may remove itself, which a Set allows while it is gone through.
    for (const listener of this.#listeners) listener();
  }
}
