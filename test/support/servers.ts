import { Api } from './api.js';
import { EmbeddedServer } from './embedded-server.js';
import { startRealCluster } from './real-cluster.js';

/** An API server under test, whichever it is. */
export interface TestServer {
  /** For titles and messages: `embedded server` or `real server`. */
  readonly name: string;
  /** Its current context is an administrator. */
  readonly kubeconfigPath: string;
  /** Minor release that it says it is. */
  readonly minor: number;
  /** Breaks all connections and refuses new ones, as a crash would; objects stay. */
  stopApiServer(): Promise<void>;
  /** Ends that outage. */
  startApiServer(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** What tests may ask of either server. */
export interface TestServerOptions {
  /** How long a deleted Pod stays Terminating, in seconds. Default 0. */
  readonly podGraceSeconds?: number;
  /** The test will stop and start the API server. Default false. */
  readonly outages?: boolean;
}

/** Which server the suites of this run use: `KUBEWRIGHT_TEST_SERVER`, `embedded` (default) or `real`. */
export const serverKind: 'embedded' | 'real' = (() => {
  const kind = process.env['KUBEWRIGHT_TEST_SERVER'] || 'embedded';
  if (kind !== 'embedded' && kind !== 'real') {
    throw new Error(`KUBEWRIGHT_TEST_SERVER is "${kind}"; it must be "embedded" or "real"`);
  }
  return kind;
})();

/** Starts the chosen server: one of its own for the caller, empty, with Pods that become Running. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { podGraceSeconds = 0, outages = false } = options;
  const server =
    serverKind === 'real'
      ? await startRealCluster({ podGraceMs: podGraceSeconds * 1_000 })
      : await EmbeddedServer.start({ args: ['--pod-grace', `${podGraceSeconds}s`], persistent: outages });
  const api = await Api.of(server.kubeconfigPath);
  const { minor } = await api.ok<{ minor: string }>('GET', '/version');
  api.close();
  return {
    name: `${serverKind} server`,
    kubeconfigPath: server.kubeconfigPath,
    minor: Number.parseInt(minor, 10),
    stopApiServer: () => server.stopApiServer(),
    startApiServer: () => server.startApiServer(),
    stop: () => server.stop(),
  };
}
