import { spawn } from 'node:child_process';
import { isAbsolute, resolve } from 'node:path';
import type { Clock } from '@kubewright/api';
import type { Credential, CredentialSource } from './credentials.js';
import { authErrors } from './errors.js';
import type { ExecConfig } from './kubeconfig.js';
import { authDefaults as defaults } from './defaults.js';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const TOKEN_LIKE = /[A-Za-z0-9_\-+/=.]{20,}/g;

interface ExecPluginOptions {
  readonly config: ExecConfig;
  /** Relative commands with a path separator start here. */
  readonly folder: string;
  /** Of the kubeconfig's cluster, for `provideClusterInfo`. */
  readonly clusterInfo: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

interface ExecCredentialAnswer {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

/** A credential plugin: one run at a time, shared by all who wait (T7). */
export class ExecPlugin implements CredentialSource {
  private credential: Credential | undefined;
  private expires = Infinity;
  private ranAt = -Infinity;
  private running: Promise<Credential> | undefined;
  private readonly version: string;

  constructor(private readonly options: ExecPluginOptions) {
    const { command, apiVersion, interactiveMode } = options.config;
    if (interactiveMode === 'Always')
      throw authErrors.exec(command, 'interactiveMode Always: an operator has no terminal');
    if (apiVersion === undefined || !VERSIONS.includes(apiVersion))
      throw authErrors.exec(command, `apiVersion ${apiVersion ?? '(none)'} is not one of ${VERSIONS.join(', ')}`);
    this.version = apiVersion;
  }

  current(): Credential | Promise<Credential> {
    if (this.credential && this.expires - this.options.clock.now() > defaults.renewBefore) return this.credential;
    return this.run();
  }

  renew(refused: Credential): Promise<Credential> {
    const isYoung = this.options.clock.monotonic() - this.ranAt < defaults.shared;
    if (this.credential && (isYoung || this.credential !== refused)) return Promise.resolve(this.credential);
    this.credential = undefined;
    return this.run();
  }

  private run(): Promise<Credential> {
    this.running ??= this.runOnce().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async runOnce(): Promise<Credential> {
    const { clock, config } = this.options;
    const answer = this.parse(await this.output());
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer;
    if (!token && !(cert && key)) throw this.fault('answered neither a token nor a client certificate with its key');
    this.expires = expirationTimestamp === undefined ? Infinity : Date.parse(expirationTimestamp);
    if (Number.isNaN(this.expires))
      throw authErrors.exec(config.command, 'answered an expirationTimestamp that is no time');
    this.ranAt = clock.monotonic();
    this.credential = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cert && key && { certificate: { cert, key } }),
    };
    return this.credential;
  }

  private parse(output: string): NonNullable<ExecCredentialAnswer['status']> {
    let answer: ExecCredentialAnswer;
    try {
      answer = JSON.parse(output) as ExecCredentialAnswer;
    } catch {
      throw this.fault('did not answer JSON');
    }
    if (answer.kind !== 'ExecCredential' || answer.apiVersion !== this.version)
      throw this.fault(
        `answered ${answer.apiVersion ?? '(no apiVersion)'} ${answer.kind ?? '(no kind)'}, the kubeconfig says ${this.version}`,
      );
    return answer.status ?? {};
  }

  private output(): Promise<string> {
    const { config, folder, env, clusterInfo, clock } = this.options;
    const { command, args, provideClusterInfo } = config;
    const path = /[\\/]/.test(command) && !isAbsolute(command) ? resolve(folder, command) : command;
    const info = {
      apiVersion: this.version,
      kind: 'ExecCredential',
      spec: { interactive: false, ...(provideClusterInfo && { cluster: clusterInfo }) },
    };
    const extra = Object.fromEntries((config.env ?? []).map(({ name, value }) => [name, value]));
    return new Promise((resolvePromise, reject) => {
      const child = spawn(path, [...(args ?? [])], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...env, ...extra, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
      });
      const timer = clock.setTimeout(() => {
        child.kill('SIGKILL');
        reject(this.fault(`did not end within ${defaults.pluginLimit / 1000} s`));
      }, defaults.pluginLimit);
      const out: Buffer[] = [];
      let err = '';
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        err = (err + chunk.toString('utf8')).slice(-4 * defaults.stderrKept);
      });
      child.on('error', (error: NodeJS.ErrnoException) => {
        clock.clearTimeout(timer);
        reject(
          this.fault(error.code === 'ENOENT' ? 'was not found' : `did not start (${error.code ?? 'unknown reason'})`),
        );
      });
      child.on('close', (code) => {
        clock.clearTimeout(timer);
        if (code === 0) resolvePromise(Buffer.concat(out).toString('utf8'));
        else
          reject(
            this.fault(
              `ended with exit code ${code}: ${err.trim().replace(TOKEN_LIKE, '***').slice(-defaults.stderrKept)}`,
            ),
          );
      });
    });
  }

  private fault(message: string): Error {
    return authErrors.exec(this.options.config.command, message, this.options.config.installHint);
  }
}
