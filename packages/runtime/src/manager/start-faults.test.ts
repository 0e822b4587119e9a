import { KubewrightError } from '@kubewright/api';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { managerRig } from '../testing/manager-rig.test.js';
import { anObject } from '../testing/rig.test.js';

const code = (error: unknown): unknown => (error as KubewrightError).code;

describe('Manager: start faults', () => {
  it('M11 M12 M13 tells all of them after 5 s, and rejects with one error after 2 min', async () => {
    const test = managerRig({
      diagnostics: {
        servedVersions: async () => ['v1'],
        missingVerbs: async () => ['list', 'watch'],
      },
    });
    const forbidden = test.addController('A', () => {}, {
      source: { label: 'PodSetController @Owns(V1Pod)' },
    }).informer;
    Object.assign(forbidden, {
      kind: { group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' },
      streamState: 'forbidden',
      lastError: new Error('pods is forbidden'),
    });
    const missing = test.addController('B', () => {}, { source: { label: 'PodSetController @For(PodSet)' } }).informer;
    missing.streamState = 'missing';
    const refused = test.addController('C', () => {}, {
      source: { label: 'NodeController @Watches(V1Node)' },
    }).informer;
    Object.assign(refused, {
      streamState: 'backoff',
      failures: 3,
      lastError: new KubewrightError('KW_TRANSPORT_FAILED', 'connect ECONNREFUSED 127.0.0.1:6443', {
        cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      }),
    });
    test.addController('D', () => {}).informer.sync();
    const texts = [
      'PodSetController @Owns(V1Pod) needs list, watch on pods (core) in all namespaces; the server said: pods is forbidden; fix: apply the generated RBAC, or add @Rbac(…)',
      'PodSetController @For(PodSet): app.example.com/v1alpha1 PodSet is not served (served versions: v1); fix: apply the CRD',
      'NodeController @Watches(V1Node): app.example.com/v1alpha1 PodSet is not listed yet, its stream is in state backoff after 3 failed tries: connect ECONNREFUSED 127.0.0.1:6443; fix: is the API server up? kubectl cluster-info tells, and the kubeconfig says where it should be',
    ];
    const ended = test.start();
    await test.clock.advance('5s');
    expect(test.logger.at('warn').map(({ fields }) => fields['faults'])).to.deep.equal([texts]);
    await test.clock.advance('60s');
    expect(test.logger.at('warn'), 'the same is not told again').to.have.length(1);
    await test.clock.advance('55s');
    const error = (await ended) as KubewrightError;
    expect(error.code).to.equal('KW_CACHE_SYNC');
    expect(error.message).to.equal(
      ['3 of the watched kinds could not be listed within 120s:', ...texts.map((text) => `  ${text}`)].join('\n'),
    );
    expect(error.details.map(({ where }) => where)).to.deep.equal([
      'PodSetController @Owns(V1Pod)',
      'PodSetController @For(PodSet)',
      'NodeController @Watches(V1Node)',
    ]);
    expect(test.story.slice(-2)).to.deep.equal(['cache stops', 'transport closes']);
    expect(test.clock.timers).to.equal(0);
  });

  it('M11 names the namespace of a stream that has one, and leaves out what nobody told', async () => {
    const test = managerRig({ cacheSyncTimeout: '10s' });
    const { informer } = test.addController('A', () => {});
    Object.assign(informer, { streamState: 'forbidden', scope: { namespace: 'team-a' } });
    const ended = test.start();
    await test.clock.advance('10s');
    expect(((await ended) as Error).message).to.contain(
      'needs list, watch on podsets (app.example.com) in namespace team-a; fix:',
    );
  });

  it('M13 a kind that appears in time needs no restart', async () => {
    const test = managerRig();
    const { informer } = test.addController('podset', () => {});
    informer.streamState = 'missing';
    const ended = test.start();
    await test.clock.advance('119s');
    informer.sync();
    await test.manager.elected;
    await test.manager.stop();
    expect(await ended).to.equal('well');
  });

  it('M13 waits for ever with 0, and a controller may say otherwise', async () => {
    const test = managerRig({ cacheSyncTimeout: 0 });
    const options = { cacheSyncTimeout: '1h' } as const;
    test.addController('podset', () => {}, { config: { options } });
    const ended = test.start();
    await test.clock.advance('59m');
    expect(test.manager.stopping).to.equal(false);
    await test.clock.advance('1m');
    expect(code(await ended)).to.equal('KW_CACHE_SYNC');
  });

  for (const how of ['an optional source', 'an optional controller', 'a lenient start'])
    it(`M14 ${how} does not hold the others up, and engages by itself`, async () => {
      const test = managerRig(how === 'a lenient start' ? { startup: 'lenient' } : {});
      const runs: string[] = [];
      const { informer } = test.addController('waits', () => void runs.push('waits'), {
        source: { optional: how === 'an optional source' },
        config: { options: { optional: how === 'an optional controller' } },
      });
      const other = test.addController('runs', () => void runs.push('runs')).informer.sync();
      const ended = test.start();
      await test.manager.elected;
      other.create(anObject('web'));
      await test.clock.settle();
      expect(runs).to.deep.equal(['runs']);
      informer.create(anObject('web'), true);
      informer.sync();
      await test.clock.settle();
      expect(runs).to.deep.equal(['runs', 'waits']);
      await test.manager.stop();
      expect(await ended).to.equal('well');
    });
});
