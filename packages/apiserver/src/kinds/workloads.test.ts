import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Kinds, podSpec, workloadSpec } from './harness.test.js';

const kinds = new Kinds();
const MISMATCH = '`selector` does not match template `labels`';
const deployment = (spec: Parameters<typeof workloadSpec>[0] = {}): Parameters<Kinds['create']>[1] => ({
  metadata: { name: 'd' },
  spec: workloadSpec(spec),
});

describe('Deployment and its like', () => {
  it('DF-4 defaults', () => {
    const { object, errors } = kinds.create('Deployment', deployment());
    expect(errors).to.deep.equal([]);
    expect(object.spec).to.deep.include({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
    expect(object.spec.template.spec).to.deep.include({ restartPolicy: 'Always', terminationGracePeriodSeconds: 30 });
    expect(
      kinds.create('Deployment', deployment({ replicas: 0 })).object.spec.replicas,
      'a present zero stays',
    ).to.equal(0);
  });

  it('DF-4 the selector is required, must match and may not be empty', () => {
    const { selector, ...rest } = workloadSpec();
    expect(selector).to.be.an('object');
    expect(kinds.create('Deployment', { spec: rest }).errors).to.include('spec.selector: Required value');
    expect(kinds.create('Deployment', deployment({ selector: { matchLabels: { app: 'y' } } })).errors).to.deep.equal([
      `spec.template.metadata.labels: Invalid value: {"app":"x"}: ${MISMATCH}`,
    ]);
    expect(kinds.create('Deployment', deployment({ selector: {} })).errors).to.deep.equal([
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    ]);
  });

  it('DF-4 the selector is for life', () => {
    const { object: old } = kinds.create('Deployment', deployment());
    const { errors } = kinds.update(
      'Deployment',
      old,
      deployment({ selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } }),
    );
    expect(errors).to.deep.equal([
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
    ]);
  });

  it('DF-4 rollouts that cannot move are refused', () => {
    const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } };
    expect(kinds.create('Deployment', deployment({ strategy })).errors).to.deep.equal([
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ]);
    expect(kinds.create('Deployment', deployment({ progressDeadlineSeconds: 0 })).errors).to.deep.equal([
      'spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds',
    ]);
  });

  it('DF-6 templates restart always', () => {
    const template = { metadata: { labels: { app: 'x' } }, spec: podSpec({ restartPolicy: 'Never' }) };
    for (const kind of ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']) {
      expect(kinds.create(kind, deployment({ template })).errors).to.deep.equal([
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      ]);
    }
  });

  it('DF-5 a Job claims its Pods by uid and needs a restart policy', () => {
    const template = { metadata: { labels: { q: 'r' } }, spec: podSpec({ restartPolicy: 'Never' }) };
    const { object, errors } = kinds.create('Job', { metadata: { name: 'j' }, spec: { template } });
    expect(errors).to.deep.equal([]);
    expect(object.spec).to.deep.include({ parallelism: 1, completions: 1, backoffLimit: 6, suspend: false });
    expect(object.spec.selector).to.deep.equal({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'uid-1' } });
    expect(object.spec.template.metadata.labels).to.deep.equal({
      q: 'r',
      'batch.kubernetes.io/controller-uid': 'uid-1',
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': 'uid-1',
      'job-name': 'j',
    });
    expect(kinds.create('Job', { spec: { template: { spec: podSpec() } } }).errors).to.deep.equal([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it('DF-7 a roleRef is for life', () => {
    const body = (name: string): Parameters<Kinds['create']>[1] => ({
      metadata: { name: 'b' },
      roleRef: { kind: 'Role', name },
    });
    const { object: old, errors } = kinds.create('RoleBinding', body('a'));
    expect(errors).to.deep.equal([]);
    expect(kinds.update('RoleBinding', old, body('z')).errors).to.deep.equal([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"z"}: field is immutable',
    ]);
  });

  it('AD-3 defaults and checks of webhook configurations', () => {
    const webhook = {
      name: 'a.b.c',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { service: { name: 'a', namespace: 'b' } },
    };
    const kind = 'MutatingWebhookConfiguration';
    const { object, errors } = kinds.create(kind, { metadata: { name: 'w' }, webhooks: [webhook] });
    expect(errors).to.deep.equal([]);
    expect(object.webhooks[0]).to.deep.include({
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      timeoutSeconds: 10,
      reinvocationPolicy: 'Never',
      namespaceSelector: {},
      objectSelector: {},
      clientConfig: { service: { name: 'a', namespace: 'b', port: 443 } },
    });
    expect(kinds.create(kind, { webhooks: [{ ...webhook, sideEffects: 'Some' }] }).errors).to.deep.equal([
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ]);
  });
});
