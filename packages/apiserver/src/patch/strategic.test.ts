import { expect } from 'chai';
import { describe, it } from 'mocha';
import { deepFreeze } from '../core/json.js';
import type { JsonObject, Schema } from '../core/types.js';
import { typingOf } from '../schema/typing.js';
import { jsonPatch } from './json-patch.js';
import { mergePatch } from './merge-patch.js';
import { strategicPatch } from './strategic.js';

const text: Schema = { type: 'string' };
const env: Schema = { type: 'object', properties: { name: text, value: text } };
const container: Schema = {
  type: 'object',
  properties: {
    name: text,
    image: text,
    args: { type: 'array', items: text },
    env: { type: 'array', items: env, 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge' },
  },
};
const root: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        containers: {
          type: 'array',
          items: container,
          'x-kubernetes-patch-merge-key': 'name',
          'x-kubernetes-patch-strategy': 'merge',
        },
        strategy: {
          type: 'object',
          properties: { type: text, rollingUpdate: { type: 'object', properties: { a: text } } },
          'x-kubernetes-patch-strategy': 'retainKeys',
        },
        rules: { type: 'array', items: env },
        labels: { type: 'object', additionalProperties: text },
      },
    },
  },
};
const typing = typingOf({ root, resolve: (node) => node });
const patched = (spec: JsonObject, patch: JsonObject): unknown =>
  strategicPatch(deepFreeze({ spec }), { spec: patch }, typing).spec;

describe('strategic merge patch', () => {
  const containers = [
    {
      name: 'a',
      image: '1',
      args: ['x', 'y'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    },
    { name: 'b', image: '1' },
  ];

  it('PT-2 merges list items by their key and replaces lists without one', () => {
    const patch = {
      containers: [
        {
          name: 'a',
          args: ['z'],
          env: [
            { name: 'B', value: '3' },
            { name: 'C', value: '4' },
          ],
        },
      ],
      rules: [{ name: 'r' }],
    };
    expect(patched({ containers, rules: [{ name: 'x' }, { name: 'y' }] }, patch)).to.deep.equal({
      containers: [
        {
          name: 'a',
          image: '1',
          args: ['z'],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '3' },
            { name: 'C', value: '4' },
          ],
        },
        containers[1],
      ],
      rules: [{ name: 'r' }],
    });
  });

  it('PT-2 puts new items in front', () => {
    const result = patched({ containers }, { containers: [{ name: 'new', image: '2' }] }) as {
      containers: { name: string }[];
    };
    expect(result.containers.map((c) => c.name)).to.deep.equal(['new', 'a', 'b']);
  });

  it('PT-2 $setElementOrder orders the merged list', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [{ name: 'a', image: '2' }],
    };
    const result = patched({ containers }, patch) as { containers: { name: string; image: string }[] };
    expect(result.containers.map((c) => c.name + c.image)).to.deep.equal(['b1', 'a2']);
  });

  it('PT-2 $patch deletes an item, replaces a list or a map', () => {
    expect(patched({ containers }, { containers: [{ name: 'a', $patch: 'delete' }] })).to.deep.equal({
      containers: [containers[1]],
    });
    expect(patched({ containers }, { containers: [{ name: 'n' }, { $patch: 'replace' }] })).to.deep.equal({
      containers: [{ name: 'n' }],
    });
    expect(patched({ labels: { a: '1' } }, { labels: { $patch: 'replace', b: '2' } })).to.deep.equal({
      labels: { b: '2' },
    });
  });

  it('PT-2 $retainKeys drops the other members', () => {
    const patch = { strategy: { $retainKeys: ['type'], type: 'Recreate' } };
    expect(patched({ strategy: { type: 'RollingUpdate', rollingUpdate: { a: '1' } } }, patch)).to.deep.equal({
      strategy: { type: 'Recreate' },
    });
  });

  it('PT-2 merges primitive lists and deletes from them', () => {
    const metadata = { finalizers: ['a/a', 'b/b'] };
    const result = strategicPatch(
      { metadata },
      { metadata: { finalizers: ['c/c', 'a/a'], '$deleteFromPrimitiveList/finalizers': ['b/b'] } },
      typing,
    );
    expect(result.metadata).to.deep.equal({ finalizers: ['c/c', 'a/a'] });
  });

  it('PT-2 a map that is not there yet is taken as it is, and not at all with a directive', () => {
    const document = deepFreeze<JsonObject>({ spec: {} });
    const labelled = (labels: JsonObject): unknown => strategicPatch(document, { spec: { labels } }, typing);
    expect(labelled({ $patch: 'replace', q: 'r' })).to.deep.equal({ spec: {} });
    expect(labelled({ $patch: 'merge', q: 'r' })).to.deep.equal({ spec: {} });
    expect(labelled({ q: 'r', gone: null })).to.deep.equal({ spec: { labels: { q: 'r' } } });
  });

  it('PT-2 a map that is there can be replaced or deleted, nothing else', () => {
    const document = deepFreeze<JsonObject>({ spec: { labels: { a: 'b' } } });
    expect(() => strategicPatch(document, { spec: { labels: { $patch: 'merge', q: 'r' } } }, typing)).to.throw(
      'unknown patch type: merge in map: map[$patch:merge q:r]',
    );
  });

  it('PT-1 PT-2 a patch that is null changes nothing, a merge patch may not be null', () => {
    const document = deepFreeze<JsonObject>({ spec: {} });
    expect(strategicPatch(document, null, typing)).to.equal(document);
    expect(jsonPatch(document, null)).to.equal(document);
    expect(() => mergePatch(document, null)).to.throw('Invalid JSON Patch');
    expect(() => strategicPatch(document, [], typing)).to.throw(/^json: cannot unmarshal array into/);
  });

  it('PT-2 null removes a member', () => {
    expect(patched({ labels: { a: '1', b: '2' } }, { labels: { a: null } })).to.deep.equal({ labels: { b: '2' } });
  });

  it('an item without its key is refused with the name of the key', () => {
    expect(() => patched({ containers }, { containers: [{ image: '2' }] })).to.throw(
      'map: map[image:2] does not contain declared merge key: name',
    );
  });

  it('a list or map of another type is refused', () => {
    const refused = (patch: JsonObject, why: string): void => {
      expect(() => patched({ containers }, patch)).to.throw(` "" is invalid: patch: Invalid value: "map[spec:${why}`);
    };
    refused({ containers: 'x' }, 'map[containers:x]]": cannot restore slice from string');
    refused({ labels: ['x'] }, 'map[labels:[x]]]": cannot restore map from slice');
  });
});

describe('merge patch', () => {
  it('PT-1 merges maps, replaces lists and removes nulls', () => {
    const document = deepFreeze({ a: { b: 1, c: [1] }, d: 1 });
    expect(mergePatch(document, { a: { b: null, c: [2], e: { f: null, g: 1 } }, d: null })).to.deep.equal({
      a: { c: [2], e: { g: 1 } },
    });
  });

  it('ER-12 a patch that is no object cannot be decoded', () => {
    expect(() => mergePatch({}, [])).to.throw(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    );
  });

  it('a member called __proto__ is data', () => {
    const result = mergePatch({}, JSON.parse('{"a":{"__proto__":{"x":1}}}') as JsonObject);
    expect(JSON.stringify(result)).to.equal('{"a":{"__proto__":{"x":1}}}');
    expect((result.a as { x?: number }).x).to.equal(undefined);
  });
});
