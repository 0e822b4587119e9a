import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { JsonObject, Schema, SchemaSource } from '../core/types.js';
import { fillDefaults } from './defaults.js';
import { pruneInPlace } from './prune.js';

const source = (spec: Schema): SchemaSource => ({
  root: { type: 'object', properties: { spec } },
  resolve: (node) => node,
});

function pruned(spec: Schema, value: JsonObject): { value: JsonObject; unknown: string[] } {
  const object = { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'n' }, spec: structuredClone(value) };
  const unknown: string[] = [];
  pruneInPlace(source(spec), object, { unknown });
  return { value: object.spec, unknown };
}

const text: Schema = { type: 'string' };

describe('pruning', () => {
  it('CR-6 removes unknown fields at any depth and reports their paths', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { a: text } } },
        map: { type: 'object', additionalProperties: { type: 'object', properties: { b: text } } },
      },
    };
    const result = pruned(schema, { list: [{ a: '1', x: 1 }], map: { k: { b: '2', y: 1 } }, z: 1 });
    expect(result.value).to.deep.equal({ list: [{ a: '1' }], map: { k: { b: '2' } } });
    expect(result.unknown).to.deep.equal(['spec.list[0].x', 'spec.map.k.y', 'spec.z']);
  });

  it('CR-6 keeps unknown fields where the schema says so, and prunes again below specified fields', () => {
    const schema: Schema = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'object', properties: { a: text } } },
    };
    const result = pruned(schema, { free: { any: [1] }, known: { a: '1', x: 1 } });
    expect(result.value).to.deep.equal({ free: { any: [1] }, known: { a: '1' } });
    expect(result.unknown).to.deep.equal(['spec.known.x']);
  });

  it('CR-6 drops a null without a default, keeps a nullable one, and leaves one with a default for defaulting', () => {
    const schema: Schema = {
      type: 'object',
      properties: { a: text, b: { ...text, nullable: true }, c: { ...text, default: 'x' } },
    };
    const { value } = pruned(schema, { a: null, b: null, c: null });
    expect(value).to.deep.equal({ b: null, c: null });
    fillDefaults(source(schema), value, schema);
    expect(value).to.deep.equal({ b: null, c: 'x' });
  });

  it('leaves the type and the metadata of the resource alone', () => {
    const object = { apiVersion: 'a/v1', kind: 'K', metadata: { name: 'n', strange: 1 } };
    pruneInPlace(source({ type: 'object' }), object, { unknown: [] });
    expect(object).to.deep.equal({ apiVersion: 'a/v1', kind: 'K', metadata: { name: 'n', strange: 1 } });
  });
});

describe('defaults', () => {
  it('CR-6 fills fields below objects that exist, in lists and maps too', () => {
    const item: Schema = { type: 'object', properties: { size: { type: 'integer', default: 3 } } };
    const schema: Schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: item },
        map: { type: 'object', additionalProperties: item },
        absent: item,
        made: { ...item, default: {} },
      },
    };
    const value: JsonObject = { list: [{}, { size: 1 }], map: { k: {} } };
    fillDefaults(source(schema), value, schema);
    expect(value).to.deep.equal({ list: [{ size: 3 }, { size: 1 }], map: { k: { size: 3 } }, made: { size: 3 } });
  });

  it('gives each object a default of its own', () => {
    const schema: Schema = {
      type: 'object',
      properties: { made: { type: 'object', default: { a: [1] }, 'x-kubernetes-preserve-unknown-fields': true } },
    };
    const [one, two]: [JsonObject, JsonObject] = [{}, {}];
    fillDefaults(source(schema), one, schema);
    fillDefaults(source(schema), two, schema);
    (one.made as { a: number[] }).a.push(2);
    expect(two).to.deep.equal({ made: { a: [1] } });
  });
});
