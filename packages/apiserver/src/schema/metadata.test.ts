import { expect } from 'chai';
import { describe, it } from 'mocha';
import { MetadataError, readMetadata } from './metadata.js';

describe('metadata of custom resources', () => {
  it('CR-6 drops what is unknown, with its path, and what is empty', () => {
    const unknown: string[] = [];
    const owner = { apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', extra: 1 };
    const metadata = readMetadata(
      {
        name: 'n',
        labels: {},
        annotations: { a: '' },
        finalizers: [],
        generation: 0,
        creationTimestamp: null,
        foo: 1,
        ownerReferences: [owner],
      },
      'metadata',
      unknown,
    );
    expect(metadata).to.deep.equal({
      name: 'n',
      annotations: { a: '' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' }],
    });
    expect(unknown).to.deep.equal(['metadata.foo', 'metadata.ownerReferences[0].extra']);
  });

  it('CR-6 refuses wrong types', () => {
    const read = (value: Parameters<typeof readMetadata>[0]) => () => readMetadata(value, 'metadata', []);
    expect(read({ labels: { a: 1 } })).to.throw(
      MetadataError,
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
    expect(read({ labels: [] })).to.throw(
      MetadataError,
      'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string',
    );
    expect(read({ finalizers: 'x' })).to.throw(MetadataError, 'ObjectMeta.finalizers of type []string');
    expect(read('x')).to.throw(MetadataError, 'json: cannot unmarshal string into Go value of type v1.ObjectMeta');
  });
});
