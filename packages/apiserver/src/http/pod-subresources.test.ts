import { expect } from 'chai';
import { after, before, beforeEach, describe, it } from 'mocha';
import { ADMIN } from '../auth/authenticate.js';
import type { ResourceDef } from '../core/types.js';
import { startTestServer } from './harness.test.js';
import type { TestServer } from './harness.test.js';

const P = '/api/v1/namespaces/t/pods';

describe('Subresources of Pods', () => {
  let t: TestServer;
  let name = '';
  let count = 0;
  before(async () => {
    t = await startTestServer();
  });
  after(() => t.close());
  beforeEach(async () => {
    name = `p${count++}`;
    const containers = [{ name: 'main', image: 'example.com/a:1' }];
    await t.create(
      'Pod',
      { name, namespace: 't', annotations: name === 'p0' ? { 'embedded/log': 'hello' } : {} },
      { spec: { containers } },
    );
  });

  it('SI-7 logs say that no container ran, or what the Pod tells them to', async () => {
    const own = await t.get(`${P}/${name}/log`);
    expect([own.code, own.text, own.headers['content-type']]).to.deep.equal([200, 'hello\n', 'text/plain']);
    const containers = ['a', 'b'].map((c) => ({ name: c, image: 'x' }));
    await t.create('Pod', { name: 'two', namespace: 't' }, { spec: { containers } });
    const which = await t.get(`${P}/two/log`);
    expect(which.json.message).to.equal('a container name must be specified for pod two, choose one of: [a b]');
    expect((await t.get(`${P}/two/log?container=a`)).text).to.match(/^no container ran/);
    expect((await t.get(`${P}/two/log?container=z`)).json.message).to.equal('container z is not valid for pod two');
    expect((await t.get(`${P}/none/log`)).code).to.equal(404);
  });

  it('SI-7 streams answer 501 and why', async () => {
    for (const sub of ['exec', 'attach', 'portforward', 'proxy']) {
      const { code, json } = await t.post(`${P}/${name}/${sub}`, {});
      expect([code, json.reason], sub).to.deep.equal([501, 'NotImplemented']);
      expect(json.message).to.contain('runs none');
    }
  });

  it('KI-3 an eviction deletes the Pod', async () => {
    const wrong = await t.post(`${P}/${name}/eviction`, { metadata: { name: 'other' } });
    expect([wrong.code, wrong.json.message]).to.deep.equal([400, 'name in URL does not match name in Eviction object']);
    const dry = await t.post(`${P}/${name}/eviction?dryRun=All`, { metadata: { name } });
    expect(dry.code).to.equal(201);
    expect((await t.get(`${P}/${name}`)).code).to.equal(200);
    const { code, json } = await t.post(`${P}/${name}/eviction`, { metadata: { name } });
    expect([code, json]).to.deep.equal([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ]);
    expect((await t.get(`${P}/${name}`)).code).to.equal(404);
  });

  it('ER-16 an eviction that a disruption budget forbids answers 429 and says how many Pods it needs', async () => {
    const labels = { app: 'guarded' };
    const containers = [{ name: 'main', image: 'example.com/a:1' }];
    const resource = t.semantics.registry.byResource('', 'pods') as ResourceDef;
    for (const pod of ['g1', 'g2']) {
      await t.create('Pod', { name: pod, namespace: 't', labels }, { spec: { containers } });
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      const target = { resource, version: 'v1', namespace: 't', name: pod, subresource: 'status' };
      await t.semantics.objects.patch(target, { type: 'merge', body: { value: { status } } }, { principal: ADMIN });
    }
    await t.create(
      'PodDisruptionBudget',
      { name: 'ev', namespace: 't' },
      { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
      'policy',
    );
    expect((await t.post(`${P}/g1/eviction`, { metadata: { name: 'g1' } })).code).to.equal(201);
    const { code, json, headers } = await t.post(`${P}/g2/eviction`, { metadata: { name: 'g2' } });
    expect([code, json.reason, json.message]).to.deep.equal([
      429,
      'TooManyRequests',
      "Cannot evict pod as it would violate the pod's disruption budget.",
    ]);
    expect(json.details.causes).to.deep.equal([
      { reason: 'DisruptionBudget', message: 'The disruption budget ev needs 1 healthy pods and has 1 currently' },
    ]);
    expect(headers).to.not.have.property('retry-after');
  });

  it('KI-3 a binding puts the Pod on a node, once', async () => {
    const bind = (node: string) =>
      t.post(`${P}/${name}/binding`, { metadata: { name }, target: { kind: 'Node', name: node } });
    expect((await bind('n1')).code).to.equal(201);
    const pod = (await t.get(`${P}/${name}`)).json;
    expect(pod.spec.nodeName).to.equal('n1');
    expect(pod.status.conditions[0]).to.include({ type: 'PodScheduled', status: 'True' });
    const again = await bind('n2');
    expect([again.code, again.json.message]).to.deep.equal([
      409,
      `Operation cannot be fulfilled on pods/binding "${name}": pod ${name} is already assigned to node "n1"`,
    ]);
  });

  it('KI-3 the older binding path works too', async () => {
    const body = { metadata: { name }, target: { kind: 'Node', name: 'n3' } };
    expect((await t.post('/api/v1/namespaces/t/bindings', body)).code).to.equal(201);
    expect((await t.get(`${P}/${name}`)).json.spec.nodeName).to.equal('n3');
  });
});
