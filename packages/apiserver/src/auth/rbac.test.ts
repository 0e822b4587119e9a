import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { startTestServer } from '../http/harness.test.js';
import type { TestServer } from '../http/harness.test.js';

const RBAC = 'rbac.authorization.k8s.io';
const M = '/api/v1/namespaces/t/configmaps';
const AUTH = { Authorization: 'Bearer u-token' };
const REVIEW = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

describe('Access control', () => {
  let t: TestServer;
  const admin = () => ({ tls: t.authority.client('root', ['system:masters']) });
  before(async () => {
    t = await startTestServer('rbac');
  });
  after(() => t.close());

  let count = 0;
  async function grant(
    rules: object[],
    options: { namespace?: string; subjects?: object[]; labels?: object; aggregationRule?: object } = {},
  ): Promise<string> {
    const name = `grant-${count++}`;
    const { namespace, subjects = [{ kind: 'User', name: 'u' }], labels, aggregationRule } = options;
    const metadata = { name, ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) };
    const rest = { rules, ...(aggregationRule ? { aggregationRule } : {}) };
    await t.create(namespace ? 'Role' : 'ClusterRole', metadata as never, rest as never, RBAC);
    const roleRef = { apiGroup: RBAC, kind: namespace ? 'Role' : 'ClusterRole', name };
    await t.create(
      namespace ? 'RoleBinding' : 'ClusterRoleBinding',
      metadata as never,
      { roleRef, subjects } as never,
      RBAC,
    );
    return name;
  }
  const code = async (method: string, path: string, headers: Record<string, string> = AUTH) =>
    (
      await t.request(method, path, {
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(method === 'GET' ? {} : { body: {} }),
      })
    ).code;

  it('ER-19 says who may not do what, where', async () => {
    const list = await t.get(M, AUTH);
    expect(list.code).to.equal(403);
    expect(list.json.message).to.equal(
      'configmaps is forbidden: User "u" cannot list resource "configmaps" in API group "" in the namespace "t"',
    );
    expect(list.json.details).to.deep.equal({ kind: 'configmaps' });
    const log = await t.get('/api/v1/namespaces/t/pods/a/log', AUTH);
    expect(log.json.message).to.equal(
      'pods "a" is forbidden: User "u" cannot get resource "pods/log" in API group "" in the namespace "t"',
    );
    expect((await t.get('/api/v1/nodes', AUTH)).json.message).to.match(/at the cluster scope$/);
    const path = await t.get('/nope', AUTH);
    expect([path.json.message, path.json.details]).to.deep.equal(['forbidden: User "u" cannot get path "/nope"', {}]);
  });

  it('TR-7 authorisation comes before the media type is looked at', async () => {
    expect(
      (await t.request('POST', M, { body: 'x', headers: { ...AUTH, 'Content-Type': 'text/plain' } })).code,
    ).to.equal(403);
  });

  it('AU-2 knows tokens, client certificates and anonymous; a wrong token is 401 everywhere', async () => {
    const who = async (options: object) =>
      (await t.request('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { body: {}, ...options })).json;
    await grant([{ verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] }], {
      subjects: ['system:authenticated', 'system:unauthenticated'].map((name) => ({ kind: 'Group', name })),
    });
    const json = { 'Content-Type': 'application/json' };
    expect((await who({ headers: { ...json, ...AUTH } })).status.userInfo).to.deep.equal({
      username: 'u',
      groups: ['dev', 'system:authenticated'],
    });
    expect((await who({ headers: json, tls: t.authority.client('bob', ['ops']) })).status.userInfo).to.deep.equal({
      username: 'bob',
      groups: ['ops', 'system:authenticated'],
    });
    expect((await who({ headers: json })).status.userInfo).to.deep.equal({
      username: 'system:anonymous',
      groups: ['system:unauthenticated'],
    });
    for (const path of [M, '/version']) {
      const { code: got, json: body } = await t.get(path, { Authorization: 'Bearer bad' });
      expect([got, body.reason, body.message]).to.deep.equal([401, 'Unauthorized', 'Unauthorized']);
    }
  });

  it('TL-2 a certificate of another authority is 401', async () => {
    const { Authority } = await import('../tls/x509.js');
    const stranger = Authority.create().client('root', ['system:masters']);
    expect((await t.request('GET', M, { tls: stranger })).code).to.equal(401);
  });

  it('AU-3 system:masters may do everything', async () => {
    expect((await t.request('GET', M, admin())).code).to.equal(200);
  });

  it('AU-3 a role in a namespace counts there at once, and no longer when its binding is gone', async () => {
    const name = await grant([{ verbs: ['list', 'get'], apiGroups: [''], resources: ['secrets'] }], { namespace: 't' });
    expect(await code('GET', '/api/v1/namespaces/t/secrets')).to.equal(200);
    expect(await code('GET', '/api/v1/secrets')).to.equal(403);
    expect(await code('POST', '/api/v1/namespaces/t/secrets')).to.equal(403);
    await t.request('DELETE', `/apis/${RBAC}/v1/namespaces/t/rolebindings/${name}`, admin());
    expect(await code('GET', '/api/v1/namespaces/t/secrets')).to.equal(403);
  });

  it('AU-3 names limit get and named lists, never create', async () => {
    await grant([{ verbs: ['*'], apiGroups: [''], resources: ['services'], resourceNames: ['mine'] }]);
    const p = '/api/v1/namespaces/t/services';
    expect(await code('GET', `${p}/mine`)).to.equal(404);
    expect(await code('GET', `${p}/other`)).to.equal(403);
    expect(await code('GET', `${p}?fieldSelector=metadata.name%3Dmine`)).to.equal(200);
    expect(await code('GET', p)).to.equal(403);
    expect(await code('POST', p)).to.equal(403);
  });

  it('AU-3 tells subresources from their resource', async () => {
    await grant([{ verbs: ['get'], apiGroups: [''], resources: ['pods/log', '*/token'] }]);
    expect(await code('GET', '/api/v1/namespaces/t/pods/a/log')).to.equal(404);
    expect(await code('GET', '/api/v1/namespaces/t/pods/a')).to.equal(403);
  });

  it('AU-3 paths may end in a star; aggregated roles collect what they select', async () => {
    await grant([{ verbs: ['get'], nonResourceURLs: ['/openapi/*'] }]);
    expect(await code('GET', '/openapi/v3')).to.equal(200);
    await grant([], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { agg: 'yes' } }] } });
    expect(await code('GET', '/api/v1/nodes')).to.equal(403);
    await grant([{ verbs: ['list'], apiGroups: [''], resources: ['nodes'] }], {
      labels: { agg: 'yes' },
      subjects: [{ kind: 'User', name: 'nobody' }],
    });
    expect(await code('GET', '/api/v1/nodes')).to.equal(200);
  });

  it('AU-4 reviews say whether and why', async () => {
    await grant([
      { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['*'] },
      { verbs: ['list'], apiGroups: [''], resources: ['endpoints'] },
    ]);
    const ask = async (resourceAttributes: object) =>
      (await t.post(REVIEW, { spec: { resourceAttributes } }, AUTH)).json;
    const no = await ask({ verb: 'delete', resource: 'endpoints', namespace: 't' });
    expect(no.status).to.deep.equal({ allowed: false });
    expect(no).to.include({ kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1' });
    const yes = await ask({ verb: 'list', resource: 'endpoints', namespace: 't' });
    expect(yes.status.allowed).to.equal(true);
    expect(yes.status.reason).to.match(
      /^RBAC: allowed by ClusterRoleBinding "grant-\d+" of ClusterRole "grant-\d+" to User "u"$/,
    );
    const empty = await t.post(REVIEW, { spec: {} }, AUTH);
    expect([empty.code, empty.json.details.causes[0].field]).to.deep.equal([422, 'spec']);
    const rules = await t.post(
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      { spec: { namespace: 't' } },
      AUTH,
    );
    expect(rules.json.status.resourceRules).to.deep.include({
      verbs: ['list'],
      apiGroups: [''],
      resources: ['endpoints'],
    });
  });

  it('AU-4 unknown fields of a review are told like those of any object', async () => {
    const body = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } }, extra: 1 };
    expect((await t.post(REVIEW, body, AUTH)).warnings).to.deep.equal([String.raw`299 - "unknown field \"extra\""`]);
    expect((await t.post(`${REVIEW}?fieldValidation=Strict`, body, AUTH)).code).to.equal(400);
  });

  it('AU-5 issues tokens that speak for their account until they expire or it is gone', async () => {
    await t.create('ServiceAccount', { name: 'robot', namespace: 't' });
    const path = '/api/v1/namespaces/t/serviceaccounts/robot/token';
    const request = (spec: object) =>
      t.request('POST', path, { body: { spec }, headers: { 'Content-Type': 'application/json' }, ...admin() });
    const { code: made, json } = await request({ expirationSeconds: 600 });
    expect(made).to.equal(201);
    expect(json).to.include({ kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' });
    const bearer = { Authorization: `Bearer ${json.status.token}` };
    const denied = await t.get(M, bearer);
    expect(denied.json.message).to.match(/^configmaps is forbidden: User "system:serviceaccount:t:robot" cannot list/);
    await grant([{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }], {
      namespace: 't',
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 't' }],
    });
    expect((await t.get(M, bearer)).code).to.equal(200);
    expect((await t.get(M, { Authorization: `${bearer.Authorization}x` })).code).to.equal(401);
    const short = await request({ expirationSeconds: 10 });
    expect(short.json.details.causes[0].message).to.equal(
      'Invalid value: 10: may not specify a duration less than 10 minutes',
    );
    t.clock.freeze();
    t.clock.advance(601_000);
    expect((await t.get(M, bearer)).code).to.equal(401);
    t.clock.resume();
    const again = (await request({})).json.status.token as string;
    await t.request('DELETE', '/api/v1/namespaces/t/serviceaccounts/robot', admin());
    expect((await t.get(M, { Authorization: `Bearer ${again}` })).code).to.equal(401);
  });

  it('AU-4 TokenReview knows whose a token is', async () => {
    const review = async (token: string) =>
      (
        await t.request('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
          body: { spec: { token } },
          headers: { 'Content-Type': 'application/json' },
          ...admin(),
        })
      ).json.status;
    expect((await review('u-token')).user).to.deep.equal({ username: 'u', groups: ['dev', 'system:authenticated'] });
    expect(await review('bad')).to.deep.equal({ user: {}, error: 'invalid bearer token' });
  });

  it('AU-6 acts as another only with the right to, and then with the rights of the other', async () => {
    const as = { ...AUTH, 'Impersonate-User': 'bob' };
    const refused = await t.get(M, as);
    expect(refused.json.message).to.equal(
      'configmaps is forbidden: User "u" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "t"',
    );
    await grant([{ verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['bob'] }]);
    expect((await t.get(M, as)).json.message).to.match(/^configmaps is forbidden: User "bob" cannot list/);
    expect((await t.get(M, { ...AUTH, 'Impersonate-User': 'eve' })).json.message).to.match(
      /User "u" cannot impersonate-on/,
    );
    const admins = await t.request('GET', M, {
      ...admin(),
      headers: { 'Impersonate-User': 'x', 'Impersonate-Group': 'system:masters' },
    });
    expect(admins.code).to.equal(200);
  });

  it('AU-6 a service account brings its groups; a group without a user is refused', async () => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const headers = {
      'Content-Type': 'application/json',
      'Impersonate-User': 'system:serviceaccount:t:x',
      'Impersonate-Extra-Scopes': 'view',
    };
    const { json } = await t.request('POST', path, { body: {}, headers, ...admin() });
    expect(json.status.userInfo).to.deep.equal({
      username: 'system:serviceaccount:t:x',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:t', 'system:authenticated'],
      extra: { scopes: ['view'] },
    });
    const group = await t.request('GET', M, { ...admin(), headers: { 'Impersonate-Group': 'g' } });
    expect([group.code, group.json.message]).to.deep.equal([
      400,
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    ]);
  });
});
