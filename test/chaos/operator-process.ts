import { expect } from 'chai';
import { parse } from 'yaml';
import { podSetCrd, startPodSetOperator } from '../e2e/podset-operator.js';
import type { Api, ApiObject } from '../support/api.js';
import type { Program } from '../support/program.js';
import { until } from '../support/until.js';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Installs the CRD that the example generates from its class, and waits until it is served. */
export async function installPodSets(api: Api): Promise<void> {
  const { metadata } = await api.ok('POST', CRDS, { body: parse(await podSetCrd()) });
  await until('the CRD is established', async () => {
    const crd: ApiObject = await api.ok('GET', `${CRDS}/${metadata.name}`);
    return crd['status']?.conditions?.some(
      (condition: { type: string; status: string }) => condition.type === 'Established' && condition.status === 'True',
    );
  });
}

/** The compiled example operator, as a user would start it; its faults are looked for when it ends. */
export class OperatorProcess {
  readonly #program: Program;

  constructor(kubeconfigPath: string) {
    this.#program = startPodSetOperator(kubeconfigPath);
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.#program.stop('SIGKILL');
  }

  /** Ends it in order; it must end well. */
  async stop(): Promise<void> {
    const code = await this.#program.stop();
    if (code !== 0) throw this.#program.fault(`ended with ${code} on SIGTERM`);
  }

  /** It runs, and said nothing of unhandled rejections or faults of its own. */
  expectHealthy(): void {
    if (this.#program.isEnded) throw this.#program.fault('has ended');
    expect(this.#program.output).not.to.match(/unhandled|TypeError|ReferenceError/i);
  }
}
