import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isKubewrightError } from '@kubewright/api';
import { KeptLogger } from '../cache/scripted-transport.test.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import type { ClusterConfig, Credential } from './credentials.js';
import { loadCluster, type LoadClusterOptions } from './load-cluster.js';

/** A folder with files, away after the test. */
class Folder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async with(files: Readonly<Record<string, string>>): Promise<Folder> {
    const folder = new Folder(await mkdtemp(join(tmpdir(), 'kubewright-')));
    for (const [name, text] of Object.entries(files)) await folder.write(name, text);
    return folder;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  async write(name: string, text: string, mode = 0o600): Promise<void> {
    await mkdir(dirname(this.at(name)), { recursive: true });
    await writeFile(this.at(name), text, { mode });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}

function kubeconfig(server: string, user: object, extra: object = {}): string {
  return JSON.stringify({
    'current-context': 'dev',
    contexts: [{ name: 'dev', context: { cluster: 'c', user: 'u', namespace: 'team-a' } }],
    clusters: [{ name: 'c', cluster: { server, ...extra } }],
    users: [{ name: 'u', user }],
  });
}

const load = (options: Partial<LoadClusterOptions>): Promise<ClusterConfig> =>
  loadCluster({ env: {}, home: '/nowhere', clock: new VirtualClock(), logger: new KeptLogger(), ...options });

const credential = async (cluster: ClusterConfig): Promise<Credential> => cluster.credentials.current();

async function code(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: unknown) => (isKubewrightError(error) ? `${error.code}: ${error.message}` : String(error)),
  );
}

