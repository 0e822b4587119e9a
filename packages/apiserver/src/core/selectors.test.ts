import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isStatusError } from './errors.js';
import { parseFieldSelector } from './field-selector.js';
import { parseLabelSelector } from './label-selector.js';
import type { KubeObject, ResourceDef, ResourceVersion } from './types.js';

const fits = (selector: string, labels?: Record<string, string>): boolean =>
  parseLabelSelector(selector)?.(labels) ?? true;

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isStatusError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'no failure';
}

describe('label selectors', () => {
  it('QP-1 knows all operators, and comma means and', () => {
    const labels = { app: 'web', tier: '3' };
    for (const selector of [
      'app=web',
      'app==web',
      'app!=db',
      'app in (web,db)',
      'app notin (db)',
      'app',
      '!gone',
      'tier>2',
      'tier<4',
      'app=web,tier',
    ]) {
      expect(fits(selector, labels), selector).to.equal(true);
    }
    for (const selector of [
      'app=db',
      'app!=web',
      'app in (db)',
      'app notin (web)',
      '!app',
      'gone',
      'tier>3',
      'app=web,gone',
    ]) {
      expect(fits(selector, labels), selector).to.equal(false);
    }
  });

  it('QP-1 != and notin fit objects without the key', () => {
    expect(fits('app!=web')).to.equal(true);
    expect(fits('app notin (web)', {})).to.equal(true);
    expect(fits('app>1', {})).to.equal(false);
  });

  it('QP-1 takes empty values and prefixed keys', () => {
    expect(fits('app=', { app: '' })).to.equal(true);
    expect(fits('example.com/app in (,a)', { 'example.com/app': '' })).to.equal(true);
    expect(fits('', { any: 'thing' })).to.equal(true);
  });

  it('QP-1 refuses what it cannot read with 400 and the place', () => {
    expect(messageOf(() => fits('app in web'))).to.equal("400 unable to parse requirement: found 'web' expected: '('");
    expect(messageOf(() => fits('app,'))).to.equal("400 found '', expected: identifier after ','");
    expect(messageOf(() => fits('app ~ web'))).to.match(
      /^400 unable to parse requirement: found '~', expected: in, notin, =, ==, !=, gt, lt$/,
    );
    expect(messageOf(() => fits('=web'))).to.equal("400 found '=', expected: !, identifier, or 'end of string'");
    expect(messageOf(() => fits('a_b/c=d'))).to.match(
      /^400 unable to parse requirement: <nil>: Invalid value: "a_b\/c": prefix part /,
    );
  });

  it('a label named like a property of all objects is not there unless it is set', () => {
    expect(fits('constructor', {})).to.equal(false);
  });
});

describe('field selectors', () => {
  const version = {
    fields: { 'status.phase': (o: KubeObject) => (o['status'] as { phase: string }).phase },
  } as unknown as ResourceVersion;
  const pods = { group: '', plural: 'pods', kind: 'Pod', namespaced: true, custom: false } as unknown as ResourceDef;
  const plain = { fields: {} } as unknown as ResourceVersion;
  const widgets = { ...pods, group: 'example.com', plural: 'widgets', custom: true } as ResourceDef;
  const pod = (name: string, phase: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'n' },
    status: { phase },
  });

  it('QP-2 selects by name, namespace and the fields of the kind', () => {
    const select = (text: string) => parseFieldSelector(text, pods, version);
    expect(select('metadata.name=a')?.matches(pod('a', ''))).to.equal(true);
    expect(select('metadata.name==a,metadata.namespace=n')?.matches(pod('a', ''))).to.equal(true);
    expect(select('status.phase!=Running')?.matches(pod('a', 'Pending'))).to.equal(true);
    expect(select('status.phase!=Running')?.matches(pod('a', 'Running'))).to.equal(false);
    expect(select('metadata.name=a')?.name).to.equal('a');
    expect(select('')).to.equal(undefined);
  });

  it('QP-2 reads escapes in values', () => {
    const selector = parseFieldSelector('metadata.name=a\\,b\\=c\\\\d', pods, version);
    expect(selector?.name).to.equal('a,b=c\\d');
  });

  it('QP-2 refuses fields the kind does not offer', () => {
    expect(messageOf(() => parseFieldSelector('spec.size=1', widgets, plain))).to.equal(
      '400 field label not supported: spec.size',
    );
    expect(messageOf(() => parseFieldSelector('spec.x=1', pods, plain))).to.equal(
      '400 "spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    expect(messageOf(() => parseFieldSelector('nonsense', pods, plain))).to.equal(
      "400 invalid selector: 'nonsense'; can't understand 'nonsense'",
    );
  });
});
