import { arch, platform } from 'node:os';
import type { Logger } from '@kubewright/api';
import type { ClusterConfig, Credential } from '../auth/credentials.js';
import type { TransportRequest } from './contract.js';
import { runtimeVersion } from './version.js';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Builds the header list of a request (T11, T14). */
export class RequestHeaders {
  private readonly fixed: readonly string[];
  private readonly plain: boolean;
  private readonly gzip: boolean;

  constructor(cluster: ClusterConfig, url: URL, { logger, userAgent }: { logger: Logger; userAgent?: string }) {
    this.plain = url.protocol === 'http:';
    this.gzip = !LOOPBACK.test(url.hostname);
    const own = `(${platform()}/${arch()}) kubewright/${runtimeVersion}`;
    this.fixed = [
      'user-agent',
      userAgent === undefined ? `kubewright/${runtimeVersion} ${own}` : `${userAgent} ${own}`,
      ...(cluster.impersonate ?? []).flat(),
    ];
    if (cluster.tls.rejectUnauthorized === false)
      logger.warn(
        { server: url.host },
        'insecure-skip-tls-verify is set: the certificate of the API server is not checked',
      );
    if (this.plain && cluster.tls.cert !== undefined) this.warnPlain = this.warn(logger, url);
    this.logger = logger;
    this.url = url;
  }

  private readonly logger: Logger;
  private readonly url: URL;
  private warnPlain = false;

  of(request: Omit<TransportRequest, 'retry'>, credential: Credential, stream: boolean): string[] {
    const headers = [...this.fixed, 'accept', request.accept ?? 'application/json'];
    if (request.body !== undefined) headers.push('content-type', request.contentType ?? 'application/json');
    if (credential.authorization !== undefined) {
      if (!this.plain) headers.push('authorization', credential.authorization);
      else if (!this.warnPlain) this.warnPlain = this.warn(this.logger, this.url);
    }
    if (this.gzip && !stream && request.method === 'GET') headers.push('accept-encoding', 'gzip');
    return headers;
  }

  private warn(logger: Logger, url: URL): true {
    logger.warn({ server: url.host }, 'the API server is reached over http: credentials and certificates are not sent');
    return true;
  }
}
