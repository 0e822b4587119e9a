import { execFile, execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { loadRecipe } from './recipe.js';

/** A kubectl program of this machine. */
export interface KubectlBinary {
  readonly file: string;
  readonly minor: number;
}

/** Releases that tests run where they are installed: the oldest that is supported, and a later one. */
const WANTED_MINORS = [29, 33];

/**
 * Finds `kubectl.1.NN` of the wanted releases in `KUBEWRIGHT_KUBECTL_DIR` or beside the kubectl on the path; where
 * there is none of them, that kubectl itself; and the one that was built with the real control plane.
 */
export async function findKubectls(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ found: KubectlBinary[]; absent: string[] }> {
  const onPath = (env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'kubectl'))
    .find((file) => existsSync(file));
  const folder = env['KUBEWRIGHT_KUBECTL_DIR'] || (onPath && path.dirname(realpathSync(onPath)));
  const found: KubectlBinary[] = [];
  const absent: string[] = [];
  for (const minor of WANTED_MINORS) {
    const file = folder && path.join(folder, `kubectl.1.${minor}`);
    if (file && existsSync(file)) found.push({ file, minor });
    else absent.push(`kubectl.1.${minor}`);
  }
  if (found.length === 0 && onPath) found.push({ file: onPath, minor: minorOf(onPath) });
  const built = (await loadRecipe()).locatePrograms(env).found['kubectl'];
  if (built) found.push({ file: built, minor: minorOf(built) });
  return { found, absent };
}

function minorOf(file: string): number {
  const { clientVersion } = JSON.parse(execFileSync(file, ['version', '--client', '-o', 'json']).toString()) as {
    clientVersion: { minor: string };
  };
  return Number.parseInt(clientVersion.minor, 10);
}

/** What a command printed, and how it ended. */
export interface KubectlOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one kubectl against one server; its cache and home are in `folder`, apart from everybody else's. */
export class Kubectl {
  readonly minor: number;
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(binary: KubectlBinary, options: { kubeconfigPath: string; folder: string }) {
    this.minor = binary.minor;
    this.#file = binary.file;
    // kubectl keeps discovery under the home folder, by host and port: a former server's answers must not be found.
    this.#env = {
      ...process.env,
      KUBECONFIG: options.kubeconfigPath,
      HOME: options.folder,
      KUBECACHEDIR: options.folder,
    };
  }

  /** Runs a command line (words without blanks); `input` becomes its stdin. Any exit code resolves. */
  run(line: string, input?: unknown): Promise<KubectlOutcome> {
    return new Promise((resolve, reject) => {
      const child = execFile(this.#file, line.split(' '), { env: this.#env }, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error);
        else resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
      child.stdin?.end(typeof input === 'string' ? input : input === undefined ? '' : JSON.stringify(input));
    });
  }
}
