import { expect } from 'chai';
import { describe, it } from 'mocha';
import { StatusError } from '../core/errors.js';
import { bodyFormat, negotiate, parseMediaTypes, patchType } from './negotiate.js';

function status(run: () => unknown): { code: number; message: string; details: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError)
      return { code: error.code, message: error.message, details: error.status.details };
    throw error;
  }
  throw new Error('nothing was thrown');
}

const BODIES = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const KUBECTL_GET =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

describe('Content negotiation', () => {
  it('CN-1 takes JSON, YAML and protobuf; no Content-Type is JSON', () => {
    expect(bodyFormat(undefined)).to.equal('json');
    expect(bodyFormat('application/json; charset=utf-8')).to.equal('json');
    expect(bodyFormat('application/yaml')).to.equal('yaml');
    expect(bodyFormat('application/vnd.kubernetes.protobuf')).to.equal('protobuf');
    expect(status(() => bodyFormat('text/plain'))).to.deep.equal({
      code: 415,
      message: `the body of the request was in an unknown format - accepted media types include: ${BODIES}`,
      details: undefined,
    });
  });

  it('CN-2 tells patches apart by their type; custom resources take no strategic ones', () => {
    expect(patchType('application/strategic-merge-patch+json', false)).to.equal('strategic');
    expect(patchType('application/apply-patch+yaml', true)).to.equal('apply');
    expect(status(() => patchType('application/json', false))).to.deep.equal({
      code: 415,
      message: '415: Unsupported Media Type',
      details: {},
    });
    const custom = status(() => patchType('application/strategic-merge-patch+json', true));
    expect(custom.message).to.contain(
      'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
    expect(custom.details).to.equal(undefined);
  });

  it('CN-3 takes the first clause that can be served', () => {
    expect(negotiate(undefined, 'builtin')).to.include({ format: 'json', as: undefined });
    expect(negotiate(KUBECTL_GET, 'builtin')).to.include({ as: 'Table', asVersion: 'v1' });
    expect(negotiate('application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'custom')).to.include({
      as: 'Table',
      asVersion: 'v1beta1',
    });
    expect(negotiate('application/json;as=Nope;v=v1;g=meta.k8s.io,application/json', 'builtin')).to.include({
      as: undefined,
    });
    expect(negotiate('application/vnd.kubernetes.protobuf,application/json', 'builtin')).to.include({ format: 'json' });
    expect(negotiate('application/yaml', 'custom')).to.include({ format: 'yaml' });
    expect(negotiate('text/html;q=0.9,application/yaml;q=0.5,*/*;q=0.8', 'builtin')).to.include({ format: 'json' });
  });

  it('CN-4 refuses what it cannot write, in the words of the kind', () => {
    expect(status(() => negotiate('text/plain', 'custom'))).to.deep.equal({
      code: 406,
      message: `only the following media types are accepted: ${BODIES}`,
      details: undefined,
    });
    const builtin = status(() => negotiate('text/plain', 'builtin-list'));
    expect(builtin.message).to.equal(
      `406: Not Acceptable\n\nAvailable representations: ${BODIES}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
    );
    expect(builtin.details).to.deep.equal({});
    expect(status(() => negotiate('application/vnd.kubernetes.protobuf', 'builtin')).message).to.match(
      /^only the following/,
    );
  });

  it('reads parameters and quality of media types', () => {
    expect(parseMediaTypes('a/b; q=0.1, C/D;X="y"')).to.deep.equal([
      { type: 'c/d', params: { x: 'y' }, quality: 1 },
      { type: 'a/b', params: { q: '0.1' }, quality: 0.1 },
    ]);
  });
});
