import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { JsonValue, KubeObject, Schema, ValidationRule } from '../core/types.js';
import { checkRules, compileRules } from './rules.js';

const resource = (spec?: JsonValue): KubeObject => ({
  apiVersion: 'a/v1',
  kind: 'K',
  metadata: { name: 'n', labels: { a: 'b' } },
  ...(spec === undefined ? {} : { spec }),
});

function run(spec: Schema, value: JsonValue, old?: JsonValue): { errors: string[]; warnings: string[] } {
  const root: Schema = { type: 'object', properties: { spec } };
  const found = compileRules(root)?.run(resource(value), old === undefined ? undefined : resource(old));
  return {
    errors: found?.errors.map((e) => `${e.type} ${e.field}: ${e.message}`) ?? [],
    warnings: found?.warnings ?? [],
  };
}

const rules = (...list: (string | ValidationRule)[]): Pick<Schema, 'x-kubernetes-validations'> => ({
  'x-kubernetes-validations': list.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const integer: Schema = { type: 'integer' };
const text: Schema = { type: 'string' };
const sized = (...list: (string | ValidationRule)[]): Schema => ({
  type: 'object',
  properties: { size: integer, limit: integer, mode: text },
  ...rules(...list),
});

describe('validation rules', () => {
  it('CE-1 see self, and oldSelf on updates only', () => {
    const schema = sized('self.size < 10', 'self.size >= oldSelf.size');
    expect(run(schema, { size: 5 }).errors).to.deep.equal([]);
    expect(run(schema, { size: 12 }).errors).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: failed rule: self.size < 10',
    ]);
    expect(run(schema, { size: 4 }, { size: 5 }).errors).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: failed rule: self.size >= oldSelf.size',
    ]);
  });

  it('CE-1 an optional oldSelf is there on creates, too', () => {
    const schema = sized({ rule: "oldSelf.hasValue() || self.mode == 'new'", optionalOldSelf: true });
    expect(run(schema, { mode: 'new' }).errors).to.deep.equal([]);
    expect(run(schema, { mode: 'x' }).errors).to.have.length(1);
    expect(run(schema, { mode: 'x' }, { mode: 'new' }).errors).to.deep.equal([]);
  });

  it('CE-1 a field that appears or disappears has no old value', () => {
    const schema: Schema = { type: 'object', properties: { mode: { ...text, ...rules('self == oldSelf') } } };
    expect(run(schema, { mode: 'b' }, { mode: 'a' }).errors).to.have.length(1);
    expect(run(schema, { mode: 'b' }, {}).errors).to.deep.equal([]);
    expect(run(schema, {}, { mode: 'a' }).errors).to.deep.equal([]);
  });

  it('CE-1 names of properties are escaped', () => {
    const schema: Schema = {
      type: 'object',
      properties: { 'a-b': text, namespace: text, 'x.y/z': text },
      ...rules("self.a__dash__b == self.__namespace__ && self.x__dot__y__slash__z != ''"),
    };
    expect(run(schema, { 'a-b': '1', namespace: '1', 'x.y/z': '2' }).errors).to.deep.equal([]);
  });

  it('CE-1 the root sees the type and the name, and no more of the metadata', () => {
    const root: Schema = {
      type: 'object',
      ...rules("self.metadata.name == 'n' && self.kind == 'K' && !has(self.metadata.generateName)"),
    };
    expect(compileRules(root)?.run(resource(), undefined).errors).to.deep.equal([]);
    expect(checkRules({ type: 'object', ...rules('has(self.metadata.labels)') }, 'p')[0]?.message).to.contain(
      "undefined field 'labels'",
    );
  });

  it('CE-1 sets and keyed lists are equal in any order, other lists are not', () => {
    const item: Schema = { type: 'object', properties: { name: text, v: integer } };
    const lists: Record<string, Schema> = {
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      map: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item },
      list: { type: 'array', items: text },
    };
    const same = (name: string, value: JsonValue, old: JsonValue): boolean =>
      run({ ...(lists[name] as Schema), ...rules('self == oldSelf') }, value, old).errors.length === 0;
    expect(same('set', ['a', 'b'], ['b', 'a'])).to.equal(true);
    expect(same('set', ['a', 'b'], ['b', 'c'])).to.equal(false);
    expect(same('map', [{ name: 'a', v: 1 }, { name: 'b' }], [{ name: 'b' }, { name: 'a', v: 1 }])).to.equal(true);
    expect(same('map', [{ name: 'a', v: 1 }, { name: 'b' }], [{ name: 'b' }, { name: 'a', v: 2 }])).to.equal(false);
    expect(same('list', ['a', 'b'], ['b', 'a'])).to.equal(false);
  });

  it('CE-2 messages, message expressions, reasons and field paths', () => {
    const fail = (rule: Partial<ValidationRule>): string[] =>
      run(sized({ rule: 'false', ...rule }), { size: 4 }).errors;
    expect(fail({ message: ' said ' })).to.deep.equal(['FieldValueInvalid spec: Invalid value: said']);
    expect(fail({ message: 'm', messageExpression: "'is %d'.format([self.size])" })).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: is 4',
    ]);
    expect(fail({ message: 'm', messageExpression: "'two\\nlines'" })).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: m',
    ]);
    expect(fail({ message: 'm', messageExpression: 'self.mode' })).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: m',
    ]);
    expect(fail({ reason: 'FieldValueForbidden', fieldPath: '.size', message: 'm' })).to.deep.equal([
      'FieldValueForbidden spec.size: Forbidden: m',
    ]);
    expect(fail({ reason: 'FieldValueRequired', message: 'm' })).to.deep.equal([
      'FieldValueRequired spec: Required value: m',
    ]);
  });

  it('NM-3 a scalar shows its value', () => {
    expect(run({ ...text, ...rules({ rule: "self != 'x'", message: 'no x' }) }, 'x').errors).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: "x": no x',
    ]);
  });

  it('CE-3 an error while running names the type and the rule', () => {
    expect(run(sized({ rule: 'self.size > 1', message: 'm' }), {}).errors).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: "object": no such key: size evaluating rule: m',
    ]);
  });

  it('CE-4 numbers of both kinds compare, and lists may be mixed', () => {
    const schema: Schema = {
      type: 'object',
      properties: { n: integer, d: { type: 'number' }, s: { 'x-kubernetes-int-or-string': true } },
      ...rules('self.d > self.n', "self.s in ['a', 1]"),
    };
    expect(run(schema, { n: 1, d: 1.5, s: 1 }).errors).to.deep.equal([]);
    expect(run(schema, { n: 1, d: 2, s: 'a' }).errors).to.deep.equal([]);
  });

  it('paths name items and keys', () => {
    const list: Schema = { type: 'array', items: sized('self.size > 0') };
    const schema: Schema = {
      type: 'object',
      properties: { list, map: { type: 'object', additionalProperties: { ...integer, ...rules('self > 0') } } },
    };
    expect(run(schema, { list: [{ size: 1 }, { size: 0 }], map: { k: 0 } }).errors).to.deep.equal([
      'FieldValueInvalid spec.list[1]: Invalid value: failed rule: self.size > 0',
      'FieldValueInvalid spec.map[k]: Invalid value: 0: failed rule: self > 0',
    ]);
  });

  it('VA-4 a rule that fails on an unchanged part warns', () => {
    const schema: Schema = {
      type: 'object',
      properties: { a: { ...text, ...rules({ rule: "self != 'x'", message: 'no x' }) }, b: text },
    };
    expect(run(schema, { a: 'x', b: '2' }, { a: 'x', b: '1' })).to.deep.equal({
      errors: [],
      warnings: ['spec.a: Invalid value: "x": no x'],
    });
    expect(run(schema, { a: 'x' }, { a: 'y' }).errors).to.have.length(1);
  });

  it('CE-4 an expression that takes too many steps fails', () => {
    const list: Schema = {
      type: 'array',
      items: integer,
      ...rules({ rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))', message: 'm' }),
    };
    const found = run(
      list,
      Array.from({ length: 110 }, (_, i) => i),
    );
    expect(found.errors).to.deep.equal([
      'FieldValueInvalid spec: Invalid value: "array": operation cancelled: more than 1000000 steps evaluating rule: m',
    ]);
    expect(run(list, [1, 2]).errors).to.deep.equal([]);
  });

  it('a schema without rules has nothing to run', () => {
    expect(compileRules({ type: 'object', properties: { a: text } })).to.equal(undefined);
  });

  it('oldSelf cannot be used where old items cannot be found', () => {
    const schema: Schema = {
      type: 'object',
      properties: { l: { type: 'array', items: { ...text, ...rules('self == oldSelf') } } },
    };
    expect(checkRules(schema, 'p').find(({ type }) => type === 'FieldValueInvalid')).to.deep.include({
      field: 'p.properties[l].items.x-kubernetes-validations[0].rule',
      message:
        'Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within p.properties[l]',
    });
  });
});

