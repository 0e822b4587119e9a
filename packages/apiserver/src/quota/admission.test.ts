import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isStatusError } from '../core/errors.js';
import { pod, SimWorld } from '../sim/harness.test.js';
import { QuotaAdmission, withQuota } from './admission.js';

const open = { mutate: async () => undefined, validate: async () => undefined };

describe('ResourceQuotas', () => {
  let world: SimWorld;
  beforeEach(async () => {
    world = await SimWorld.start(['resourcequota']);
    const port = { ...open, mutate: async ({ object }: { object: unknown }) => object as never };
    world.semantics.admission = withQuota(port, new QuotaAdmission(world.semantics));
  });
  afterEach(() => world.stop());

  const quota = async (hard: Record<string, string>): Promise<void> => {
    await world.create('resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
    await world.pass(50);
  };
  const used = (): unknown => world.get('resourcequotas', 'q').status.used;
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      if (isStatusError(error)) return `${error.code} ${error.message}`;
      throw error;
    }
    return 'accepted';
  };

  it('show what is there, count what comes and what goes', async () => {
    await world.create('secrets', { metadata: { name: 'before' } });
    await quota({ secrets: '3', 'count/configmaps': '9' });
    expect(used()).to.deep.equal({ secrets: '1', 'count/configmaps': '1' });
    await world.create('secrets', { metadata: { name: 'after' } });
    expect(used()).to.include({ secrets: '2' });
    await world.delete('secrets', 'before');
    await world.pass(50);
    expect(used()).to.include({ secrets: '1' });
  });

  it('refuse what is too much, and charge nothing for it', async () => {
    await quota({ pods: '1' });
    await world.create('pods', pod('a'));
    expect(await refusal(world.create('pods', pod('b')))).to.equal(
      '403 pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    );
    expect(used()).to.deep.equal({ pods: '1' });
  });

  it('let of two writes at the same time only one have the last place', async () => {
    await quota({ secrets: '1' });
    const results = await Promise.all(
      ['a', 'b'].map((name) => refusal(world.create('secrets', { metadata: { name } }))),
    );
    expect(results.filter((result) => result === 'accepted')).to.have.length(1);
  });

  it('refuse Pods that do not say what is limited', async () => {
    await quota({ cpu: '1' });
    expect(await refusal(world.create('pods', pod('a')))).to.equal(
      '403 pods "a" is forbidden: failed quota: q: must specify cpu for: main',
    );
  });

  it('follow a change of their limits', async () => {
    await quota({ secrets: '1' });
    await world.merge('resourcequotas', 'q', { spec: { hard: { secrets: '5', services: '2' } } });
    await world.pass(50);
    expect(world.get('resourcequotas', 'q').status).to.deep.equal({
      hard: { secrets: '5', services: '2' },
      used: { secrets: '0', services: '1' },
    });
  });
});