describe('cluster configuration', () => {
  it('T4 says of each place why it did not count, and guesses nothing', async () => {
    const text = await code(load({ env: { KUBECONFIG: '/no/such/file' } }));
    expect(text).to.match(/^KW_CLUSTER_NO_CONFIG: /);
    for (const part of [
      'option kubeConfig: not given',
      '/no/such/file does not exist',
      'KUBERNETES_SERVICE_HOST',
      '/nowhere/.kube/config does not exist',
    ])
      expect(text).to.contain(part);
  });

  it('T4 takes the option before KUBECONFIG, that before the service account, that before the home folder', async () => {
    await using folder = await Folder.with({
      option: kubeconfig('https://option', {}),
      env: kubeconfig('https://env', {}),
      'home/.kube/config': kubeconfig('https://home', {}),
      'sa/token': 'pod-token',
      'sa/namespace': 'pod-ns\n',
    });
    const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const places = { home: folder.at('home'), serviceAccountDir: folder.at('sa') };
    const env = { ...pod, KUBECONFIG: folder.at('env') };
    expect((await load({ kubeConfig: folder.at('option'), env, ...places })).server).to.equal('https://option');
    expect((await load({ env, ...places })).server).to.equal('https://env');
    const inPod = await load({ env: pod, ...places });
    expect(inPod).to.include({ server: 'https://[fd00::1]:443', namespace: 'pod-ns' });
    expect(await credential(inPod)).to.deep.equal({ authorization: 'Bearer pod-token' });
    expect((await load({ env: pod, ...places, homeFirst: true })).server).to.equal('https://home');
    expect((await load(places)).server).to.equal('https://home');
  });

  it('T4 merges the files of KUBECONFIG, skipping missing ones; the first to name a thing wins', async () => {
    const user = 'users: [{ name: u, user: { token: abc } }]\n';
    await using folder = await Folder.with({
      first: `current-context: dev\nclusters: [{ name: c, cluster: { server: "https://first" } }]\n${user}`,
      second: kubeconfig('https://second', { token: 'other' }),
    });
    const KUBECONFIG = [folder.at('none'), folder.at('first'), folder.at('second')].join(delimiter);
    const cluster = await load({ env: { KUBECONFIG } });
    expect(cluster).to.include({ server: 'https://first', namespace: 'team-a' });
    expect(await credential(cluster)).to.deep.equal({ authorization: 'Bearer abc' });
  });

  it('T4 says what is wrong with a file, without quoting it', async () => {
    await using folder = await Folder.with({ broken: 'token: [canary', none: '{}' });
    const broken = await code(load({ kubeConfig: folder.at('broken') }));
    expect(broken)
      .to.match(/^KW_CLUSTER_CONFIG: .*neither YAML nor JSON/)
      .and.not.contain('canary');
    expect(await code(load({ kubeConfig: folder.at('none') }))).to.contain('no current-context');
    expect(await code(load({ kubeConfig: folder.at('absent') }))).to.contain('does not exist');
    expect(await code(load({ kubeConfig: kubeconfigOf('ftp://x') }))).to.contain('no http or https URL');
  });

  it('T5 reads what client-node drops: as-uid, as-groups, as-user-extra', async () => {
    const user = { as: 'jane', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { 'x/y': ['1'] } };
    const { impersonate } = await load({ kubeConfig: kubeconfigOf('https://x', user) });
    expect(impersonate).to.deep.equal([
      ['Impersonate-User', 'jane'],
      ['Impersonate-Uid', '7'],
      ['Impersonate-Group', 'a'],
      ['Impersonate-Group', 'b'],
      ['Impersonate-Extra-x%2Fy', '1'],
    ]);
  });

  it('resolves certificates from data, and from paths that start at the folder of the kubeconfig', async () => {
    const data = Buffer.from('the cert').toString('base64');
    const user = { 'client-certificate-data': data, 'client-key': 'certs/key.pem', username: 'u', password: 'p' };
    await using folder = await Folder.with({
      config: kubeconfig('https://x', user, { 'certificate-authority': 'ca.pem', 'tls-server-name': 'api' }),
      'certs/key.pem': 'the key',
      'ca.pem': 'the ca',
    });
    const cluster = await load({ kubeConfig: folder.at('config') });
    expect(cluster.tls).to.deep.equal({ ca: 'the ca', cert: 'the cert', key: 'the key', serverName: 'api' });
    expect(await credential(cluster)).to.deep.equal({
      authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
    });
  });

  it('T5 T8 takes a ready-made KubeConfig, and asks it for the header of users that only it can log in', async () => {
    const { KubeConfig } = await import('@kubernetes/client-node');
    const instance = new KubeConfig();
    let calls = 0;
    instance.addAuthenticator({
      isAuthProvider: (user) => user.authProvider?.name === 'house',
      applyAuthentication: (_user, options) => {
        Object.assign(options.headers ?? {}, { Authorization: `Bearer fetched-${++calls}` });
        return Promise.resolve();
      },
    });
    instance.loadFromString(kubeconfig('https://x', { token: 'plain' }));
    expect(await credential(await load({ kubeConfig: instance }))).to.deep.equal({ authorization: 'Bearer plain' });
    instance.loadFromString(kubeconfig('https://x', { 'auth-provider': { name: 'house', config: {} } }));
    const clock = new VirtualClock();
    const cluster = await load({ kubeConfig: instance, clock });
    expect(cluster.namespace).to.equal('team-a');
    const headers = async (): Promise<unknown> => (await credential(cluster)).authorization;
    const all = await Promise.all([headers(), headers()]);
    expect(all).to.deep.equal(['Bearer fetched-1', 'Bearer fetched-1']);
    await clock.advance('60s');
    expect(await headers()).to.equal('Bearer fetched-2');
    await clock.advance('5s');
    expect(await cluster.credentials.renew(await credential(cluster))).to.deep.equal({
      authorization: 'Bearer fetched-3',
    });
  }).timeout(20_000);

  it('T12 takes proxy-url, then the environment, honouring no_proxy, and refuses other schemes', async () => {
    const env = {
      https_proxy: 'http://proxy:1',
      HTTPS_PROXY: 'http://upper:1',
      no_proxy: '.corp,10.0.0.0/8,host:8443,exact',
    };
    const proxy = async (server: string, extra: object = {}): Promise<string | undefined> =>
      (await load({ kubeConfig: kubeconfigOf(server, {}, extra), env })).proxy;
    expect(await proxy('https://api')).to.equal('http://proxy:1');
    expect(await proxy('https://api', { 'proxy-url': 'socks5://s:1' })).to.equal('socks5://s:1');
    for (const server of [
      'https://a.corp',
      'https://10.1.2.3',
      'https://host:8443',
      'https://exact',
      'https://sub.exact',
      'https://127.0.0.1',
      'https://localhost',
      'http://api',
    ])
      expect(await proxy(server), server).to.equal(undefined);
    expect(await proxy('https://host:6443')).to.equal('http://proxy:1');
    const refused = await code(
      load({ kubeConfig: kubeconfigOf('https://x', {}, { 'proxy-url': 'ftp://canary:secret@p' }) }),
    );
    expect(refused)
      .to.match(/^KW_CLUSTER_PROXY: .*ftp/)
      .and.not.contain('canary');
  });
});

describe('token files', () => {
  it('T6 trims the token, keeps it for 60 s, then sends the old one while it reads the new', async () => {
    await using folder = await Folder.with({ token: ' one \n' });
    const clock = new VirtualClock();
    const { credentials } = await load({
      kubeConfig: kubeconfigOf('https://x', { tokenFile: folder.at('token'), token: 'loses' }),
      clock,
    });
    const header = async (): Promise<string | undefined> => (await credentials.current()).authorization;
    expect(await header()).to.equal('Bearer one');
    await folder.write('token', 'two');
    await clock.advance('60s');
    expect(await header()).to.equal('Bearer one');
    await clock.advance('1s');
    expect(await header()).to.equal('Bearer one');
    // The read that the call began ends now; the next one shares it.
    await credentials.renew({});
    expect(await header()).to.equal('Bearer two');
  });

  it('T6 waits for a new token when the old one ends within 10 s', async () => {
    const clock = new VirtualClock();
    const token = (name: string, seconds: number): string =>
      `${name}.${Buffer.from(JSON.stringify({ exp: clock.now() / 1000 + seconds })).toString('base64url')}.x`;
    await using folder = await Folder.with({ token: token('old', 20) });
    const { credentials } = await load({
      kubeConfig: kubeconfigOf('https://x', { tokenFile: folder.at('token') }),
      clock,
    });
    expect((await credentials.current()).authorization).to.match(/^Bearer old/);
    await folder.write('token', token('new', 3_600));
    expect((await credentials.current()).authorization).to.match(/^Bearer old/);
    await clock.advance('11s');
    expect((await credentials.current()).authorization).to.match(/^Bearer new/);
  });

  it('T6 keeps the old token when the file is empty or away, with one warning', async () => {
    await using folder = await Folder.with({ token: 'one' });
    const logger = new KeptLogger();
    const clock = new VirtualClock();
    const { credentials } = await load({
      kubeConfig: kubeconfigOf('https://x', { tokenFile: folder.at('token') }),
      logger,
      clock,
    });
    await credentials.current();
    await folder.write('token', '');
    for (let read = 0; read < 2; read++) {
      await clock.advance('6s');
      expect(await credentials.renew({})).to.deep.equal({ authorization: 'Bearer one' });
    }
    expect(logger.of('warn')).to.have.length(1);
  });
});

