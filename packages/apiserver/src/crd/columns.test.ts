import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { KubeObject } from '../core/types.js';
import { customColumns } from './columns.js';
import { compileJsonPath } from './json-path.js';
import { compareVersions } from './version-order.js';

const object: KubeObject = {
  apiVersion: 'a/v1',
  kind: 'K',
  metadata: { name: 'n', creationTimestamp: '2026-01-01T00:00:00Z', labels: { 'a.b/c': 'dotted' } },
  spec: {
    n: 5,
    ratio: 1.5,
    on: false,
    map: { a: 1 },
    list: [
      { name: 'x', v: 1 },
      { name: 'y', v: 2 },
    ],
  },
  status: {
    conditions: [
      { type: 'A', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};

describe('printer columns', () => {
  const cell = (type: string, jsonPath: string): unknown => {
    const [, column] = customColumns([{ name: 'C', type, jsonPath }]);
    return column?.cell(object, Date.parse('2026-01-01T01:00:00Z'));
  };

  it('TV-2 print by type', () => {
    expect(cell('string', '.spec.n')).to.equal('5');
    expect(cell('integer', '.spec.n')).to.equal(5);
    expect(cell('integer', '.spec.ratio')).to.equal(1);
    expect(cell('number', '.spec.ratio')).to.equal(1.5);
    expect(cell('boolean', '.spec.on')).to.equal(false);
    expect(cell('boolean', '.spec.n')).to.equal(null);
    expect(cell('string', '.spec.map')).to.equal('{"a":1}');
    expect(cell('date', '.metadata.creationTimestamp')).to.equal('60m');
    expect(cell('date', '.metadata.name')).to.equal('<invalid>');
    expect(cell('string', '.spec.missing')).to.equal(null);
  });

  it('TV-2 find by JSONPath', () => {
    expect(cell('string', '.status.conditions[?(@.type=="Ready")].status')).to.equal('True');
    expect(cell('string', '.spec.list[1].name')).to.equal('y');
    expect(cell('string', '.spec.list[-1].name')).to.equal('y');
    expect(cell('string', '.spec.list[*].name')).to.equal('x');
    expect(cell('integer', '.spec.list[?(@.v>1)].v')).to.equal(2);
    expect(cell('string', '.metadata.labels.a\\.b/c')).to.equal('dotted');
    expect(cell('string', "['metadata']['name']")).to.equal('n');
    expect(cell('string', '..status')).to.equal(
      '{"conditions":[{"type":"A","status":"False"},{"type":"Ready","status":"True"}]}',
    );
  });

  it('TV-2 are name and age when nobody declared any', () => {
    expect(customColumns(undefined).map((c) => `${c.name} ${c.type}`)).to.deep.equal(['Name string', 'Age date']);
  });

  it('a path that cannot be read says why', () => {
    expect(compileJsonPath('.a[')).to.be.a('string');
    expect(compileJsonPath('.a[?(@.b==)]')).to.be.a('string');
  });
});

describe('order of versions', () => {
  it('DI-4 stable before beta before alpha, high before low, then other names', () => {
    const order = ['v2', 'v1', 'v1beta2', 'v1beta1', 'v1alpha1', 'bar', 'foo'];
    expect([...order].reverse().sort(compareVersions)).to.deep.equal(order);
  });
});
