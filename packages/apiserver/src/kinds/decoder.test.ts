import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Kinds, podSpec, workloadSpec } from './harness.test.js';

const kinds = new Kinds();
const deployment = (spec: object): Parameters<Kinds['refusal']>[1] => ({
  metadata: { name: 'd' },
  spec: workloadSpec({ ...spec }),
});

describe('decoding of built-in kinds', () => {
  const head = (kind: string): string => `${kind} in version "v1" cannot be handled as a ${kind}: `;

  describe('ER-11 wrong types, in the words of a Go decoder', () => {
    const cases: [string, Parameters<Kinds['refusal']>[1], string][] = [
      [
        'ConfigMap',
        { data: { a: 1 } },
        'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      ],
      [
        'ConfigMap',
        { data: 'x' },
        'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
      ],
      [
        'ConfigMap',
        { metadata: 5 },
        'json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
      ],
      [
        'Deployment',
        deployment({ replicas: 'x' }),
        'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'Deployment',
        deployment({ replicas: 1.5 }),
        'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'Deployment',
        deployment({ replicas: 99999999999 }),
        'json: cannot unmarshal number 99999999999 into Go struct field DeploymentSpec.spec.replicas of type int32',
      ],
      [
        'Pod',
        { spec: { containers: ['a'] } },
        'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type v1.Container',
      ],
      [
        'Pod',
        { spec: { containers: {} } },
        'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
      ],
      [
        'Pod',
        { spec: podSpec({}, { image: true }) },
        'json: cannot unmarshal bool into Go struct field Container.spec.containers.image of type string',
      ],
      [
        'Pod',
        { spec: { restartPolicy: 5 } },
        'json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy',
      ],
      [
        'Pod',
        { metadata: { creationTimestamp: 'x' } },
        'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
      ],
      [
        'Pod',
        { spec: podSpec({}, { resources: { limits: { cpu: 'abc' } } }) },
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
      ['Secret', { data: { a: '!!' } }, 'illegal base64 data at input byte 0'],
      ['Secret', { data: { a: 'abcde' } }, 'illegal base64 data at input byte 4'],
      ['Secret', { data: { a: 5 } }, 'json: cannot unmarshal number into Go struct field Secret.data of type []uint8'],
    ];
    for (const [kind, body, why] of cases)
      it(`ER-11 ${kind}: ${why}`, () => expect(kinds.refusal(kind, body)).to.equal(head(kind) + why));
  });

  it('ER-11 another version or kind in the body', () => {
    expect(kinds.refusal('ConfigMap', { apiVersion: 'v2', kind: 'ConfigMap' })).to.match(
      /^ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme /,
    );
    expect(kinds.refusal('ConfigMap', { apiVersion: 'v1', kind: 'Secret' })).to.equal(
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    );
  });

  it('PI-1 a missing kind and apiVersion are taken from the resource', () => {
    expect(kinds.decode('Deployment', { metadata: { name: 'd' } }).object).to.include({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
    });
  });

  it('QP-12 unknown fields are dropped and named with their path', () => {
    const { object, problems } = kinds.decode('Pod', {
      Spec: {},
      spec: podSpec({ foo: 1 }, { bar: {}, env: [{ name: 'A', baz: 1 }] }),
    });
    expect(problems).to.deep.equal([
      'unknown field "Spec"',
      'unknown field "spec.containers[0].bar"',
      'unknown field "spec.containers[0].env[0].baz"',
      'unknown field "spec.foo"',
    ]);
    expect(JSON.stringify(object)).not.to.match(/foo|bar|baz|Spec/);
  });

  it('null counts as absent, in lists and maps as the zero value', () => {
    const { object } = kinds.decode('ConfigMap', { metadata: { name: 'a', labels: null }, data: { a: null, b: 'x' } });
    expect(object).to.deep.include({ metadata: { name: 'a' }, data: { a: '', b: 'x' } });
  });

  it('zero values vanish where Go leaves them out and stand where it writes them', () => {
    const { object } = kinds.decode('Deployment', {
      metadata: { name: 'd', labels: {} },
      spec: workloadSpec({ paused: false, replicas: 0 }),
    });
    expect(object.metadata).to.deep.equal({ name: 'd' });
    expect(object.spec).to.have.property('replicas', 0);
    expect(object.spec).not.to.have.property('paused');
    expect(object.status).to.deep.equal({});
    for (const body of [{}, { rules: [] }])
      expect(kinds.decode('Role', body).object.rules, 'a list without omitempty').to.equal(null);
    expect(kinds.decode('Service', {}).object.status).to.deep.equal({ loadBalancer: {} });
  });

  it('quantities, times and base64 take their stored form', () => {
    const pod = kinds.decode('Pod', {
      metadata: { name: 'p', deletionTimestamp: '2030-01-01T02:00:00.5+01:00' },
      spec: podSpec({}, { resources: { limits: { cpu: 0.5, memory: '1024Mi' } } }),
    }).object as ReturnType<typeof JSON.parse>;
    expect(pod.metadata.deletionTimestamp).to.equal('2030-01-01T01:00:00Z');
    expect(pod.spec.containers[0].resources.limits).to.deep.equal({ cpu: '500m', memory: '1Gi' });
    const lease = { metadata: { name: 'l' }, spec: { renewTime: '2030-01-01T02:00:00.123456+01:00' } };
    expect(kinds.decode('Lease', lease).object.spec).to.deep.equal({ renewTime: '2030-01-01T01:00:00.123456Z' });
    expect(kinds.refusal('Lease', { spec: { renewTime: '2030-01-01T00:00:00.5Z' } })).to.contain(
      'cannot parse ".5Z" as ".000000"',
    );
  });

  it('a body is not changed, and nothing of it is shared with the result', () => {
    const body = Object.freeze({
      metadata: Object.freeze({ name: 'c' }),
      data: Object.freeze({ a: '1' }),
      revision: 1,
    });
    const { object } = kinds.decode('ControllerRevision', body);
    expect(object.data).to.deep.equal({ a: '1' });
    expect(object.data).not.to.equal(body.data);
  });
});
