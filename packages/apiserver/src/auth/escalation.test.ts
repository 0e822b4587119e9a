import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { withChecks } from '../admission/with-checks.js';
import { startTestServer } from '../http/harness.test.js';
import type { Reply, TestServer } from '../http/harness.test.js';
import { EscalationCheck } from './escalation.js';
import { RbacAuthorizer } from './rbac.js';

const RBAC = 'rbac.authorization.k8s.io';
const ALL = `/apis/${RBAC}/v1`;
const ROLES = `${ALL}/namespaces/t/roles`;
const BINDINGS = `${ALL}/namespaces/t/rolebindings`;
const HEADERS = { Authorization: 'Bearer u-token', 'Content-Type': 'application/json' };
const reads = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] };

describe('Escalation of rights', () => {
  let t: TestServer;
  let count = 0;
  const give = async (rules: object[]): Promise<void> => {
    const metadata = { name: `give-${count++}` };
    await t.create('ClusterRole', metadata, { rules } as never, RBAC);
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: metadata.name };
    const subjects = [{ kind: 'User', name: 'u', apiGroup: RBAC }];
    await t.create('ClusterRoleBinding', metadata, { roleRef, subjects }, RBAC);
  };
  const post = (path: string, body: object): Promise<Reply> => t.request('POST', path, { body, headers: HEADERS });
  const role = (name: string, rules: object[]): object => ({ metadata: { name }, rules });
  const binding = (name: string, kind: string, ref: string): object => ({
    metadata: { name },
    roleRef: { apiGroup: RBAC, kind, name: ref },
    subjects: [{ kind: 'User', name: 'v', apiGroup: RBAC }],
  });

  before(async () => {
    t = await startTestServer('rbac');
    const { objects, registry } = t.semantics;
    const check = new EscalationCheck(new RbacAuthorizer(objects), registry);
    t.semantics.admission = withChecks(
      { mutate: ({ object }) => Promise.resolve(object), validate: () => Promise.resolve() },
      [check],
    );
    const verbs = ['create', 'update', 'get', 'patch'];
    await give([{ apiGroups: [RBAC], resources: ['roles', 'rolebindings', 'clusterroles'], verbs }, reads]);
  });
  after(() => t.close());

  it('AU-3 a role may hold what its author holds, and no more', async () => {
    expect((await post(ROLES, role('same', [reads]))).code).to.equal(201);
    const more = role('more', [
      { apiGroups: ['', 'apps'], resources: ['configmaps', 'secrets'], verbs: ['get', 'delete'] },
    ]);
    const refused = await post(ROLES, more);
    expect([refused.code, refused.json.message]).to.deep.equal([
      403,
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "u" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}\n' +
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}\n' +
        '{APIGroups:["apps"], Resources:["configmaps"], Verbs:["get" "delete"]}\n' +
        '{APIGroups:["apps"], Resources:["secrets"], Verbs:["get" "delete"]}',
    ]);
    expect((await t.get(`${ROLES}/more`, HEADERS)).code).to.equal(404);
  });

  it('AU-3 an update may not widen a role either; one that only touches finalizers is let through', async () => {
    await t.create('Role', { name: 'strong', namespace: 't' }, { rules: [{ ...reads, verbs: ['*'] }] }, RBAC);
    const patch = (body: object): Promise<Reply> =>
      t.request('PATCH', `${ROLES}/strong`, {
        body,
        headers: { ...HEADERS, 'Content-Type': 'application/merge-patch+json' },
      });
    expect((await patch({ metadata: { labels: { a: 'b' } } })).code).to.equal(403);
    expect((await patch({ metadata: { finalizers: ['example.com/x'] } })).code).to.equal(200);
  });

  it('AU-3 an aggregation rule needs all rights', async () => {
    const body = { metadata: { name: 'sum' }, rules: [], aggregationRule: { clusterRoleSelectors: [{}] } };
    const refused = await post(`${ALL}/clusterroles`, body);
    expect(refused.json.message).to.equal(
      'clusterroles.rbac.authorization.k8s.io "sum" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
  });

  it('AU-3 a binding grants only what its author holds, or may bind', async () => {
    await t.create('Role', { name: 'weak', namespace: 't' }, { rules: [reads] }, RBAC);
    await t.create('ClusterRole', { name: 'secrets' }, { rules: [{ ...reads, resources: ['secrets'] }] }, RBAC);
    expect((await post(BINDINGS, binding('weak', 'Role', 'weak'))).code).to.equal(201);
    const refused = await post(BINDINGS, binding('b', 'ClusterRole', 'secrets'));
    expect(refused.code).to.equal(403);
    expect(refused.json.message).to.match(/not currently held:\n\{APIGroups:\[""\], Resources:\["secrets"\], Verbs:/);
    const missing = await post(BINDINGS, binding('b', 'ClusterRole', 'none'));
    expect([missing.code, missing.json.message]).to.deep.equal([
      404,
      'clusterroles.rbac.authorization.k8s.io "none" not found',
    ]);
    await give([{ apiGroups: [RBAC], resources: ['clusterroles'], resourceNames: ['secrets'], verbs: ['bind'] }]);
    expect((await post(BINDINGS, binding('b', 'ClusterRole', 'secrets'))).code).to.equal(201);
  });

  it('AU-3 the verb escalate lifts the check', async () => {
    await give([{ apiGroups: [RBAC], resources: ['roles'], resourceNames: ['any'], verbs: ['escalate'] }]);
    expect((await post(ROLES, role('any', [{ ...reads, verbs: ['*'] }]))).code).to.equal(201);
    expect((await post(ROLES, role('other', [{ ...reads, verbs: ['*'] }]))).code).to.equal(403);
  });
});
