import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { runApiServerCommand, startApiServer } from './index.js';
import type { ApiServer, ApiServerOptions } from './index.js';
import type { KubeObject } from './core/types.js';

interface Answer {
  code: number;
  body: { [key: string]: unknown };
}

/** A request as the first user of a kubeconfig sends it. */
function ask(
  server: ApiServer,
  path: string,
  options: { method?: string; body?: unknown; user?: object } = {},
): Promise<Answer> {
  const { user } = server.kubeconfig(options.user as never).document.users[0] as { user: Record<string, string> };
  const pem = (key: string): string | undefined => user[key] && Buffer.from(user[key], 'base64').toString();
  const text = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const request = https.request(
      server.url + path,
      {
        method: options.method ?? (text === undefined ? 'GET' : 'POST'),
        agent: false,
        ca: server.caPem,
        cert: pem('client-certificate-data'),
        key: pem('client-key-data'),
        headers: text === undefined ? {} : { 'Content-Type': 'application/json' },
      },
      (response) => {
        let received = '';
        response.on('data', (chunk) => (received += String(chunk)));
        response.on('end', () => {
          const json = /json/.test(response.headers['content-type'] ?? '');
          resolve({
            code: response.statusCode ?? 0,
            body: json ? (JSON.parse(received) as Answer['body']) : { text: received },
          });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

const configMap = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const MAPS = '/api/v1/namespaces/default/configmaps';

describe('startApiServer', () => {
  let folder: string;
  const servers: ApiServer[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-server-'));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = async (options: ApiServerOptions = {}): Promise<ApiServer> => {
    const server = await startApiServer(options);
    servers.push(server);
    return server;
  };
  const failure = (operation: Promise<unknown>): Promise<string> =>
    operation.then(
      () => 'no failure',
      (error: Error) => error.message,
    );

  it('OP-1 OP-2 listens on a free port of the loopback address over TLS that its CA vouches for', async () => {
    const server = await open();
    expect(server.url).to.equal(`https://127.0.0.1:${server.port}`);
    expect((await ask(server, '/version')).body['gitVersion']).to.equal('v1.37.2+embedded');
    expect((await ask(server, '/readyz')).code).to.equal(200);
  });

  it('OP-1 a port that is taken rejects; no other one is used', async () => {
    const first = await open();
    expect(await failure(startApiServer({ port: first.port }))).to.contain('EADDRINUSE');
  });

  it('DE-2 refuses rbac over plain HTTP, and controllers nobody knows', async () => {
    expect(await failure(startApiServer({ tls: false, auth: 'rbac' }))).to.contain('needs TLS');
    expect(await failure(startApiServer({ controllers: ['nope' as never] }))).to.contain(
      'there is no pretend controller "nope"',
    );
  });

  it('BD-7 HTTP and the object service see one state', async () => {
    const server = await open();
    expect((await ask(server, MAPS, { body: configMap('a') })).code).to.equal(201);
    const resource = server.objects.registry.byResource('', 'configmaps');
    if (!resource) throw new Error('no configmaps');
    const principal = { name: 'me', groups: ['system:masters'] };
    const found = await server.objects.get({ resource, version: 'v1', namespace: 'default', name: 'a' }, { principal });
    expect(found.metadata.name).to.equal('a');
  });

  it('BO-1 has its namespaces, the default account and the CA in each of them', async () => {
    const server = await open();
    await server.settle();
    expect((await ask(server, '/api/v1/namespaces/kube-system')).code).to.equal(200);
    expect((await ask(server, '/api/v1/namespaces/default/serviceaccounts/default')).code).to.equal(200);
    const root = await ask(server, `${MAPS}/kube-root-ca.crt`);
    expect((root.body['data'] as Record<string, string>)['ca.crt']).to.equal(server.caPem);
  });

  it('OP-9 seeds definitions first, whatever the order, and fails on an invalid object', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.demo.example.com' },
      spec: {
        group: 'demo.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const thing = { apiVersion: 'demo.example.com/v1', kind: 'Thing', metadata: { name: 't', namespace: 'team' } };
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    const server = await open({ seed: [thing, team, crd] });
    expect((await ask(server, '/apis/demo.example.com/v1/namespaces/team/things/t')).code).to.equal(200);
    expect(await failure(startApiServer({ seed: [configMap('Bad Name')] }))).to.contain(
      'v1 ConfigMap Bad Name cannot be loaded: ConfigMap "Bad Name" is invalid',
    );
  });

  it('AU-2 AU-3 in rbac mode certificates say who asks, and roles decide', async () => {
    const server = await open({ auth: 'rbac' });
    expect((await ask(server, MAPS)).code).to.equal(200);
    const bob = await ask(server, MAPS, { user: { user: 'bob' } });
    expect(bob.code).to.equal(403);
    expect(bob.body['message']).to.equal(
      'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
  });

  it('TC-11 serves test control, to administrators only, and not at all when it is off', async () => {
    const server = await open({ auth: 'rbac' });
    const fault = { match: { verb: 'create', resource: 'configmaps' }, reply: { code: 503, message: 'not now' } };
    expect((await ask(server, '/_embedded/faults', { body: fault })).body).to.deep.equal({ id: '1' });
    const hit = await ask(server, MAPS, { body: configMap('a') });
    expect([hit.code, hit.body['message']]).to.deep.equal([503, 'not now']);
    const log = (await ask(server, '/_embedded/requests?verb=create&code=503')).body as unknown as {
      injected: boolean;
      resource: string;
    }[];
    expect(log.map(({ injected, resource }) => [injected, resource])).to.deep.equal([[true, 'configmaps']]);
    await ask(server, '/_embedded/requests', { body: { captureBodies: true } });
    await ask(server, MAPS, { body: configMap('seen') });
    await ask(server, '/api/v1/namespaces/default/secrets', { body: { metadata: { name: 's' }, data: { a: 'YQ==' } } });
    const sent = server.control.requests.list({ verb: 'create' }).slice(-2);
    expect(sent.map((record) => record.body)).to.deep.equal([JSON.stringify(configMap('seen')), undefined]);
    expect((await ask(server, '/_embedded/faults', { user: { user: 'bob' } })).code).to.equal(403);
    expect((await ask(server, '/_embedded/nothing')).code).to.equal(404);
    const silent = await open({ control: false });
    expect((await ask(silent, '/_embedded/faults')).code).to.equal(404);
  });

  it('TC-1 an injected reset breaks the connection', async () => {
    const server = await open();
    server.control.faults.inject({ match: { verb: 'list', resource: 'configmaps' }, reply: { reset: true } });
    expect(await failure(ask(server, MAPS))).to.match(/ECONNRESET|socket hang up/);
    expect((await ask(server, MAPS)).code).to.equal(200);
  });

  it('OP-8 objects, CA and definitions outlive a restart', async () => {
    const dataDir = join(folder, 'data');
    const first = await startApiServer({ dataDir });
    await ask(first, MAPS, { body: configMap('kept') });
    const ca = first.caPem;
    await first.close();
    const second = await open({ dataDir });
    expect(second.caPem).to.equal(ca);
    expect((await ask(second, `${MAPS}/kept`)).code).to.equal(200);
  });

  it('PF-8 closes while watches are open, and ends them', async () => {
    const server = await startApiServer();
    const ended = new Promise<void>((resolve, reject) => {
      const request = https.get(
        `${server.url}${MAPS}?watch=true&allowWatchBookmarks=true`,
        { ca: server.caPem },
        (response) => {
          response.once('data', () => void server.close());
          response.on('end', resolve);
        },
      );
      request.on('error', reject);
    });
    await ended;
    expect(await failure(ask(server, MAPS))).to.contain('ECONNREFUSED');
  });

  describe('command', () => {
    const run = (options: object) => {
      const out: string[] = [];
      const err: string[] = [];
      let signal: () => void = () => undefined;
      const ready = new Promise<void>((resolve) => {
        const io = {
          out: (line: string) => {
            out.push(line);
            if (line.startsWith('export ')) resolve();
          },
          err: (line: string) => void err.push(line),
          onSignal: (listener: () => void) => {
            signal = listener;
            return () => undefined;
          },
          cwd: folder,
          elapsed: () => 340,
        };
        done = runApiServerCommand({ port: 0, ...options }, io);
        done.catch(() => resolve());
      });
      return { out, err, ready, done: done as Promise<number>, signal: () => signal() };
    };
    let done: Promise<number> | undefined;

    it('APIS-1 APIS-2 OP-13 says what it is, writes a kubeconfig for its owner, removes it at the end', async () => {
      const command = run({});
      await command.ready;
      expect(command.out[0]).to.match(
        /^embedded test server, not a cluster · ready at https:\/\/127\.0\.0\.1:\d+ \(1\.37, memory\) in 0\.3 s$/,
      );
      const file = join(folder, '.kubewright', 'kubeconfig');
      expect(command.out[1]).to.equal(`export KUBECONFIG=${file}`);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      expect(readFileSync(file, 'utf8')).to.contain('client-key-data');
      expect(command.err).to.deep.equal([]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(command.out[2]).to.equal('containers are not run; pods only change status');
      command.signal();
      expect(await command.done).to.equal(0);
      expect(() => statSync(file)).to.throw('ENOENT');
    });

    it('APIS-3 a port that is taken is named, with one that is free', async () => {
      const server = await open();
      const command = run({ port: server.port });
      const error: unknown = await command.done.catch((caught: unknown) => caught);
      expect((error as { code: string }).code).to.equal('KW_PORT_IN_USE');
      expect((error as Error).message).to.match(
        new RegExp(
          `^port ${server.port} is taken\\.\\ncause: an embedded API server \\(v1\\.37\\.2\\+embedded\\) answers there\\nfix: --port \\d+$`,
        ),
      );
    });

    it('OP-9 loads files and folders, and says which file is wrong', async () => {
      writeFileSync(
        join(folder, 'b.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}\n',
      );
      const { loadManifests } = await import('./load.js');
      expect((await loadManifests([folder])).map((object) => object.metadata.name)).to.deep.equal(['one', 'two']);
      writeFileSync(join(folder, 'bad.yaml'), 'kind: ConfigMap\n');
      const error: unknown = await run({ load: [folder] }).done.catch((caught: unknown) => caught);
      expect((error as Error).message).to.equal(`${join(folder, 'bad.yaml')}: an object has no apiVersion or no kind`);
    });

    it('OP-4 reads users in the format of --token-auth-file', async () => {
      const file = join(folder, 'users.csv');
      writeFileSync(file, '# comment\nsecret,bob,7,"dev,ops"\nother,eve,\n');
      const { loadUsers } = await import('./load.js');
      expect(loadUsers(file)).to.deep.equal([
        { token: 'secret', name: 'bob', uid: '7', groups: ['dev', 'ops'] },
        { token: 'other', name: 'eve', groups: [] },
      ]);
    });
  });
});
