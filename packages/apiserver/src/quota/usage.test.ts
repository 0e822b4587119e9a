import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { KubeObject } from '../core/types.js';
import type { Pod } from '../kinds/shapes.js';
import { unstated } from './pod-usage.js';
import { inScopes } from './scopes.js';
import { counts, usageOf } from './usage.js';

const PODS = { group: '', plural: 'pods' };
const object = (rest: object): KubeObject =>
  ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, ...rest }) as KubeObject;
const container = (requests: object, more: object = {}): object => ({ name: 'c', resources: { requests }, ...more });

describe('usage of quotas', () => {
  it('counts what the containers of a Pod ask for at one time', () => {
    const pod = object({
      spec: {
        containers: [container({ cpu: '100m', 'example.com/gpu': '1' }), container({ cpu: '200m' })],
        initContainers: [container({ cpu: '50m' }, { restartPolicy: 'Always' }), container({ cpu: '900m' })],
      },
    });
    expect(usageOf(PODS, pod, 0)).to.deep.equal({
      'count/pods': '1',
      pods: '1',
      cpu: '950m',
      'requests.cpu': '950m',
      'requests.example.com/gpu': '1',
    });
  });

  it('counts a Pod that has ended as an object only', () => {
    const pod = object({ spec: { containers: [container({ cpu: '1' })] }, status: { phase: 'Succeeded' } });
    expect(usageOf(PODS, pod, 0)).to.deep.equal({ 'count/pods': '1' });
  });

  it('counts claims also by their storage class', () => {
    const claims = { group: '', plural: 'persistentvolumeclaims' };
    const claim = object({ spec: { storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } } });
    const usage = usageOf(claims, claim, 0);
    expect(usage).to.include({ 'gold.storageclass.storage.k8s.io/requests.storage': '1Gi', 'requests.storage': '1Gi' });
    for (const name of Object.keys(usage)) expect(counts(claims, name), name).to.equal(true);
  });

  it('counts node ports of a load balancer only where they are wanted', () => {
    const services = { group: '', plural: 'services' };
    const spec = { type: 'LoadBalancer', ports: [{}, { nodePort: 30_000 }] };
    expect(usageOf(services, object({ spec }), 0)['services.nodeports']).to.equal('2');
    const none = { ...spec, allocateLoadBalancerNodePorts: false };
    expect(usageOf(services, object({ spec: none }), 0)['services.nodeports']).to.equal('1');
  });

  it('counts the devices of a claim by the worst of its alternatives', () => {
    const claims = { group: 'resource.k8s.io', plural: 'resourceclaims' };
    const ask = (deviceClassName: string, count: number): object => ({ deviceClassName, count });
    const requests = [{ exactly: ask('a', 1) }, { firstAvailable: [ask('a', 2), ask('a', 5)] }];
    expect(usageOf(claims, object({ spec: { devices: { requests } } }), 0)).to.deep.equal({
      'count/resourceclaims.resource.k8s.io': '1',
      'a.deviceclass.resource.k8s.io/devices': '6',
    });
  });

  it('names the containers that do not say what is limited', () => {
    const pod = object({ spec: { containers: [container({ memory: '1Gi' }), container({}, { name: 'd' })] } }) as Pod;
    expect(unstated(pod, ['pods', 'requests.memory', 'cpu'])).to.equal(
      'must specify cpu for: c,d; requests.memory for: d',
    );
    expect(unstated(pod, ['pods'])).to.equal(undefined);
  });

  it('puts Pods into scopes', () => {
    const plain = object({ spec: { containers: [container({})], priorityClassName: 'high' } });
    const quota = (spec: object): KubeObject => object({ spec });
    const scoped = (...scopes: string[]): boolean => inScopes(PODS, plain, quota({ scopes }));
    expect([
      scoped('BestEffort'),
      scoped('NotBestEffort'),
      scoped('NotTerminating'),
      scoped('Terminating'),
    ]).to.deep.equal([true, false, true, false]);
    const priority = (operator: string, values?: string[]): boolean => {
      const matchExpressions = [{ scopeName: 'PriorityClass', operator, ...(values ? { values } : {}) }];
      return inScopes(PODS, plain, quota({ scopeSelector: { matchExpressions } }));
    };
    expect([priority('In', ['high']), priority('NotIn', ['high']), priority('Exists')]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });
});
