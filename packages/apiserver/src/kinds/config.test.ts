import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Kinds } from './harness.test.js';

const kinds = new Kinds();
const IMMUTABLE = 'Forbidden: field is immutable when `immutable` is set';

describe('Secret and ConfigMap', () => {
  it('DF-1 stringData is folded into data and the type defaults to Opaque', () => {
    const { object, errors } = kinds.create('Secret', {
      metadata: { name: 's' },
      data: { a: 'eA==', z: 'eg==' },
      stringData: { a: 'b' },
    });
    expect(errors).to.deep.equal([]);
    expect(object).to.deep.include({ type: 'Opaque', data: { a: 'Yg==', z: 'eg==' } });
    expect(object).not.to.have.property('stringData');
  });

  it('DF-1 an immutable object keeps its data and stays immutable', () => {
    for (const kind of ['Secret', 'ConfigMap']) {
      const { object: old } = kinds.create(kind, { metadata: { name: 's' }, data: { a: 'eA==' }, immutable: true });
      expect(
        kinds.update(kind, old, { metadata: { name: 's' }, data: { a: 'eg==' }, immutable: true }).errors,
      ).to.deep.equal([`data: ${IMMUTABLE}`]);
      expect(kinds.update(kind, old, { metadata: { name: 's' }, data: { a: 'eA==' } }).errors).to.deep.equal([
        `immutable: ${IMMUTABLE}`,
      ]);
      expect(
        kinds.update(kind, old, { metadata: { name: 's', labels: { l: 'v' } }, data: { a: 'eA==' }, immutable: true })
          .errors,
      ).to.deep.equal([]);
    }
  });

  it('DF-1 the type of a Secret is for life', () => {
    const { object: old } = kinds.create('Secret', { metadata: { name: 's' } });
    expect(kinds.update('Secret', old, { type: 'other' }).errors).to.deep.equal([
      'type: Invalid value: "other": field is immutable',
    ]);
  });

  it('DF-1 well-known types need their keys', () => {
    expect(kinds.create('Secret', { type: 'kubernetes.io/tls' }).errors).to.deep.equal([
      'data[tls.crt]: Required value',
      'data[tls.key]: Required value',
    ]);
  });

  it('DF-1 keys are checked, and 1 MiB is the most', () => {
    const { errors } = kinds.create('ConfigMap', { data: { 'a/b': '', '..': '' } });
    expect(errors[0]).to.match(/^data\[a\/b\]: Invalid value: "a\/b": a valid config key must consist of/);
    expect(errors[1]).to.equal(`data[..]: Invalid value: "..": must not be '..'`);
    const big = kinds.create('ConfigMap', { data: { a: 'x'.repeat(1024 * 1024 + 1) } });
    expect(big.errors).to.deep.equal(['[]: Too long: may not be more than 1048576 bytes']);
    expect(kinds.create('ConfigMap', { data: { a: 'x'.repeat(1024 * 1024) } }).errors).to.deep.equal([]);
  });
});