describe('credential plugins', () => {
  const plugin = (script: string, extra: object = {}): object => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', script], ...extra },
  });
  const answer = (status: string): string =>
    `console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: ${status} }))`;

  it('T7 runs once for all who wait, again before the end and on 401', async () => {
    await using folder = await Folder.with({});
    const runs = `require('fs').appendFileSync(${JSON.stringify(folder.at('runs'))}, 'x');`;
    const count = `require('fs').readFileSync(${JSON.stringify(folder.at('runs'))}, 'utf8').length`;
    const clock = new VirtualClock();
    const expires = `new Date(${clock.now()} + 3600e3).toISOString()`;
    const script = runs + answer(`{ token: 'run-' + ${count}, expirationTimestamp: ${expires} }`);
    const { credentials } = await load({ kubeConfig: kubeconfigOf('https://x', plugin(script)), clock });
    const all = await Promise.all(Array.from({ length: 10 }, async () => credentials.current()));
    expect(new Set(all.map(({ authorization }) => authorization))).to.deep.equal(new Set(['Bearer run-1']));
    expect(await credentials.renew(all[0] ?? {})).to.deep.equal({ authorization: 'Bearer run-1' });
    await clock.advance('5s');
    expect(await credentials.renew(all[0] ?? {})).to.deep.equal({ authorization: 'Bearer run-2' });
    await clock.advance('58m');
    expect((await credentials.current()).authorization).to.equal('Bearer run-2');
    await clock.advance('56s');
    expect((await credentials.current()).authorization).to.equal('Bearer run-3');
  }).timeout(10_000);

  it('T7 tells the plugin about the cluster when asked to, and takes a client certificate', async () => {
    const script = `const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO); ${answer(
      `{ clientCertificateData: info.spec.cluster.server + process.env.EXTRA, clientKeyData: 'key' }`,
    )}`;
    const user = plugin(script, { provideClusterInfo: true, env: [{ name: 'EXTRA', value: '!' }] });
    const cluster = await load({ kubeConfig: kubeconfigOf('https://x', user) });
    expect(await credential(cluster)).to.deep.equal({ certificate: { cert: 'https://x!', key: 'key' } });
  });

  it('T7 names command, exit code, hint and the end of stderr, but no token', async () => {
    const script = `console.log('canary-stdout'); console.error('login first: abcdefghijklmnopqrstuvwxyz0123'); process.exit(3)`;
    const cluster = await load({
      kubeConfig: kubeconfigOf('https://x', plugin(script, { installHint: 'see the wiki' })),
    });
    const text = await code(credential(cluster));
    expect(text).to.contain('exit code 3').and.to.contain('login first: ***').and.to.contain('see the wiki');
    expect(text).to.not.contain('canary').and.not.contain('abcdefghij');
    const absent = await load({ kubeConfig: kubeconfigOf('https://x', plugin('', { command: 'no-such-plugin' })) });
    expect(await code(credential(absent))).to.contain('no-such-plugin: was not found');
  });

  it('T7 refuses other API versions and plugins that need a terminal', async () => {
    expect(
      await code(load({ kubeConfig: kubeconfigOf('https://x', plugin('', { interactiveMode: 'Always' })) })),
    ).to.contain('terminal');
    expect(
      await code(load({ kubeConfig: kubeconfigOf('https://x', plugin('', { apiVersion: 'v1alpha1' })) })),
    ).to.contain('v1alpha1');
    const other = await load({
      kubeConfig: kubeconfigOf('https://x', plugin(answer('{}').replace('k8s.io/v1', 'k8s.io/v1beta1'))),
    });
    expect(await code(credential(other))).to.contain('v1beta1');
  });
});

/** A kubeconfig as an object. */
function kubeconfigOf(
  server: string,
  user: object = {},
  extra: object = {},
): NonNullable<LoadClusterOptions['kubeConfig']> {
  return JSON.parse(kubeconfig(server, user, extra)) as NonNullable<LoadClusterOptions['kubeConfig']>;
}
