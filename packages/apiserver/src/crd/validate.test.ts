import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { JsonObject, Schema } from '../core/types.js';
import { checkRules } from '../cel/rules.js';
import { approvalStatement } from './approval.js';
import type { CrdSpec, CustomResourceDefinition } from './types.js';
import { validateCrd, validateCrdUpdate } from './validate.js';

const object: Schema = { type: 'object' };

function crd(
  schema: Schema | undefined = object,
  spec: Partial<CrdSpec> = {},
  metadata: JsonObject = {},
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.demo.example.com', ...metadata },
    spec: {
      group: 'demo.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, ...(schema ? { schema: { openAPIV3Schema: schema } } : {}) },
      ],
      conversion: { strategy: 'None' },
      ...spec,
    },
    status: { storedVersions: ['v1'] },
  };
}

const errors = (definition: CustomResourceDefinition): string[] =>
  validateCrd(definition, checkRules).map((e) => `${e.field}: ${e.message}`);
const inSpec = (spec: Schema): string[] =>
  errors(crd({ type: 'object', properties: { spec } })).map((text) =>
    text.replace('spec.validation.openAPIV3Schema.properties[spec]', ''),
  );

describe('validation of definitions', () => {
  it('CR-3 accepts a sound one', () => {
    expect(errors(crd())).to.deep.equal([]);
  });

  it('CR-3 wants the name to be plural and group', () => {
    expect(errors(crd(object, {}, { name: 'x.y' }))).to.deep.equal([
      'metadata.name: Invalid value: "x.y": must be spec.names.plural+"."+spec.group',
    ]);
  });

  it('CR-3 wants a schema in every version', () => {
    const version = { name: 'v1', served: true, storage: true };
    expect(errors(crd(object, { versions: [version] }))).to.deep.equal([
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ]);
  });

  it('CR-3 wants one storage version, and shows the versions otherwise', () => {
    const versions = ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: true,
      schema: { openAPIV3Schema: object },
    }));
    const found = errors(crd(object, { versions }));
    expect(found[0]).to.match(
      /^spec\.versions: Invalid value: \[\{"Name":"v1","Served":true,"Storage":true,.*\]: must have exactly one version marked as storage version$/,
    );
    expect(found[1]).to.equal('status.storedVersions: Invalid value: ["v1"]: must have the storage version v2');
  });

  it('CR-3 wants approval for protected groups', () => {
    const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
    const protectedCrd = (annotations?: Record<string, string>): CustomResourceDefinition =>
      crd(
        object,
        { group: 'demo.k8s.io', names },
        { name: 'widgets.demo.k8s.io', ...(annotations ? { annotations } : {}) },
      );
    expect(errors(protectedCrd())[0]).to.match(
      /^metadata\.annotations\[api-approved\.kubernetes\.io\]: Required value: protected groups must have/,
    );
    expect(errors(protectedCrd({ 'api-approved.kubernetes.io': 'unapproved, for a test' }))).to.deep.equal([]);
  });

  it('CR-3 says in a condition whether a protected group approved', () => {
    const statement = (value?: string): string | undefined => {
      const found = approvalStatement(
        'a.k8s.io',
        value === undefined ? undefined : { 'api-approved.kubernetes.io': value },
      );
      return found && `${found.status} ${found.reason ?? ''}: ${found.message ?? ''}`;
    };
    expect(statement('https://example.com/1')).to.equal('True ApprovedAnnotation: approved in https://example.com/1');
    expect(statement('unapproved, test')).to.equal('False UnapprovedAnnotation: not approved: "unapproved, test"');
    expect(statement()).to.match(/^False MissingAnnotation: protected groups must have approval annotation/);
    expect(approvalStatement('example.com', undefined)).to.equal(undefined);
  });

  it('CR-3 keeps stored versions in the list', () => {
    const definition = crd();
    definition.status = { storedVersions: ['v1', 'v0'] };
    expect(errors(definition)[0]).to.match(
      /^status\.storedVersions\[1\]: Invalid value: "v0": missing from spec\.versions; v0 was previously/,
    );
  });

  it('CR-3 checks the paths of scale and of selectable fields', () => {
    const schema: Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' }, o: object } } },
    };
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: schema },
      subresources: { scale: { specReplicasPath: 'spec.n', statusReplicasPath: '.spec.n' } },
      selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.o' }, { jsonPath: '.spec.zz' }],
    };
    expect(errors(crd(object, { versions: [version] }))).to.deep.equal([
      'spec.subresources.scale.specReplicasPath: Invalid value: "spec.n": must be a simple json path starting with .',
      'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.n": should be a json path under .status',
      'spec.selectableFields[1].jsonPath: Invalid value: ".spec.o": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[2].jsonPath: Invalid value: ".spec.zz": is an invalid path: does not refer to a valid field',
    ]);
  });

  const rules: [string, Schema, string[]][] = [
    [
      'a type',
      { properties: { a: {} } },
      [
        '.properties[a].type: Required value: must not be empty for specified object fields',
        '.type: Required value: must not be empty for specified object fields',
      ],
    ],
    ['items', { type: 'array' }, ['.items: Required value: must be specified']],
    [
      'no types in combinators',
      { type: 'object', anyOf: [{ type: 'string' }] },
      ['.anyOf[0].type: Forbidden: must be empty to be structural'],
    ],
    [
      'properties or additionalProperties',
      { type: 'object', properties: { a: object }, additionalProperties: object },
      ['.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      'no uniqueItems',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ['.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'],
    ],
    [
      'keys that are required or defaulted',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
        items: { type: 'object', properties: { a: { type: 'string' } } },
      },
      [
        '.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    [
      'atomic items in sets',
      { type: 'array', 'x-kubernetes-list-type': 'set', items: object },
      [
        '.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      'valid defaults',
      { type: 'integer', default: 'x' },
      ['.default: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      'pruned defaults',
      { type: 'object', properties: {}, default: { a: 1 } },
      ['.default: Invalid value: {"a":1}: must not have unknown fields'],
    ],
  ];
  for (const [what, schema, expected] of rules) {
    it(`CR-4 wants ${what}`, () => {
      expect(inSpec(schema)).to.deep.equal(expected);
    });
  }

  it('CR-4 wants that what combinators of the root restrict is specified outside', () => {
    const path = 'spec.validation.openAPIV3Schema';
    expect(errors(crd({ type: 'object', oneOf: [{ properties: { a: { minLength: 1 } } }] }))).to.deep.equal([
      `${path}.properties[a]: Required value: because it is defined in ${path}.oneOf[0].properties[a]`,
    ]);
  });

  it('CR-4 takes the two ways to write int-or-string', () => {
    const pair: Schema[] = [{ type: 'integer' }, { type: 'string' }];
    expect(inSpec({ 'x-kubernetes-int-or-string': true, anyOf: pair })).to.deep.equal([]);
    expect(inSpec({ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: pair }, { pattern: '^a$' }] })).to.deep.equal(
      [],
    );
  });

  it('CR-4 lets metadata restrict the name only', () => {
    const metadata: Schema = { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } };
    expect(errors(crd({ type: 'object', properties: { metadata } }))).to.deep.equal([]);
    expect(
      errors(crd({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: object } } } }))[0],
    ).to.match(/properties\[metadata\]: Forbidden/);
  });

  it('CR-8 points at a version where versions differ', () => {
    const bad: Schema = { type: 'object', properties: { a: {} } };
    const versions = [bad, object].map((schema, i) => ({
      name: `v${i + 1}`,
      served: true,
      storage: i === 0,
      schema: { openAPIV3Schema: schema },
    }));
    expect(errors(crd(object, { versions }))).to.deep.equal([
      'spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
    ]);
  });

  it('CR-7 says which rule cannot be compiled, where, and why', () => {
    const rule = (text: string): Schema => ({
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: text }],
    });
    expect(inSpec(rule("self.a == 'x'"))).to.deep.equal([]);
    expect(inSpec(rule('self.b == 1'))[0]).to.match(
      /^\.x-kubernetes-validations\[0\]\.rule: Invalid value: \{"Rule":"self\.b == 1",.*\}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n \| self\.b == 1\n \| \.\.\.\.\^$/s,
    );
    expect(inSpec(rule('nope(self.a)'))[0]).to.match(/: not supported by the embedded server: nope$/);
    expect(inSpec(rule('self.a'))[0]).to.match(/: compilation failed: must evaluate to a bool$/);
    expect(inSpec(rule('other == 1'))[0]).to.contain("undeclared reference to 'other'");
  });

  it('CR-3 does not let an established definition change its kind or scope', () => {
    const old = crd();
    old.status = { ...old.status, conditions: [{ type: 'Established', status: 'True' }] };
    const next = crd(object, { scope: 'Cluster' });
    expect(validateCrdUpdate(next, old, checkRules).map((e) => `${e.field}: ${e.message}`)).to.deep.equal([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
    expect(validateCrdUpdate(next, crd(), checkRules)).to.deep.equal([]);
  });
});
