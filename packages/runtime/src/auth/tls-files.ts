import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock, Logger } from '@kubewright/api';
import type { TlsMaterial } from '../transport/tls.js';
import type { ClusterConfig } from './credentials.js';
import { authDefaults as defaults } from './defaults.js';

/** Where parts of the material are read from; the other parts do not change. */
export interface TlsPaths {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface TlsFilesOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly paths: TlsPaths;
  /** What was read at the start. */
  readonly material: TlsMaterial;
}

/**
 * TLS material that follows its files (T10). A request looks, at most every 60 s, and goes on with what is there; the
 * files are read behind it. Half-written material is not taken: the old one stays, and the next look comes in 5 s.
 */
export class TlsFiles {
  private material: TlsMaterial;
  private nextLook: number;
  private lastLook: number;
  private looking: Promise<void> | undefined;
  private told = false;

  constructor(private readonly options: TlsFilesOptions) {
    this.material = options.material;
    this.lastLook = options.clock.monotonic();
    this.nextLook = this.lastLook + defaults.tlsFilesFresh;
  }

  /** The material for the next request; another object when it has changed. */
  get current(): TlsMaterial {
    if (this.options.clock.monotonic() >= this.nextLook) void this.look();
    return this.material;
  }

  /** A handshake failed: perhaps the files have changed. Looks at once, but no more than every 5 s. */
  async handshakeFailed(): Promise<void> {
    if (this.looking || this.options.clock.monotonic() - this.lastLook >= defaults.tlsFilesRetry) await this.look();
  }

  private look(): Promise<void> {
    this.lastLook = this.options.clock.monotonic();
    this.nextLook = this.lastLook + defaults.tlsFilesFresh;
    this.looking ??= this.read().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async read(): Promise<void> {
    const { paths, logger, clock } = this.options;
    try {
      const [ca, cert, key] = await Promise.all([paths.ca, paths.cert, paths.key].map(text));
      const { material } = this;
      const next = { ...material, ca: ca ?? material.ca, cert: cert ?? material.cert, key: key ?? material.key };
      if (next.ca === material.ca && next.cert === material.cert && next.key === material.key) return;
      check(next);
      this.material = next;
      this.told = false;
      logger.info({ files: Object.values(paths) }, 'TLS files have changed; new connections use them');
    } catch (error) {
      this.nextLook = clock.monotonic() + defaults.tlsFilesRetry;
      if (this.told) return;
      this.told = true;
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn(
        { files: Object.values(paths) },
        `TLS files have changed and cannot be used (${reason}); the old material stays, next look in 5 s`,
      );
    }
  }
}

/** A cluster whose TLS material follows its files, where it has any. */
export function following(files: TlsFilesOptions, cluster: Omit<ClusterConfig, 'tls'>): ClusterConfig {
  const { ca, cert, key } = files.paths;
  if (ca === undefined && cert === undefined && key === undefined) return { ...cluster, tls: files.material };
  const follower = new TlsFiles(files);
  return {
    ...cluster,
    get tls() {
      return follower.current;
    },
    handshakeFailed: () => void follower.handshakeFailed(),
  };
}

const text = async (path: string | undefined): Promise<string | undefined> =>
  path === undefined ? undefined : readFile(path, 'utf8');

/** Throws unless the material loads and key and certificate belong together. */
function check({ ca, cert, key }: TlsMaterial): void {
  createSecureContext({ ...(ca !== undefined && { ca }) });
  if (cert === undefined || key === undefined) return;
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the key does not fit the certificate');
  createSecureContext({ cert, key });
}
