import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JsonObject } from '../core/types.js';
import { startTestServer } from '../http/harness.test.js';
import type { Reply, TestServer } from '../http/harness.test.js';
import { PolicyAdmission } from './policies.js';
import { withChecks } from './with-checks.js';

const MAPS = '/api/v1/namespaces/t/configmaps';
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${GROUP}/validatingadmissionpolicies`;
const maps = [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

describe('Admission policies', () => {
  let t: TestServer;
  beforeEach(async () => {
    t = await startTestServer();
    t.semantics.admission = withChecks(
      { mutate: ({ object }) => Promise.resolve(object), validate: () => Promise.resolve() },
      [new PolicyAdmission(t.semantics.objects)],
    );
  });
  afterEach(() => t.close());

  const headers = { 'Content-Type': 'application/json' };
  const post = (path: string, body: object): Promise<Reply> => t.request('POST', path, { body, headers });
  const map = (name: string, data: JsonObject, labels: JsonObject = {}): Promise<Reply> =>
    post(MAPS, { metadata: { name, labels }, data });
  const policy = (spec: JsonObject): Promise<Reply> =>
    post(POLICIES, { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: maps }, ...spec } });
  const bind = (spec: JsonObject = {}): Promise<Reply> =>
    post(`${GROUP}/validatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
    });
  async function enforced(policySpec: JsonObject, bindingSpec: JsonObject = {}): Promise<void> {
    for (const reply of [await policy(policySpec), await bind(bindingSpec)])
      expect(reply.code, reply.text).to.equal(201);
  }

  it('AD-10 denies what does not validate, with the expression as reason', async () => {
    await enforced({
      validations: [{ expression: "object.data.size() < 2 && !object.metadata.name.startsWith('x')" }],
    });
    expect((await map('a', { k: 'v' })).code).to.equal(201);
    const refused = await map('a2', { k: 'v', l: 'w' });
    expect([refused.code, refused.json.reason, refused.json.message]).to.deep.equal([
      422,
      'Invalid',
      `configmaps "a2" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.data.size() < 2 && !object.metadata.name.startsWith('x')`,
    ]);
  });

  it('AD-10 takes message, messageExpression, reason and variables', async () => {
    await enforced({
      variables: [
        { name: 'size', expression: 'object.data.size()' },
        { name: 'twice', expression: 'variables.size * 2' },
      ],
      validations: [
        { expression: 'variables.twice < 4', messageExpression: "'twice is ' + string(variables.twice)" },
        { expression: "object.metadata.name != 'bad'", message: 'a bad name', reason: 'Forbidden' },
      ],
    });
    expect((await map('a', { k: 'v', l: 'w' })).json.message).to.match(/denied request: twice is 4$/);
    const named = await map('bad', { k: 'v' });
    expect([named.code, named.json.reason]).to.deep.equal([403, 'Forbidden']);
    expect(named.json.message).to.match(/denied request: a bad name$/);
  });

  it('AD-10 warns instead of denying, and skips what the conditions or selectors leave out', async () => {
    await enforced(
      {
        matchConditions: [{ name: 'not-me', expression: "request.name != 'me'" }],
        validations: [{ expression: 'false', message: 'never' }],
      },
      { validationActions: ['Warn'], matchResources: { objectSelector: { matchLabels: { checked: 'yes' } } } },
    );
    const warned = await map('a', {}, { checked: 'yes' });
    expect([warned.code, warned.warnings]).to.deep.equal([
      201,
      [`299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': never"`],
    ]);
    expect((await map('me', {}, { checked: 'yes' })).warnings).to.deep.equal([]);
    expect((await map('c', {})).warnings).to.deep.equal([]);
  });

  it('AD-10 reads parameters, and denies when there are none', async () => {
    await t.create('ConfigMap', { name: 'limits', namespace: 't' }, { data: { max: '1' } });
    await enforced(
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [
          {
            expression: 'object.data.size() <= int(params.data.max)',
            messageExpression: "'at most ' + params.data.max",
          },
        ],
      },
      { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    );
    expect((await map('a', { k: 'v' })).code).to.equal(201);
    expect((await map('b', { k: 'v', l: 'w' })).json.message).to.match(/denied request: at most 1$/);
    await t.request('DELETE', `${MAPS}/limits`);
    expect((await map('c', { k: 'v' })).json.message).to.match(
      /failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction$/,
    );
  });

  it('AD-10 an expression that fails denies, unless the policy ignores failures', async () => {
    const validations = [{ expression: "object.data.nothing == 'x'" }];
    await enforced({ validations });
    expect((await map('a', { k: 'v' })).json.message).to.contain(
      "denied request: expression 'object.data.nothing == 'x'' resulted in error: ",
    );
    await t.request('PATCH', `${POLICIES}/p`, {
      body: { spec: { failurePolicy: 'Ignore' } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect((await map('a', { k: 'v' })).code).to.equal(201);
  });

  it('AD-10 a policy whose expression cannot be evaluated here is refused', async () => {
    const refused = await policy({ validations: [{ expression: 'object.' }, { expression: "authorizer.path('/x')" }] });
    expect(refused.code).to.equal(422);
    expect(refused.json.details.causes.map(({ field }: { field: string }) => field)).to.deep.equal([
      'spec.validations[0].expression',
      'spec.validations[1].expression',
    ]);
  });
});
