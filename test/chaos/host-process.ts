import { expect } from 'chai';
import { inRepository } from '../support/paths.js';
import { Program } from '../support/program.js';
import type { Lane } from './lane.js';

const READY_MS = 60_000;

/** What a process holds after a forced collection. */
export interface Footprint {
  /** Bytes. */
  readonly heap: number;
  readonly sockets: number;
}

/** PodSet operators in one process of their own, one for each lane. */
export class HostProcess {
  readonly #program: Program;
  #measured = 0;

  constructor(lanes: readonly Lane[]) {
    const script = inRepository('test/dist/chaos/hosted-operators.js');
    const args = [script, ...lanes.map((lane) => lane.argument)];
    this.#program = new Program({ name: 'hosted operators', file: process.execPath, args });
  }

  async ready(): Promise<void> {
    await this.#program.printed(/^hosting;/m, READY_MS);
  }

  async measure(): Promise<Footprint> {
    process.kill(this.#program.pid, 'SIGUSR2');
    const [, json = ''] = await this.#program.printed(new RegExp(`measured ${++this.#measured}: (.*);`), READY_MS);
    return JSON.parse(json) as Footprint;
  }

  /** The end of what it logged about one lane. */
  tail(lane: Lane): string {
    const lines = this.#program.output.split('\n').filter((line) => line.includes(`"operator":"${lane.namespace}"`));
    return lines.slice(-10).join('\n');
  }

  /** It runs; a rejection that nobody handled would have ended it. */
  expectHealthy(): void {
    if (this.#program.isEnded) throw this.#program.fault('have ended');
    expect(this.#program.output).not.to.match(/unhandled|"TypeError|ReferenceError|MaxListenersExceeded/i);
  }

  async stop(): Promise<void> {
    const wasRunning = !this.#program.isEnded;
    const code = await this.#program.stop();
    if (wasRunning && code !== 0) throw this.#program.fault(`ended with ${code} on SIGTERM`);
  }
}
