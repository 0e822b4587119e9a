import { expect } from 'chai';
import { describe, it } from 'mocha';
import { toV1, toV2 } from './autoscaling-v1.js';
import { Kinds } from './harness.test.js';

const kinds = new Kinds();
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };

describe('HorizontalPodAutoscaler', () => {
  it('KI-1 defaults of v2, and the same object in v1', () => {
    const { object, errors } = kinds.create('HorizontalPodAutoscaler', {
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef },
    });
    expect(errors).to.deep.equal([]);
    expect(object.spec.metrics).to.deep.equal([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ]);
    const old = toV1(object);
    expect(old.spec).to.deep.equal({
      minReplicas: 1,
      maxReplicas: 3,
      scaleTargetRef,
      targetCPUUtilizationPercentage: 80,
    });
    expect(toV2(old).spec).to.deep.equal(object.spec);
  });

  it('VE-1 what v1 has no field for survives the way there and back', () => {
    const metrics = [
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
    ];
    const behavior = { scaleDown: { stabilizationWindowSeconds: 300 } };
    const { object } = kinds.create('HorizontalPodAutoscaler', {
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef, metrics, behavior },
    });
    const old = toV1(object);
    expect(old.spec).to.have.all.keys('minReplicas', 'maxReplicas', 'scaleTargetRef');
    const back = toV2(old);
    expect(back.spec).to.deep.equal(object.spec);
    expect(back.metadata).to.deep.equal(object.metadata);
  });

  it('KI-1 v1 bodies are decoded and checked at v1', () => {
    const { strategy, versions } = kinds.of('HorizontalPodAutoscaler');
    const v1 = versions.find((version) => version.name === 'v1');
    if (!v1) throw new Error('no v1');
    const body = {
      metadata: { name: 'h' },
      spec: { maxReplicas: 1, minReplicas: 2, scaleTargetRef, targetCPUUtilizationPercentage: 50, metrics: [] },
    };
    const { object, problems } = strategy.decode(body, v1, 'create');
    expect(problems).to.deep.equal(['unknown field "spec.metrics"']);
    expect(object).to.include({ apiVersion: 'autoscaling/v1' });
    const errors = strategy.validateCreate(object, kinds.context()).map((error) => error.field);
    expect(errors).to.deep.equal(['spec.maxReplicas']);
  });
});
