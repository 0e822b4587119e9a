import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { ADMIN, CredentialsAuthenticator, openAuthenticator } from '../auth/authenticate.js';
import { allowAll } from '../auth/ports.js';
import { RbacAuthorizer } from '../auth/rbac.js';
import { ServiceAccountTokens } from '../auth/service-account-tokens.js';
import { ControllableClock } from '../core/clock.js';
import type { JsonObject, KubeObject, ResourceDef } from '../core/types.js';
import { attachCrdController } from '../crd/controller.js';
import { crdResource } from '../crd/resource.js';
import { builtinResources } from '../kinds/index.js';
import { createObjectService } from '../semantics.js';
import type { ObjectSemantics } from '../semantics.js';
import { Authority, SERVER_NAMES } from '../tls/x509.js';
import type { KeyPair } from '../tls/x509.js';
import { HttpServer } from './server.js';
import type { HttpLimits } from './server.js';
import { specialRoutes } from './special-routes.js';

/** Any JSON value, to be looked into without ceremony. */
export type AnyJson = ReturnType<typeof JSON.parse>;

/** An answer, read to its end. */
export interface Reply {
  code: number;
  headers: IncomingMessage['headers'];
  warnings: string[];
  text: string;
  json: AnyJson;
}

/** An open watch; events wait here until they are taken. */
export interface TestWatch {
  next(): Promise<AnyJson>;
  ended: Promise<void>;
  close(): void;
  code: number;
}

/** A server over real TLS sockets with built-in kinds, the namespace `t` and no controllers. */
export class TestServer {
  readonly semantics: ObjectSemantics;
  readonly clock: ControllableClock = new ControllableClock();
  readonly authority: Authority = Authority.create();
  readonly tokens: ServiceAccountTokens;
  readonly server: HttpServer;
  port = 0;
  readonly #agent: https.Agent;
  readonly #stop: () => void;

  constructor(auth: 'open' | 'rbac', limits: HttpLimits = {}) {
    this.semantics = createObjectService({ clock: this.clock });
    const { objects, registry } = this.semantics;
    for (const resource of builtinResources({ stored: (s) => this.semantics.stored(s) })) registry.add(resource);
    registry.add(crdResource());
    const crds = attachCrdController(this.semantics);
    this.#stop = () => crds.close();
    this.tokens = new ServiceAccountTokens(objects, this.clock);
    const users = [{ token: 'u-token', name: 'u', groups: ['dev'] }];
    const credentials = new CredentialsAuthenticator({ users, anonymous: true, tokens: this.tokens });
    const authorizer = auth === 'open' ? allowAll : new RbacAuthorizer(objects);
    this.server = new HttpServer({
      limits,
      objects,
      clock: this.clock,
      authenticator: auth === 'open' ? openAuthenticator : credentials,
      authorizer,
      tls: { ...this.authority.server(SERVER_NAMES), ca: this.authority.cert },
      special: specialRoutes({
        objects,
        clock: this.clock,
        authorizer,
        tokens: this.tokens,
        lookup: (token, audiences) => credentials.token(token, audiences),
      }),
    });
    this.#agent = new https.Agent({ keepAlive: true, ca: this.authority.cert });
  }

  async create(kind: string, metadata: JsonObject, rest: JsonObject = {}, group = ''): Promise<KubeObject> {
    const resource = this.semantics.registry.byKind(group, kind) as ResourceDef;
    const target = {
      resource,
      version: resource.storageVersion,
      namespace: metadata['namespace'] as string | undefined,
    };
    const value = { metadata, ...rest };
    return (await this.semantics.objects.create(target, { value }, { principal: ADMIN })).object;
  }

  /** `body`: objects are sent as JSON, texts and bytes as they are. */
  request(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; tls?: KeyPair } = {},
  ): Promise<Reply> {
    const { body, headers = {}, tls } = options;
    const payload =
      body === undefined
        ? undefined
        : typeof body === 'string' || Buffer.isBuffer(body)
          ? Buffer.from(body)
          : Buffer.from(JSON.stringify(body));
    const length = payload && !headers['Transfer-Encoding'] ? { 'Content-Length': String(payload.length) } : {};
    return new Promise((resolve, reject) => {
      const request = https.request(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          method,
          headers: { ...length, ...headers },
          ...(tls ? { agent: false, ca: this.authority.cert, ...tls } : { agent: this.#agent }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            let json: unknown;
            try {
              json = JSON.parse(text);
            } catch {
              json = undefined;
            }
            const warnings = response.rawHeaders.filter(
              (_, i) => response.rawHeaders[i - 1]?.toLowerCase() === 'warning',
            );
            resolve({ code: response.statusCode ?? 0, headers: response.headers, warnings, text, json });
          });
        },
      );
      request.on('error', reject);
      request.end(payload);
    });
  }

  /** Defines the kind of WIDGETS and waits until it is served. */
  async defineWidgets(): Promise<void> {
    await this.create(
      'CustomResourceDefinition',
      { name: 'widgets.demo.example.com' },
      WIDGETS,
      'apiextensions.k8s.io',
    );
    await this.semantics.settle();
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('POST', path, { body, headers: { 'Content-Type': 'application/json', ...headers } });
  }

  watch(path: string, headers: Record<string, string> = {}): Promise<TestWatch> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.port,
        path,
        headers,
        agent: false,
        ca: this.authority.cert,
      } as const;
      const request = https.get(options, (response) => {
        const queue: unknown[] = [];
        const waiting: ((event: unknown) => void)[] = [];
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const event = JSON.parse(line) as unknown;
            const taker = waiting.shift();
            if (taker) taker(event);
            else queue.push(event);
          }
        });
        const ended = new Promise<void>((done, failed) => {
          response.on('end', done);
          response.on('error', failed);
        });
        ended.catch(() => undefined);
        const next = (): Promise<unknown> =>
          queue.length > 0 ? Promise.resolve(queue.shift()) : new Promise((take) => waiting.push(take));
        resolve({ next, ended, close: () => request.destroy(), code: response.statusCode ?? 0 });
      });
      request.on('error', reject);
    });
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.server.close();
    this.#stop();
    this.semantics.close();
  }
}

/** A definition with one namespaced kind: `Widget` in `demo.example.com`, with status and scale. */
export const WIDGETS: JsonObject = {
  spec: {
    group: 'demo.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wdg'], categories: ['demo'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', minimum: 1, default: 3, description: 'How big.' } },
              },
              status: { type: 'object', properties: { size: { type: 'integer' } } },
            },
          },
        },
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        deprecated: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Starts a server for one suite; close it in `after`. */
export async function startTestServer(auth: 'open' | 'rbac' = 'open', limits?: HttpLimits): Promise<TestServer> {
  const test = new TestServer(auth, limits);
  test.port = (await test.server.listen(0, '127.0.0.1')).port;
  await test.create('Namespace', { name: 't' });
  return test;
}
