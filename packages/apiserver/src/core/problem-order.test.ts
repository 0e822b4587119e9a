import { expect } from 'chai';
import { describe, it } from 'mocha';
import { inOrder } from './problem-order.js';

describe('order of decoding problems', () => {
  it('QP-12 is that of the document', () => {
    const document = { metadata: { labels: { 'a.b/c': 'x' } }, spec: { odd: 1, replicas: 2, list: [{}, { odd: 1 }] } };
    const problems = [
      'duplicate field "spec.replicas"',
      'duplicate field "metadata.labels.a.b/c"',
      'unknown field "spec.list[1].odd"',
      'unknown field "spec.odd"',
    ];
    expect(inOrder(problems, document)).to.deep.equal([
      'duplicate field "metadata.labels.a.b/c"',
      'unknown field "spec.odd"',
      'duplicate field "spec.replicas"',
      'unknown field "spec.list[1].odd"',
    ]);
  });

  it('QP-12 stays as it is where a field cannot be found', () => {
    const problems = ['yaml: unmarshal errors:\n  line 2: key "a" already set', 'unknown field "b"'];
    expect(inOrder(problems, [])).to.deep.equal(problems);
  });
});
