import { readFile } from 'node:fs/promises';
import type { Clock, Logger } from '@kubewright/api';
import type { Credential, CredentialSource } from './credentials.js';
import { fileFault } from './errors.js';
import { authDefaults as defaults } from './defaults.js';

interface TokenFileOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A bearer token in a file that somebody else renews (T6). */
export class TokenFile implements CredentialSource {
  private credential: Credential | undefined;
  private expires = Infinity;
  private readAt = -Infinity;
  private reading: Promise<Credential> | undefined;
  private warned = false;

  constructor(private readonly options: TokenFileOptions) {}

  current(): Credential | Promise<Credential> {
    const { clock } = this.options;
    const isUsable = this.credential !== undefined && this.expires - clock.now() > defaults.tokenMargin;
    if (!isUsable) return this.read();
    if (clock.monotonic() - this.readAt > defaults.tokenFileFresh) void this.read();
    return this.credential as Credential;
  }

  renew(): Promise<Credential> {
    if (this.credential && this.options.clock.monotonic() - this.readAt < defaults.shared)
      return Promise.resolve(this.credential);
    return this.read();
  }

  private read(): Promise<Credential> {
    this.reading ??= this.readOnce().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async readOnce(): Promise<Credential> {
    const { path, clock, logger } = this.options;
    let fault: string | undefined;
    try {
      const token = (await readFile(path, 'utf8')).trim();
      if (token === '') fault = 'is empty';
      else if (this.credential?.authorization !== `Bearer ${token}`) {
        this.credential = { authorization: `Bearer ${token}` };
        this.expires = expiryOf(token);
      }
    } catch (error) {
      fault = fileFault(error);
    }
    this.readAt = clock.monotonic();
    if (fault !== undefined && !this.warned)
      logger.warn(
        { path },
        `the token file ${fault}; ${this.credential ? 'the old token is kept' : 'requests go without'}`,
      );
    this.warned = fault !== undefined;
    return this.credential ?? {};
  }
}

/** `exp` of a JWT in ms since the epoch; Infinity where there is none. */
export function expiryOf(token: string): number {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      exp?: unknown;
    };
    return typeof claims.exp === 'number' ? claims.exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}