describe('libraries of rules', () => {
  const holds = [
    "self.matches('(?i)^ABC$') && matches(self, '^a')",
    "self.find('[a-b]+') == 'ab' && 'a1b2'.findAll('[0-9]') == ['1', '2'] && 'a1b2'.findAll('[0-9]', 1) == ['1']",
    "self.charAt(1) == 'b' && self.replace('b', 'x') == 'axc' && 'aaa'.replace('a', 'b', 2) == 'bba' && self.reverse() == 'cba'",
    "'%s is %d, %.1f, %x'.format(['a', 1, 1.25, 255]) == 'a is 1, 1.3, ff' && '100%%'.format([]) == '100%'",
    "self.split('').join('-') == 'a-b-c' && self.lowerAscii() == 'abc' && self.substring(1, 2) == 'b'",
    '[1, 2, 3].isSorted() && ![2, 1].isSorted() && [1, 2].sum() == 3 && [3, 1].min() == 1 && [3, 1].max() == 3',
    "['a', 'b'].indexOf('b') == 1 && ['a', 'a'].lastIndexOf('a') == 1 && ['a'].indexOf('z') == -1",
    'sets.contains([1, 2], [1]) && sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 2]) && !sets.intersects([1], [2])',
    "url('https://a.b:80/p?q=1').getHost() == 'a.b:80' && url('https://a.b:80/p').getHostname() == 'a.b' && url('https://a.b:80/p').getPort() == '80'",
    "isURL('https://a/b') && !isURL('a b') && url('https://a/b?x=1').getEscapedPath() == '/b' && url('https://a/b?x=1').getQuery()['x'] == ['1']",
    "isIP('10.0.0.1') && !isIP('10.0.0') && ip('::1').family() == 6 && ip('127.0.0.1').isLoopback() && ip.isCanonical('2001:db8::1')",
    "!ip.isCanonical('2001:DB8::1') && ip('8.8.8.8').isGlobalUnicast() && !ip('169.254.1.1').isGlobalUnicast() && string(ip('2001:db8:0:0:0:0:0:1')) == '2001:db8::1'",
    "isCIDR('10.0.0.0/8') && cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.1.0.0/8').prefixLength() == 8",
    "cidr('10.1.0.0/8') != cidr('10.1.0.0/8').masked() && cidr('10.0.0.0/8').masked() == cidr('10.0.0.0/8')",
    "isQuantity('1.5Gi') && !isQuantity('1.5 Gi') && quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').add(quantity('0.5')) == quantity('1')",
    "quantity('2k').asInteger() == 2000 && !quantity('1m').isInteger() && quantity('1').compareTo(quantity('2')) == -1 && quantity('1e3') == quantity('1k')",
    "isSemver('1.2.3') && !isSemver('v1.2') && isSemver('v1.2', true) && semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && semver('1.10.0').isGreaterThan(semver('1.9.0'))",
    "!format.dns1123Label().validate('a-b').hasValue() && format.dns1123Label().validate('A').hasValue() && format.named('uuid').hasValue()",
    "duration('1h') > duration('59m') && timestamp('2024-01-01T00:00:00Z') < timestamp('2024-01-02T00:00:00Z')",
    "[{'a': [{'b': 1}]}].all(x, has(x.a[0].b))",
    "[1, 2].all(i, v, v == i + 1) && {'a': 1}.exists(k, v, k == 'a' && v == 1) && [1, 2].existsOne(i, v, v == 2)",
    "[1, 2, 3].transformList(i, v, i > 0, v * 2) == [4, 6] && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2} && ['x'].transformMapEntry(i, v, {v: i}) == {'x': 0}",
    "optional.of('a') == optional.of('a') && optional.of('a') != optional.none()",
  ];
  for (const rule of holds) {
    it(`LI-3 ${rule}`, () => {
      expect(run({ ...text, ...rules(rule) }, 'abc').errors).to.deep.equal([]);
      // What no schema bounds may cost too much, on the real server too.
      const errors = checkRules({ ...text, ...rules(rule) }, 'p').filter(({ type }) => type !== 'FieldValueForbidden');
      expect(errors.map((e) => e.message)).to.deep.equal([]);
    });
  }
});
