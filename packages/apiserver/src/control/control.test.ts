import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { failureOf, World } from '../harness.test.js';
import { Control } from './control.js';
import { ConnectionFault } from './faults.js';
import { FaultyObjectService } from './faulty-service.js';
import type { ObjectService } from '../core/types.js';

describe('test control', () => {
  let world: World;
  let control: Control;
  let objects: ObjectService;
  beforeEach(async () => {
    world = await World.open();
    control = new Control({ semantics: world.semantics, clock: world.clock });
    objects = new FaultyObjectService(world.semantics.objects, control.faults);
  });
  afterEach(() => world.close());

  const target = (name?: string) => world.target('v1', 'ConfigMap', name === undefined ? {} : { name });
  const get = (name: string) => objects.get(target(name), world.call);
  const patch = (name: string, value: object) =>
    objects.patch(target(name), { type: 'merge', body: { value: value as never } }, world.call);

  it('TC-1 answers the next matching requests with a Status, then lets them pass', async () => {
    await world.configMap('a');
    control.faults.inject({
      match: { verb: 'get', resource: 'configmaps' },
      times: 2,
      reply: { code: 429, retryAfterSeconds: 7 },
    });
    const first = await failureOf(get('a'));
    expect([first.code, first.reason, first.details?.retryAfterSeconds]).to.deep.equal([429, 'TooManyRequests', 7]);
    expect((await failureOf(get('a'))).code).to.equal(429);
    expect((await get('a')).metadata.name).to.equal('a');
    expect(control.faults.list()).to.deep.equal([]);
  });

  it('TC-1 skips first, matches by name and user, and can be taken back', async () => {
    await world.configMap('a');
    await world.configMap('b');
    const id = control.faults.inject({ match: { name: 'b', user: 'tester' }, skip: 1, times: 5, reply: { code: 500 } });
    await get('a');
    await get('b');
    expect((await failureOf(get('b'))).reason).to.equal('InternalError');
    expect(control.faults.list()[0]).to.include({ id, timesLeft: 4 });
    control.faults.clear(id);
    await get('b');
    control.faults.inject({ match: { user: 'somebody else' }, reply: { code: 500 } });
    await get('b');
  });

  it('TC-2 a fault after the request: the write is stored, the client sees an error', async () => {
    await world.configMap('a');
    control.faults.inject({ match: { verb: 'patch' }, phase: 'after', reply: { code: 504 } });
    expect((await failureOf(patch('a', { data: { a: '2' } }))).code).to.equal(504);
    expect((await get('a'))['data']).to.deep.equal({ a: '2' });
  });

  it('TC-1 delays by the clock of the server, and breaks connections', async () => {
    await world.configMap('a');
    control.faults.inject({ match: { verb: 'get' }, reply: { delayMs: 1000 } });
    let done = false;
    const slow = get('a').then(() => (done = true));
    await Promise.resolve();
    world.clock.advance(999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).to.equal(false);
    world.clock.advance(1);
    await slow;
    control.faults.inject({ match: { verb: 'get' }, reply: { reset: true } });
    const error: unknown = await get('a').catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(ConnectionFault);
    expect(control.faults.injected(error)).to.equal(true);
  });

  it('TC-3 a race lets an update meet a genuine conflict, and a patch get over it', async () => {
    const object = await world.configMap('a');
    control.race({ resource: 'configmaps', name: 'a' });
    const status = await failureOf(world.put({ ...object, data: { a: '2' } }));
    expect([status.code, status.reason]).to.deep.equal([409, 'Conflict']);
    const live = await world.get('v1', 'ConfigMap', 'a');
    expect(live.metadata.managedFields?.some((entry) => entry.manager === 'kubewright-control')).to.equal(true);
    control.race({ name: 'a' }, () => ({ data: { raced: 'yes' } }));
    await patch('a', { data: { b: '3' } });
    expect((await get('a'))['data']).to.deep.equal({ a: '1', raced: 'yes', b: '3' });
  });

  it('TC-4 cuts watches cleanly, with 410, or by a reset; others go on', async () => {
    const clean = await world.watch('v1', 'ConfigMap');
    expect(control.watches.cut({ resource: 'configmaps' })).to.equal(1);
    expect([clean.events, clean.ended]).to.deep.equal([[], true]);
    const expired = await world.watch('v1', 'ConfigMap');
    const other = await world.watch('v1', 'Secret');
    control.watches.cut({ resource: 'configmaps' }, 'expired');
    expect([expired.events, expired.ended, other.ended]).to.deep.equal([['ERROR 410'], true, false]);
    control.watches.cut({}, 'reset');
    expect([other.events, other.ended]).to.deep.equal([[], true]);
  });

  it('TC-4 holds events back without closing, and releases them in order', async () => {
    const seen = await world.watch('v1', 'ConfigMap');
    control.watches.stall();
    await world.configMap('a');
    await world.configMap('b');
    expect(seen.events).to.deep.equal([]);
    expect(control.watches.list()[0]).to.include({ resource: 'configmaps', user: 'tester', stalled: true });
    control.watches.release();
    await new Promise((resolve) => setImmediate(resolve));
    await world.configMap('c');
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen.events).to.deep.equal(['ADDED a', 'ADDED b', 'ADDED c']);
  });

  it('TC-5 forgets the history of one resource or of all', async () => {
    const { resourceVersion } = await world.list('v1', 'ConfigMap');
    await world.configMap('a');
    control.compact({ resource: 'secrets' });
    expect((await world.watch('v1', 'ConfigMap', { resourceVersion })).events).to.deep.equal(['ADDED a']);
    control.compact();
    expect((await world.watch('v1', 'ConfigMap', { resourceVersion })).events).to.deep.equal(['ERROR 410']);
    expect(() => control.compact({ resource: 'nopes' })).to.throw('no resource nopes');
  });

  it('TC-6 changes the bookmark period of open watches', async () => {
    const seen = await world.watch('v1', 'ConfigMap', {
      allowWatchBookmarks: true,
      resourceVersion: world.semantics.objects.revision(),
    });
    control.bookmarks.setPeriod(100);
    world.clock.advance(250);
    expect(seen.events).to.deep.equal(['BOOKMARK ', 'BOOKMARK ']);
  });

  it('TC-9 puts a snapshot back: objects, definitions and uids return, watches list again', async () => {
    const before = await world.configMap('a');
    const id = control.snapshot();
    await world.delete(before);
    await world.configMap('b');
    const seen = await world.watch('v1', 'ConfigMap');
    const revision = Number(world.semantics.objects.revision());
    control.restore(id);
    expect(seen.events).to.deep.equal(['ADDED b', 'ERROR 410']);
    expect(await world.get('v1', 'ConfigMap', 'a')).to.deep.equal(before);
    expect((await failureOf(world.get('v1', 'ConfigMap', 'b'))).code).to.equal(404);
    expect(Number(world.semantics.objects.revision())).to.be.greaterThan(revision);
    expect(() => control.restore('99')).to.throw('there is no snapshot "99"');
  });
});

describe('request log', () => {
  it('TC-10 filters, and waits for a request to come', async () => {
    const { RequestLog } = await import('./request-log.js');
    const log = new RequestLog();
    const record = (verb: string, code: number) => ({
      auditId: 'x',
      time: '',
      user: 'u',
      verb,
      path: '/',
      query: '',
      group: '',
      version: 'v1',
      resource: 'pods',
      contentType: '',
      userAgent: 'kubectl/v1.33',
      code,
      reason: '',
      durationMs: 0,
      revision: '1',
      injected: false,
    });
    log.add(record('get', 200));
    const later = log.waitFor({ verb: 'patch' }, 1000);
    log.add(record('patch', 409));
    expect((await later).code).to.equal(409);
    expect(log.list({ code: 409 }).map((r) => r.verb)).to.deep.equal(['patch']);
    expect(log.list({ userAgent: 'kubectl' })).to.have.length(2);
    log.clear();
    expect(log.list()).to.deep.equal([]);
    const error: unknown = await log.waitFor({ verb: 'get' }, 1).catch((caught: unknown) => caught);
    expect((error as Error).message).to.contain('no request like {"verb":"get"}');
  });
});
