import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { KubeObject } from '../core/types.js';
import { ListPieces } from './list-pieces.js';

const object = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: { name } });

describe('Pieces of lists', () => {
  const read: string[] = [];
  const item = (one: KubeObject): unknown => {
    read.push(one.metadata.name ?? '');
    return one.metadata.name;
  };
  const counted = (encode: () => Buffer): [string, number] => {
    read.length = 0;
    return [encode().toString(), read.length];
  };

  it('PF-7 the same objects are encoded once, and again when one of them changed, came or went', () => {
    const pieces = new ListPieces();
    const [a, b, c] = [object('a'), object('b'), object('c')];
    expect(counted(() => pieces.encode([a, b], item))).to.deep.equal(['"a","b"', 2]);
    expect(counted(() => pieces.encode([a, b], item))).to.deep.equal(['"a","b"', 0]);
    expect(counted(() => pieces.encode([a, object('b2')], item))).to.deep.equal(['"a","b2"', 2]);
    expect(counted(() => pieces.encode([a, b, c], item))).to.deep.equal(['"a","b","c"', 3]);
    expect(counted(() => pieces.encode([a], item))).to.deep.equal(['"a"', 1]);
  });

  it('PF-7 what was not asked for lately makes room', () => {
    const pieces = new ListPieces(6);
    const [a, b, c] = [object('a'), object('b'), object('c')];
    for (const one of [a, b, a, c]) pieces.encode([one], item);
    expect(counted(() => pieces.encode([a], item))[1]).to.equal(0);
    expect(counted(() => pieces.encode([b], item))[1]).to.equal(1);
  });
});
