import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { transportDefaults as defaults } from './defaults.js';
import { Pool, wholeUndici } from './undici.js';

/** What a TLS connection to the server is made of; texts are PEM. */
export interface TlsMaterial {
  /** Absent: the authorities Node trusts. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly serverName?: string | undefined;
  /** Undefined leaves Node's own switches in force (T11). */
  readonly rejectUnauthorized?: boolean | undefined;
}

export interface DispatcherOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly proxy?: string | undefined;
  /** Negotiate HTTP/2. Default false (T2). */
  readonly http2?: boolean | undefined;
}

/** One undici dispatcher per TLS material (T1). */
export class Dispatchers {
  private readonly byHash = new Map<string, Dispatcher>();
  /** Retired and still running. */
  private readonly retired = new Set<Dispatcher>();
  private readonly gone = new WeakSet<Dispatcher>();
  private readonly byMaterial = new WeakMap<TlsMaterial, Dispatcher>();

  constructor(private readonly options: DispatcherOptions) {}

  get(material: TlsMaterial): Dispatcher {
    const known = this.byMaterial.get(material);
    if (known && !this.gone.has(known)) return known;
    const { origin, proxy, http2 } = this.options;
    const { ca, cert, key, serverName, rejectUnauthorized } = material;
    const parts = [origin, ca, cert, key, serverName, rejectUnauthorized, proxy, http2];
    const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    let dispatcher = this.byHash.get(hash);
    if (!dispatcher) {
      dispatcher = makeDispatcher(this.options, material);
      this.byHash.set(hash, dispatcher);
    }
    this.byMaterial.set(material, dispatcher);
    return dispatcher;
  }

  /** Takes no new request on these connections; resolves when the running ones are over. */
  async retire(dispatcher: Dispatcher): Promise<void> {
    for (const [hash, known] of this.byHash) if (known === dispatcher) this.byHash.delete(hash);
    this.gone.add(dispatcher);
    this.retired.add(dispatcher);
    await dispatcher.close().catch(() => {});
    this.retired.delete(dispatcher);
  }

  /** Ends all connections; running requests fail. */
  async destroy(): Promise<void> {
    const all = [...this.byHash.values(), ...this.retired];
    this.byHash.clear();
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }
}

function makeDispatcher({ origin, proxy, http2 = false }: DispatcherOptions, material: TlsMaterial): Dispatcher {
  const { ca, cert, key, serverName, rejectUnauthorized } = material;
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
  };
  const common = {
    pipelining: 1,
    allowH2: http2,
    connectTimeout: defaults.connectTimeout,
    keepAliveTimeout: defaults.keepAliveTimeout,
    keepAliveMaxTimeout: defaults.keepAliveTimeout,
    keepAliveTimeoutThreshold: defaults.keepAliveMargin,
  };
  const connect = {
    timeout: defaults.connectTimeout,
    keepAlive: true,
    keepAliveInitialDelay: defaults.tcpKeepAlive,
    allowH2: http2,
    ...tls,
  };
  if (proxy === undefined) return new Pool(origin, { ...common, connect });
  const { ProxyAgent, Socks5ProxyAgent } = wholeUndici();
  if (new URL(proxy).protocol.startsWith('socks'))
    return new Socks5ProxyAgent(proxy, { ...common, requestTls: connect });
  return new ProxyAgent({ ...common, uri: proxy, requestTls: connect });
}
