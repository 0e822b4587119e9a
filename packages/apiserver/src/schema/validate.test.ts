import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { JsonValue, Schema, SchemaSource } from '../core/types.js';
import { validateListTypes } from './list-types.js';
import { validateValue, type ValidateOptions } from './validate.js';

const plain: SchemaSource = { root: {}, resolve: (node) => node };

function errors(spec: Schema, value: JsonValue, options?: ValidateOptions): string[] {
  const schema: Schema = { type: 'object', properties: { spec } };
  return validateValue(plain, { spec: value }, schema, options).map((e) => `${e.type} ${e.field}: ${e.message}`);
}

describe('validation of values', () => {
  const rows: [string, Schema, JsonValue, string[]][] = [
    [
      'a wrong type',
      { type: 'integer' },
      'x',
      ['FieldValueTypeInvalid spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    ],
    [
      'a minimum',
      { type: 'integer', minimum: 1 },
      0,
      ['FieldValueInvalid spec: Invalid value: 0: spec in body should be greater than or equal to 1'],
    ],
    [
      'an exclusive maximum',
      { type: 'integer', maximum: 5, exclusiveMaximum: true },
      5,
      ['FieldValueInvalid spec: Invalid value: 5: spec in body should be less than 5'],
    ],
    [
      'a factor',
      { type: 'number', multipleOf: 0.5 },
      0.7,
      ['FieldValueInvalid spec: Invalid value: 0.7: spec in body should be a multiple of 0.5'],
    ],
    [
      'a pattern',
      { type: 'string', pattern: '^[a-z]+$' },
      'A',
      ['FieldValueInvalid spec: Invalid value: "A": spec in body should match \'^[a-z]+$\''],
    ],
    [
      'a short text',
      { type: 'string', minLength: 1 },
      '',
      ['FieldValueInvalid spec: Invalid value: "": spec in body should be at least 1 chars long'],
    ],
    [
      'a long text',
      { type: 'string', maxLength: 2 },
      'abc',
      ['FieldValueTooLong spec: Too long: may not be more than 2 bytes'],
    ],
    [
      'too many items',
      { type: 'array', maxItems: 2, items: { type: 'integer' } },
      [1, 2, 3],
      ['FieldValueTooMany spec: Too many: 3: must have at most 2 items'],
    ],
    [
      'too few items',
      { type: 'array', minItems: 1, items: {} },
      [],
      ['FieldValueInvalid spec: Invalid value: 0: spec in body should have at least 1 items'],
    ],
    [
      'too few members',
      { type: 'object', minProperties: 1 },
      {},
      ['FieldValueInvalid spec: Invalid value: 0: spec in body should have at least 1 properties'],
    ],
    [
      'an enumeration',
      { type: 'string', enum: ['a', 'b'] },
      'z',
      ['FieldValueNotSupported spec: Unsupported value: "z": supported values: "a", "b"'],
    ],
    ['a missing member', { type: 'object', required: ['a'] }, {}, ['FieldValueRequired spec.a: Required value']],
    [
      'an int32',
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec'],
    ],
    [
      'a format',
      { type: 'string', format: 'ipv4' },
      '1.2.3',
      ['FieldValueTypeInvalid spec: Invalid value: "1.2.3": spec in body must be of type ipv4: "1.2.3"'],
    ],
    ['a format nobody knows', { type: 'string', format: 'shoe-size' }, 'x', []],
    ['a number for int-or-string', { 'x-kubernetes-int-or-string': true }, 5, []],
    [
      'a list for int-or-string',
      { 'x-kubernetes-int-or-string': true },
      [],
      ['FieldValueTypeInvalid spec: Invalid value: "array": spec in body must be of type integer,string: "array"'],
    ],
    [
      'null',
      { type: 'string' },
      null,
      ['FieldValueTypeInvalid spec: Invalid value: "null": spec in body must be of type string: "null"'],
    ],
    ['a nullable null', { type: 'string', nullable: true }, null, []],
    ['characters outside the basic plane, which count once', { type: 'string', maxLength: 1 }, '😀', []],
  ];
  for (const [what, schema, value, expected] of rows) {
    it(`VA-1 ${what}`, () => {
      expect(errors(schema, value)).to.deep.equal(expected);
    });
  }

  it('VA-1 names keys of maps and items of lists', () => {
    const schema: Schema = {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'integer', minimum: 1 } },
    };
    expect(errors(schema, { k: [1, 0] })).to.deep.equal([
      'FieldValueInvalid spec.k[1]: Invalid value: 0: spec.k[1] in body should be greater than or equal to 1',
    ]);
  });

  it('VA-2 says how many alternatives fitted, and why the nearest did not', () => {
    const one: Schema = { oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(errors({ type: 'object', ...one }, {})[0]).to.equal(
      'FieldValueInvalid <nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
    );
    expect(errors({ type: 'object', ...one }, { a: 1, b: 1 })).to.deep.equal([
      'FieldValueInvalid <nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
    expect(errors({ type: 'object', ...one }, { a: 1 })).to.deep.equal([]);
    expect(errors({ type: 'object', anyOf: one.oneOf as Schema[] }, {})).to.deep.equal([
      'FieldValueInvalid <nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'FieldValueRequired spec.a: Required value',
    ]);
    expect(errors({ type: 'object', not: { required: ['a'] } }, { a: 1 })).to.deep.equal([
      'FieldValueInvalid <nil>: Invalid value: "": "spec" must not validate the schema (not)',
    ]);
  });

  it('VA-4 tolerates what was invalid before and did not change', () => {
    const schema: Schema = {
      type: 'object',
      required: ['a'],
      properties: { size: { type: 'integer', minimum: 1 }, other: { type: 'string' } },
    };
    expect(errors(schema, { size: 0 }, { old: { spec: { size: 0 } } })).to.deep.equal([]);
    expect(errors(schema, { size: 0, other: 'x' }, { old: { spec: { size: 0 } } })).to.deep.equal([
      'FieldValueRequired spec.a: Required value',
    ]);
    expect(errors(schema, { a: 1, size: -1 }, { old: { spec: { size: 0 } } })).to.have.length(1);
  });

  it('VA-4 finds the old item of a keyed list wherever it stood', () => {
    const item: Schema = {
      type: 'object',
      properties: { name: { type: 'string' }, n: { type: 'integer', minimum: 1 } },
    };
    const list: Schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: item,
    };
    const old = { spec: [{ name: 'a', n: 0 }] };
    expect(
      errors(
        list,
        [
          { name: 'b', n: 1 },
          { name: 'a', n: 0 },
        ],
        { old },
      ),
    ).to.deep.equal([]);
    expect(
      errors(
        { type: 'array', items: item },
        [
          { name: 'b', n: 1 },
          { name: 'a', n: 0 },
        ],
        { old },
      ),
    ).to.have.length(1);
  });

  it('VA-5 leaves the prefix of a part out of the text, not out of the field', () => {
    const schema: Schema = { type: 'object', properties: { phase: { type: 'string' } } };
    const [error] = validateValue(plain, { phase: 5 }, schema, { prefix: 'status' });
    expect(error).to.deep.equal({
      type: 'FieldValueTypeInvalid',
      field: 'status.phase',
      message: 'Invalid value: "integer": phase in body must be of type string: "integer"',
    });
  });
});

describe('list types', () => {
  const check = (schema: Schema, value: JsonValue): string[] => {
    const source: SchemaSource = { root: { type: 'object', properties: { items: schema } }, resolve: (node) => node };
    return validateListTypes(source, { items: value }).map((e) => `${e.field}: ${e.message}`);
  };

  it('VA-1 reports the second of equal items once', () => {
    const set: Schema = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
    expect(check(set, ['a', 'b', 'a', 'a'])).to.deep.equal(['items[2]: Duplicate value: "a"']);
  });

  it('VA-1 shows the keys of a repeated item', () => {
    const map: Schema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'name'],
      items: { type: 'object' },
    };
    expect(
      check(map, [
        { name: 'a', port: 1, v: 1 },
        { name: 'a', port: 1, v: 2 },
        { name: 'a', port: 2 },
      ]),
    ).to.deep.equal(['items[1]: Duplicate value: {"name":"a","port":1}']);
  });
});
