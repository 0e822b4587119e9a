import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Schema } from '../core/types.js';
import { builtinDefinition, builtinDefinitions, builtinSchema } from './builtin.js';
import { typingOf } from './typing.js';

const CORE = 'io.k8s.api.core.v1.';
const property = (definition: string, name: string): Schema => {
  const found = builtinDefinition(definition).properties?.[name];
  if (!found) throw new Error(`no ${definition}.${name}`);
  return found;
};

describe('generated built-in schemas', () => {
  it('DE-6 hold facts only, and every reference leads somewhere', () => {
    const text = JSON.stringify(builtinDefinitions());
    expect(text).not.to.contain('"description":"');
    for (const [, name] of text.matchAll(/"\$ref":"([^"]+)"/g))
      expect(builtinDefinitions(), name).to.have.property(name ?? '');
  });

  const merges: [string, string, string][] = [
    ['PodSpec', 'containers', 'name'],
    ['PodSpec', 'volumes', 'name'],
    ['PodSpec', 'imagePullSecrets', 'name'],
    ['PodSpec', 'hostAliases', 'ip'],
    ['PodSpec', 'topologySpreadConstraints', 'topologyKey'],
    ['Container', 'ports', 'containerPort'],
    ['Container', 'env', 'name'],
    ['Container', 'volumeMounts', 'mountPath'],
    ['Container', 'volumeDevices', 'devicePath'],
    ['ServiceSpec', 'ports', 'port'],
    ['ServiceAccount', 'secrets', 'name'],
    ['NodeStatus', 'addresses', 'type'],
    ['PodStatus', 'conditions', 'type'],
  ];
  for (const [definition, name, key] of merges) {
    it(`PT-3 ${definition}.${name} merges by ${key}`, () => {
      expect(property(CORE + definition, name)).to.include({ 'x-kubernetes-patch-merge-key': key });
      expect(property(CORE + definition, name)['x-kubernetes-patch-strategy']).to.match(/merge/);
    });
  }

  it('PT-3 SSA keys where they differ from merge keys', () => {
    expect(property(`${CORE}Container`, 'ports')['x-kubernetes-list-map-keys']).to.deep.equal([
      'containerPort',
      'protocol',
    ]);
    expect(property(`${CORE}ServiceSpec`, 'ports')['x-kubernetes-list-map-keys']).to.deep.equal(['port', 'protocol']);
    expect(property(`${CORE}PodSpec`, 'topologySpreadConstraints')['x-kubernetes-list-map-keys']).to.deep.equal([
      'topologyKey',
      'whenUnsatisfiable',
    ]);
    expect(property(`${CORE}ContainerPort`, 'protocol').default).to.equal('TCP');
  });

  it('PT-4 replace and retainKeys', () => {
    expect(property('io.k8s.api.apps.v1.DeploymentSpec', 'strategy')['x-kubernetes-patch-strategy']).to.equal(
      'retainKeys',
    );
    expect(property(`${CORE}PodSpec`, 'nodeSelector')['x-kubernetes-map-type']).to.equal('atomic');
    expect(builtinDefinition('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector')['x-kubernetes-map-type']).to.equal(
      'atomic',
    );
    expect(builtinDefinition(`${CORE}SecretKeySelector`)['x-kubernetes-map-type']).to.equal('atomic');
  });

  it('SA-3 the typing of a Deployment goes down to its containers', () => {
    const containers = typingOf(builtinSchema('apps/v1', 'Deployment'))
      .field('spec')
      ?.field('template')
      ?.field('spec')
      ?.field('containers');
    expect(containers?.list).to.deep.equal({ keys: ['name'] });
    expect(containers?.item().field('env')?.patchMergeKey).to.equal('name');
    expect(containers?.item().field('nope')).to.equal(undefined);
  });
});
