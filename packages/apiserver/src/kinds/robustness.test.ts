import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isStatusError } from '../core/errors.js';
import type { JsonValue, Schema } from '../core/types.js';
import { builtinDefinition } from '../schema/builtin.js';
import { type AnyJson, Kinds } from './harness.test.js';

const kinds = new Kinds();

/** Values that fit a schema more or less: members left out, null, empty, and now and then of a wrong type. */
function valueOf(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  const fitting = fittingValue(schema, depth);
  return fc.oneof(
    { weight: 400, arbitrary: fitting },
    { weight: 20, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue> },
  );
}

function fittingValue(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  if (schema.$ref !== undefined) return fittingValue(builtinDefinition(schema.$ref), depth);
  if (schema.enum) return fc.constantFrom(...schema.enum, 'Nonsense');
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(fc.integer(), fc.constantFrom('25%', 'web', ''));
  switch (schema.type) {
    case 'string':
      if (schema.format) return fc.constant(EXAMPLES[schema.format] ?? 'a');
      return fc.constantFrom('', 'a', 'A_b', 'example.com/x', '__proto__');
    case 'integer':
      return fc.constantFrom(0, 1, -1, 80, 70_000);
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return depth <= 0 ? fc.constant([]) : fc.array(valueOf(schema.items ?? {}, depth - 1), { maxLength: 2 });
    default:
      return objectOf(schema, depth);
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  quantity: '1Gi',
  byte: 'eA==',
  'date-time': '2030-01-01T00:00:00Z',
  'date-time-micro': '2030-01-01T00:00:00.000000Z',
};

function objectOf(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  if (depth <= 0) return fc.constant({});
  if (typeof schema.additionalProperties === 'object') {
    return fc.dictionary(fc.constantFrom('a', 'cpu', 'x/y', '..'), valueOf(schema.additionalProperties, depth - 1), {
      maxKeys: 2,
    });
  }
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'kind' && name !== 'apiVersion');
  const record = fc.record(Object.fromEntries(members.map(([name, member]) => [name, valueOf(member, depth - 1)])), {
    requiredKeys: [],
  });
  return record as fc.Arbitrary<JsonValue>;
}

describe('built-in kinds take any body', () => {
  for (const resource of kinds.resources) {
    const what = `${resource.group}/${resource.kind}`;
    it(`DF-6 ${what}: answers 400, or errors, or an object that decodes to itself`, () => {
      const schema = resource.versions[0]?.schema?.root ?? {};
      const check = (body: AnyJson): void => {
        let made;
        try {
          made = kinds.create(resource.kind, body, resource.group);
        } catch (error) {
          if (isStatusError(error) && error.code === 400) return;
          throw error;
        }
        for (const column of resource.versions[0]?.columns ?? []) column.cell(made.object, 0);
        if (made.errors.length) return;
        const again = kinds.decode(resource.kind, made.object, resource.group);
        expect(again.problems).to.deep.equal([]);
        expect(again.object).to.deep.equal(made.object);
      };
      fc.assert(fc.property(objectOf(schema, 7), check), { numRuns: 60, seed: 7 });
    });
  }
});
