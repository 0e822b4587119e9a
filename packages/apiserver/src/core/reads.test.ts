import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { failureOf, World } from '../harness.test.js';
import type { ListOptions, ListResult } from './types.js';

describe('reads', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await world.configMap(name, { metadata: { labels: { odd: name === 'b' || name === 'd' ? 'no' : 'yes' } } });
  });
  afterEach(() => world.close());

  const list = (options: Partial<ListOptions> = {}): Promise<ListResult> => world.list('v1', 'ConfigMap', options);
  const names = (result: ListResult): string[] => result.items.map((item) => item.metadata.name ?? '');

  it('QP-3 pages show one moment, whatever is written between them', async () => {
    const one = await list({ limit: 2 });
    expect(names(one)).to.deep.equal(['a', 'b']);
    expect(one.remainingItemCount).to.equal(3);
    await world.configMap('bb');
    await world.delete(await world.get('v1', 'ConfigMap', 'd'));
    const two = await list({ limit: 2, continue: one.continue });
    expect(names(two)).to.deep.equal(['c', 'd']);
    expect(two.resourceVersion).to.equal(one.resourceVersion);
    const three = await list({ limit: 2, continue: two.continue });
    expect(names(three)).to.deep.equal(['e']);
    expect(three.continue).to.equal(undefined);
    expect(three.remainingItemCount).to.equal(undefined);
  });

  it('QP-3 pages of a selection are full and carry no count', async () => {
    const one = await list({ limit: 2, labelSelector: 'odd=yes' });
    expect(names(one)).to.deep.equal(['a', 'c']);
    expect(one.remainingItemCount).to.equal(undefined);
    const two = await list({ limit: 2, labelSelector: 'odd=yes', continue: one.continue });
    expect(names(two)).to.deep.equal(['e']);
    expect(two.continue).to.equal(undefined);
    const exact = await list({ limit: 3, labelSelector: 'odd=yes' });
    expect(exact.continue).to.equal(undefined);
  });

  it('QP-3 an expired token answers 410 with a token that goes on at the latest state', async () => {
    const one = await list({ limit: 2 });
    await world.configMap('bb');
    world.semantics.core.store.compact();
    const status = await failureOf(list({ limit: 2, continue: one.continue }));
    expect([status.code, status.reason]).to.deep.equal([410, 'Expired']);
    const rest = await list({ limit: 2, continue: status.metadata.continue });
    expect(names(rest)).to.deep.equal(['bb', 'c']);
  });

  it('QP-3 refuses tokens that it did not make', async () => {
    const token = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect((await failureOf(list({ continue: 'gar?bage' }))).message).to.equal(
      'invalid continue token: continue key is not valid: illegal base64 data at input byte 3',
    );
    expect((await failureOf(list({ continue: token({ v: 'x', rv: 5, start: 'a' }) }))).message).to.equal(
      'invalid continue token: continue key is not valid: server does not recognize this encoded version x',
    );
    const { continue: good } = await list({ limit: 1 });
    expect((await failureOf(list({ continue: good, resourceVersion: '5' }))).message).to.equal(
      'specifying resource version is not allowed when using continue',
    );
  });

  it('QP-4 Exact shows the past while it is kept, and 410 after', async () => {
    const { resourceVersion } = await list();
    await world.delete(await world.get('v1', 'ConfigMap', 'a'));
    const past = await list({ resourceVersion, resourceVersionMatch: 'Exact' });
    expect(names(past)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
    expect(past.resourceVersion).to.equal(resourceVersion);
    expect(names(await list({ resourceVersion }))).to.deep.equal(['b', 'c', 'd', 'e']);
    world.semantics.core.store.compact();
    const status = await failureOf(list({ resourceVersion, resourceVersionMatch: 'Exact' }));
    expect(status.message).to.equal('The resourceVersion for the provided list is too old.');
  });

  it('QP-4 a revision of the future is waited for, then refused', async () => {
    const current = Number(world.semantics.objects.revision());
    const reached = list({ resourceVersion: String(current + 1) });
    await world.configMap('f');
    expect(names(await reached)).to.contain('f');
    const late = failureOf(list({ resourceVersion: String(current + 50) }));
    await Promise.resolve();
    world.clock.advance(3000);
    const status = await late;
    expect([status.code, status.reason, status.details?.retryAfterSeconds]).to.deep.equal([504, 'Timeout', 1]);
    expect(status.message).to.equal(`Timeout: Too large resource version: ${current + 50}, current: ${current + 1}`);
  });

  it('QP-5 says what it cannot read, differently for lists and gets', async () => {
    const why = 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax';
    const listed = await failureOf(list({ resourceVersion: 'abc' }));
    expect([listed.code, listed.message]).to.deep.equal([400, `invalid resource version: ${why}`]);
    const target = world.target('v1', 'ConfigMap', { name: 'a' });
    const got = await failureOf(world.semantics.objects.get(target, { ...world.call, resourceVersion: 'abc' }));
    expect([got.code, got.reason, got.message]).to.deep.equal([500, undefined, why]);
  });

  it('DE-14 ignores the limit at resourceVersion 0', async () => {
    const all = await list({ limit: 2, resourceVersion: '0' });
    expect(names(all)).to.have.length(5);
    expect(all.continue).to.equal(undefined);
  });

  it('ST-1 the revision of a list is that of the store, not of its newest item', async () => {
    await world.create('v1', 'Secret', { metadata: { name: 'later' } });
    expect((await list()).resourceVersion).to.equal(world.semantics.objects.revision());
  });

  it('QP-2 a name in the field selector finds that one object', async () => {
    expect(names(await list({ fieldSelector: 'metadata.name=c' }))).to.deep.equal(['c']);
    expect(names(await list({ fieldSelector: 'metadata.name!=c,metadata.namespace=t' }))).to.deep.equal([
      'a',
      'b',
      'd',
      'e',
    ]);
  });

  it('ER-1 a missing object is 404 with its name and resource', async () => {
    const status = await failureOf(world.get('v1', 'ConfigMap', 'none'));
    expect(status).to.deep.include({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "none" not found',
      details: { name: 'none', kind: 'configmaps' },
    });
  });
});
