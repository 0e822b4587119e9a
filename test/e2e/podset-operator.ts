import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inRepository } from '../support/paths.js';
import { Program } from '../support/program.js';

/** The CRD of the example, generated from its class, as YAML. */
export async function podSetCrd(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [inRepository('examples/podset/dist/crd.js')]);
  return stdout;
}

/** Starts the compiled example as a user does: no arguments, a kubeconfig in the environment. */
export function startPodSetOperator(kubeconfigPath: string): Program {
  return new Program({
    name: 'PodSet operator',
    file: process.execPath,
    args: [inRepository('examples/podset/dist/main.js')],
    env: { KUBECONFIG: kubeconfigPath },
  });
}
