import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parse, parseAllDocuments } from 'yaml';
import { toYaml } from './yaml.js';

describe('YAML output', () => {
  it('GEN-2 sorts keys, the usual ones of the root first, and ends with one line end', () => {
    expect(
      toYaml({ spec: { b: 1, a: [{ d: 1, c: 2 }] }, kind: 'K', metadata: {}, apiVersion: 'v1', Z: 1, A: [] }),
    ).to.equal('apiVersion: v1\nkind: K\nmetadata: {}\nspec:\n  a:\n  - c: 2\n    d: 1\n  b: 1\nA: []\nZ: 1\n');
  });

  it('GEN-3 quotes every string that some reader takes for another type', () => {
    const hostile = [
      'yes',
      'No',
      'on',
      'null',
      '~',
      '1e3',
      '0o14',
      '0123',
      '12:30',
      '1_000',
      '0x1F',
      '2026-01-01',
      '1.10',
      '=',
      '<<',
      '',
      ' a',
      'a: b',
      '- a',
      '#',
      '.inf',
      '\u2028',
      '\u0085',
      '\ufeff',
      'a\tb',
    ];
    for (const text of hostile) {
      const yaml = toYaml({ a: text });
      expect(yaml, text).to.match(/^a: "/);
      for (const version of ['1.1', '1.2'] as const) expect(parse(yaml, { version }), yaml).to.deep.equal({ a: text });
    }
    for (const text of ['PodSet', '.spec.replicas', 'a b', 'apiextensions.k8s.io/v1', 'x-y_z/1'])
      expect(toYaml({ a: text })).to.equal(`a: ${text}\n`);
  });

  it('GEN-4 writes several lines as a block, and refuses numbers that would change', () => {
    expect(toYaml({ a: 'x\ny' })).to.equal('a: |-\n  x\n  y\n');
    expect(toYaml({ a: -0, b: 0.1, c: 12 })).to.equal('a: 0\nb: 0.1\nc: 12\n');
    expect(() => toYaml({ a: 2 ** 60 })).to.throw(RangeError);
    expect(() => toYaml({ a: NaN })).to.throw(RangeError);
  });

  it('writes comments before the objects they are for', () => {
    const first = { b: 1 };
    expect(toYaml({ list: [first, { c: 2 }] }, new Map([[first, 'the first']]))).to.equal(
      'list:\n# the first\n- b: 1\n- c: 2\n',
    );
  });

  it('separates documents', () => {
    expect(parseAllDocuments(toYaml([{ a: 1 }, { b: 2 }]))).to.have.length(2);
  });

  it('GEN-5 any text is read back the same as YAML 1.1 and 1.2', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (value) => {
        const yaml = toYaml({ value });
        for (const version of ['1.1', '1.2'] as const)
          expect(parse(yaml, { version })).to.deep.equal({ value: { ...value } });
      }),
      { numRuns: 500 },
    );
  });
});
