import { expect } from 'chai';
import { describe, it } from 'mocha';
import { StatusError } from '../core/errors.js';
import { goDuration } from './proto-special.js';
import { decodeProtobuf } from './protobuf.js';

// A writer of the wire format, for the tests alone.
const varint = (n: number | bigint): Buffer => {
  let rest = BigInt.asUintN(64, BigInt(n));
  const out: number[] = [];
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  return Buffer.from([...out, Number(rest)]);
};
type Value = number | bigint | string | Buffer | boolean;
const field = (number: number, value: Value): Buffer => {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return Buffer.concat([varint(number * 8), varint(BigInt(value))]);
  }
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
};
const message = (...fields: [number, Value][]): Buffer => Buffer.concat(fields.map(([n, v]) => field(n, v)));
const entry = (key: string, value: Value): Buffer => message([1, key], [2, value]);
const body = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, apiVersion], [2, kind])], [2, raw], [3, ''], [4, ''])]);

function refusal(bytes: Buffer): [number, string] {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof StatusError) return [error.code, error.message];
    throw error;
  }
  throw new Error('it was accepted');
}

const time = (seconds: number, nanos = 0): Buffer => message([1, seconds], [2, nanos]);

describe('Protobuf bodies', () => {
  it('PB-1 reads the envelope and the object in it', () => {
    const meta = message([1, 'cm'], [3, 't'], [11, entry('app', 'x')]);
    const object = decodeProtobuf(
      body('v1', 'ConfigMap', message([1, meta], [2, entry('k', 'v')], [2, entry('é', '')])),
    );
    expect(object).to.deep.equal({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'cm', namespace: 't', labels: { app: 'x' } },
      data: { k: 'v', é: '' },
    });
  });

  it('PB-1 refuses bytes that are no Kubernetes protobuf, or that end too early', () => {
    expect(refusal(Buffer.from('{}'))[0]).to.equal(400);
    const whole = body('v1', 'ConfigMap', message([1, message([1, 'cm'])]));
    // The object takes the eight bytes before the last four.
    for (let length = whole.length - 11; length < whole.length - 4; length++) {
      expect(refusal(whole.subarray(0, length))[0], String(length)).to.equal(400);
    }
  });

  it('PB-3 special messages take their JSON form', () => {
    const meta = message([1, 'l'], [8, time(1_767_323_045)]);
    const lease = message([1, meta], [2, message([1, 'me'], [2, 15], [4, time(1_767_323_045, 123_456_000)])]);
    expect(decodeProtobuf(body('coordination.k8s.io/v1', 'Lease', lease))).to.deep.include({
      metadata: { name: 'l', creationTimestamp: '2026-01-02T03:04:05Z' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.123456Z' },
    });
    const port = (target: Buffer): Buffer => message([1, 'http'], [2, 'TCP'], [3, 80], [4, target]);
    const service = message([
      2,
      message([1, port(message([1, 0], [2, 8080]))], [1, port(message([1, 1], [3, 'web']))]),
    ]);
    const { spec } = decodeProtobuf(body('v1', 'Service', service)) as { spec: { ports: object[] } };
    expect(spec.ports).to.deep.equal([
      { name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 },
      { name: 'http', protocol: 'TCP', port: 80, targetPort: 'web' },
    ]);
    const secret = message([2, entry('a', Buffer.from([0, 1, 255]))]);
    expect(decodeProtobuf(body('v1', 'Secret', secret))).to.deep.include({ data: { a: 'AAH/' } });
    const review = message([2, message([3, 'u'], [4, 'g'], [5, entry('scopes', message([1, 'a'], [1, 'b']))])]);
    expect(decodeProtobuf(body('authorization.k8s.io/v1', 'SubjectAccessReview', review))).to.deep.include({
      spec: { user: 'u', groups: ['g'], extra: { scopes: ['a', 'b'] } },
    });
  });

  it('PB-4 inline members stand in their parent', () => {
    const source = message([6, message([1, 'secret'])]);
    const pod = message([2, message([1, message([1, 'vol'], [2, source])])]);
    expect(decodeProtobuf(body('v1', 'Pod', pod))).to.deep.include({
      spec: { volumes: [{ name: 'vol', secret: { secretName: 'secret' } }] },
    });
    const role = message([1, message([1, 'r'], [5, 'some-uid'])], [2, message([1, 'get'], [2, ''], [3, 'pods'])]);
    expect(decodeProtobuf(body('rbac.authorization.k8s.io/v1', 'Role', role))).to.deep.include({
      metadata: { name: 'r', uid: 'some-uid' },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    });
  });

  it('PB-5 a zero counts where Go has a pointer, and is nothing elsewhere', () => {
    const deployment = (replicas: number): Buffer =>
      message([1, message([1, 'd'], [2, ''], [7, 0])], [2, message([1, replicas], [5, 0])]);
    expect(decodeProtobuf(body('apps/v1', 'Deployment', deployment(0)))).to.deep.include({
      metadata: { name: 'd' },
      spec: { replicas: 0 },
    });
  });

  it('PB-5 reads negative numbers', () => {
    const pod = message([2, message([4, -1], [25, -5n])]);
    expect(decodeProtobuf(body('v1', 'Pod', pod))).to.deep.include({
      spec: { terminationGracePeriodSeconds: -1, priority: -5 },
    });
  });

  it('PB-3 reads schemas of custom resources, and what may stand in place of one', () => {
    const string = message([5, 'string']);
    const schema = message(
      [5, 'object'],
      [8, message([1, '{"a":1}'])],
      [24, message([2, string], [2, string])],
      [30, message([1, true])],
      [29, entry('spec', message([30, message([2, string])]) as never)],
    );
    const version = message([1, 'v1'], [4, message([1, schema])]);
    const crd = decodeProtobuf(
      body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message([2, message([7, version])])),
    );
    expect(crd.spec).to.deep.equal({
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              default: { a: 1 },
              items: [{ type: 'string' }, { type: 'string' }],
              additionalProperties: true,
              properties: { spec: { additionalProperties: { type: 'string' } } },
            },
          },
        },
      ],
    });
  });

  it('PB-6 skips fields it does not know, refuses kinds it does not know', () => {
    const raw = Buffer.concat([
      message([1, message([1, 'cm'])], [999, 'x'], [998, 7]),
      Buffer.from([0xc1, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8]),
    ]);
    expect(decodeProtobuf(body('v1', 'ConfigMap', raw))).to.deep.include({ metadata: { name: 'cm' } });
    expect(refusal(body('demo.example.com/v1', 'Widget', raw))[0]).to.equal(415);
  });

  it('QP-14 reads DeleteOptions of any group version', () => {
    const options = message([1, 0], [4, 'Foreground'], [2, message([1, 'u-1'])]);
    const read = decodeProtobuf(body('apps/v1', 'DeleteOptions', options));
    expect(read).to.deep.include({
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      preconditions: { uid: 'u-1' },
    });
  });

  it('PB-3 prints durations like Go', () => {
    expect([0, 250e6, 1.5e9, 90e9, 3605e9, -2e9, 1500].map(goDuration)).to.deep.equal([
      '0s',
      '250ms',
      '1.5s',
      '1m30s',
      '1h0m5s',
      '-2s',
      '1.5µs',
    ]);
  });
});
