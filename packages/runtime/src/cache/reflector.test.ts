import { expect } from 'chai';
import { describe, it } from 'mocha';
import { added, CacheHarness, deleted, modified, pod, told } from './cache-harness.test.js';
import { failure, marker, podList } from './scripted-transport.test.js';

const page = { initialLoad: 'page' } as const;

describe('reflector: first list', () => {
  it('R5 streams the first list and keeps the connection as the watch', async () => {
    await using cache = await new CacheHarness().start();
    await cache.send(added(pod('a', '3')), added(pod('b', '4')));
    expect(cache.informer.state()).to.include({ state: 'streaming', synced: false });
    await cache.send(marker('7'), modified(pod('a', '8')));
    const [first] = cache.transport.watches;
    expect(first?.query).to.include({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(first?.query).to.not.have.property('resourceVersion');
    expect(cache.informer.state()).to.include({ state: 'watching', synced: true, objects: 2, resourceVersion: '8' });
    expect(told(cache.events)).to.deep.equal(['create a', 'create b', 'update a@3→8']);
    expect(cache.transport.seen).to.have.length(1);
  });

  it('R5 throws away what came when the stream breaks before the marker, and never resumes it as a list', async () => {
    await using cache = await new CacheHarness().start();
    await cache.send(added(pod('gone', '3')));
    cache.transport.latest.break();
    await cache.clock.advance('1s');
    await cache.send(added(pod('a', '5')), marker('6'));
    expect(cache.stored).to.deep.equal(['a@5']);
    cache.transport.latest.end();
    await cache.clock.advance('1s');
    expect(cache.transport.watches.at(-1)?.query).to.include({ resourceVersion: '6' });
    expect(cache.transport.watches.at(-1)?.query).to.not.have.property('sendInitialEvents');
  });

  for (const status of [400, 422])
    it(`R6 reads by pages for the stream's life after a ${status}`, async () => {
      await using cache = await new CacheHarness({
        answer: () => ({ body: podList('9', pod('a', '5')) }),
        refuse: ({ query }) => (query['sendInitialEvents'] ? { status, body: failure(status, 'Invalid') } : undefined),
      }).start();
      expect(cache.stored).to.deep.equal(['a@5']);
      await cache.clock.advance('1s');
      await cache.send({ type: 'ERROR', object: failure(410, 'Expired') });
      await cache.clock.advance('1s');
      expect(cache.transport.lists).to.have.length(2);
      expect(cache.transport.watches.filter(({ query }) => query['sendInitialEvents'])).to.have.length(1);
    });

  it('R6 reads by pages after three attempts that broke after their headers', async () => {
    await using cache = await new CacheHarness({ answer: () => ({ body: podList('9') }) }).start();
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(cache.transport.lists).to.have.length(0);
      cache.transport.latest.break();
      await cache.clock.advance('4s');
    }
    expect(cache.transport.lists).to.have.length(1);
  });

  it('R6 reads by pages when neither event nor marker comes for 30 s', async () => {
    await using cache = await new CacheHarness({ answer: () => ({ body: podList('9') }) }).start();
    await cache.clock.advance(29_999);
    expect(cache.transport.lists).to.have.length(0);
    await cache.clock.advance(1);
    expect(cache.transport.lists).to.have.length(1);
  });

  it('R6 does not take refused connections and 429 for a reason to read by pages', async () => {
    let answers = 0;
    await using cache = await new CacheHarness({
      refuse: () =>
        ++answers % 2 ? new Error('connect ECONNREFUSED') : { status: 429, body: failure(429, 'TooManyRequests') },
    }).start();
    await cache.clock.advance('5m');
    expect(answers).to.be.greaterThan(8);
    expect(cache.transport.lists).to.have.length(0);
  });

  it('R7 reads three objects with page size 1 in three calls, then watches', async () => {
    const items = [pod('a', '1'), pod('b', '2'), pod('c', '3')];
    await using cache = await new CacheHarness({
      options: { ...page, pageSize: 1 },
      answer: ({ query }) => {
        const at = Number(query['continue'] ?? 0);
        const next = at < 2 ? { continue: String(at + 1) } : {};
        return {
          body: { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7', ...next }, items: [items[at]] },
        };
      },
    }).start();
    await cache.clock.settle();
    expect(
      cache.transport.seen.map(
        ({ query }) => query['continue'] ?? (query['watch'] ? `watch from ${query['resourceVersion']}` : 'first'),
      ),
    ).to.deep.equal(['first', '1', '2', 'watch from 7']);
    expect(cache.transport.lists.map(({ query }) => query['limit'])).to.deep.equal(['1', '1', '1']);
    expect(cache.stored).to.deep.equal(['a@1', 'b@2', 'c@3']);
  });

  it('R3 begins at page 1 once more after a 410 between pages, then lists without limit', async () => {
    await using cache = await new CacheHarness({
      options: { ...page, pageSize: 1 },
      answer: ({ query }) => {
        if (query['continue']) return { status: 410, body: failure(410, 'Expired') };
        const more = query['limit'] ? { continue: 'x' } : {};
        return { body: { kind: 'PodList', metadata: { resourceVersion: '7', ...more }, items: [pod('a', '1')] } };
      },
    }).start();
    await cache.clock.settle();
    expect(cache.transport.lists.map(({ query }) => query['limit'] ?? 'none')).to.deep.equal([
      '1',
      '1',
      '1',
      '1',
      'none',
    ]);
    expect(cache.stored).to.deep.equal(['a@1']);
  });

  it('R7 takes an answer that is no list for an error and tries again', async () => {
    const bodies: object[] = [
      { kind: 'Pod', metadata: { resourceVersion: '1' } },
      { kind: 'PodList', metadata: {} },
      podList('3'),
    ];
    await using cache = await new CacheHarness({ options: page, answer: () => ({ body: bodies.shift() }) }).start();
    expect(cache.informer.state().lastError).to.include({ code: 'KW_CACHE_BAD_LIST' });
    await cache.clock.advance('10s');
    expect(cache.informer.state()).to.include({ synced: true, state: 'watching' });
  });
});

describe('reflector: watch', () => {
  const start = (options: ConstructorParameters<typeof CacheHarness>[0] = {}): Promise<CacheHarness> =>
    new CacheHarness({ options: page, answer: () => ({ body: podList('5', pod('a', '3')) }), ...options }).start();

  it('R8 watches from S with bookmarks and a time-out of 300 to 600 s', async () => {
    await using cache = await start();
    const query = cache.transport.watches[0]?.query;
    expect(query).to.include({ watch: '1', resourceVersion: '5', allowWatchBookmarks: 'true' });
    expect(Number(query?.['timeoutSeconds'])).to.be.within(300, 599);
  });

  it('R9 reads a refused watch whole, printed over many lines', async () => {
    const status = JSON.stringify(failure(403, 'Forbidden'), undefined, 2);
    await using cache = await start({ refuse: () => ({ status: 403, body: status }) });
    expect(cache.informer.state().state).to.equal('forbidden');
    expect(cache.informer.state().lastError).to.include({ code: 'KW_API_FORBIDDEN', status: 403 });
  });

  it('R10 splits at newlines wherever chunks break, inside a character too', async () => {
    await using cache = await start();
    const bytes = Buffer.from(
      `${JSON.stringify(added(pod('b', '6', { metadata: { annotations: { x: 'grün 🌱' } } })))}\n\n`,
    );
    for (const byte of bytes) cache.transport.latest.bytes(Buffer.of(byte));
    await cache.clock.settle();
    const [event] = cache.events.slice(-1);
    expect(event).to.have.nested.property('object.metadata.annotations.x', 'grün 🌱');
  });

  it('R10 reopens from S after a line that is no JSON, relists after three at the same S', async () => {
    await using cache = await start();
    for (let line = 1; line <= 3; line++) {
      expect(cache.transport.lists).to.have.length(1);
      cache.transport.latest.bytes('{"type":\n');
      await cache.clock.advance('1s');
    }
    expect(cache.transport.watches.slice(0, 3).map(({ query }) => query['resourceVersion'])).to.deep.equal([
      '5',
      '5',
      '5',
    ]);
    expect(cache.transport.lists).to.have.length(2);
  });

  it('R11 turns watch events into creates, updates and deletes; bookmarks and repeats reach no handler', async () => {
    await using cache = await start();
    await cache.send(
      added(pod('b', '6')),
      modified(pod('b', '6')),
      modified(pod('b', '7')),
      added(pod('b', '9', { metadata: { uid: 'new' } })),
      deleted(pod('a', '10')),
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: '12' } } },
      { type: 'STRANGE', object: {} },
    );
    expect(told(cache.events)).to.deep.equal([
      'create a',
      'create b',
      'update b@6→7',
      'delete b?',
      'create b',
      'delete a',
    ]);
    expect(cache.informer.state().resourceVersion).to.equal('12');
    expect(cache.logger.of('warn')).to.have.length(1);
  });

  it('R13 takes 100 s of silence for a dead connection; a bookmark arms it anew', async () => {
    await using cache = await start();
    await cache.clock.advance('60s');
    await cache.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '6' } } });
    await cache.clock.advance(99_999);
    expect(cache.transport.watches).to.have.length(1);
    await cache.clock.advance(1);
    expect(cache.transport.watches).to.have.length(2);
    expect(cache.transport.watches[1]?.query['resourceVersion']).to.equal('6');
    expect(cache.transport.streams[0]?.cancelled).to.equal(true);
    expect(cache.informer.state().failures).to.equal(0);
  });

  it('R14 reopens at once after a clean end of a watch that lived 10 s', async () => {
    await using cache = await start();
    await cache.clock.advance('10s');
    cache.transport.latest.end();
    await cache.clock.settle();
    expect(cache.transport.watches.map(({ at }) => at)).to.deep.equal([0, 10_000]);
  });

  it('R14 opens at most one watch a second, and takes one that closes at once for an error', async () => {
    let opens = 0;
    await using cache = await start({ refuse: () => (++opens, { status: 200, body: '' }) });
    await cache.clock.advance('10s');
    expect(opens).to.be.within(2, 5);
    expect(cache.informer.state().state).to.equal('backoff');
  });

  for (const [where, refused] of [
    ['ERROR event', false],
    ['HTTP status', true],
  ] as const)
    it(`R15 relists at once after a 410 as ${where}, keeping the content meanwhile`, async () => {
      let expired = refused;
      await using cache = await start({
        refuse: () => {
          if (!expired) return undefined;
          expired = false;
          return { status: 410, body: failure(410, 'Gone') };
        },
      });
      if (!refused) await cache.send({ type: 'ERROR', object: failure(410, 'Expired') });
      await cache.clock.settle();
      expect(cache.transport.lists.map(({ at }) => at)).to.deep.equal([0, 0]);
      expect(cache.stored).to.deep.equal(['a@3']);
      expect(told(cache.events)).to.deep.equal(['create a']);
    });

  it('R15 sends a second 410 within 10 s through the back-off', async () => {
    await using cache = await start({ refuse: () => ({ status: 410, body: failure(410, 'Expired') }) });
    await cache.clock.advance('1s');
    expect(cache.transport.lists).to.have.length(2);
    expect(cache.informer.state().state).to.equal('backoff');
  });

  it('R16 backs off 800 ms·2ⁿ up to 30 s, then goes on from S; nothing ends the loop', async () => {
    const opens: number[] = [];
    await using cache = await start({
      refuse: ({ at }) => {
        opens.push(at);
        return opens.length <= 9 ? { status: 500, body: failure(500, 'InternalError') } : undefined;
      },
    });
    await cache.clock.advance('5m');
    const waits = opens.slice(1, 10).map((at, index) => at - (opens[index] ?? 0));
    // random() is 0.5: three quarters of each; the second open is held back to one a second.
    expect(waits).to.deep.equal([1_000, 1_200, 2_400, 4_800, 9_600, 19_200, 22_500, 22_500, 22_500]);
    await cache.send(added(pod('b', '6')));
    expect(cache.informer.state()).to.include({ state: 'watching', failures: 0 });
    expect(cache.transport.lists).to.have.length(1);
  });

  it('R16 waits at least as long as Retry-After asks', async () => {
    const opens: number[] = [];
    await using cache = await start({
      refuse: ({ at }) => {
        opens.push(at);
        return opens.length > 1
          ? undefined
          : { status: 429, body: failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } }) };
      },
    });
    await cache.clock.advance('10s');
    expect(opens).to.deep.equal([0, 7_000]);
  });

  it('R16 relists after three ERROR events of another code in a row', async () => {
    await using cache = await start();
    for (let event = 1; event <= 3; event++) {
      expect(cache.transport.lists).to.have.length(1);
      await cache.send({ type: 'ERROR', object: failure(500, 'InternalError') });
      await cache.clock.advance('5s');
    }
    expect(cache.transport.lists).to.have.length(2);
  });

  it('R17 relists when the version stays too large', async () => {
    const tooLarge = failure(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } });
    let opens = 0;
    await using cache = await start({ refuse: () => (++opens <= 2 ? { status: 504, body: tooLarge } : undefined) });
    await cache.clock.advance('1s');
    expect(cache.transport.lists).to.have.length(1);
    await cache.clock.advance('3s');
    expect(cache.transport.lists).to.have.length(2);
  });

  it('R32 logs the first failure, then once a minute with the count, and recovery', async () => {
    let broken = true;
    await using cache = await start({ refuse: () => (broken ? new Error('connect ECONNREFUSED') : undefined) });
    expect(cache.logger.of('warn')).to.have.length(1);
    await cache.clock.advance('59s');
    expect(cache.logger.of('warn')).to.have.length(1);
    await cache.clock.advance('31s');
    expect(cache.logger.of('warn')).to.have.length(2);
    broken = false;
    await cache.clock.advance('30s');
    await cache.send(added(pod('b', '6')));
    expect(cache.logger.of('info')).to.have.length(1);
  });

  it('R33 keeps its content while forbidden and recovers when granted', async () => {
    let granted = false;
    await using cache = await start({
      refuse: () => (granted ? undefined : { status: 403, body: failure(403, 'Forbidden') }),
    });
    await cache.clock.advance('60s');
    expect(cache.informer.state()).to.include({ state: 'forbidden', synced: true, objects: 1 });
    granted = true;
    await cache.clock.advance('30s');
    expect(cache.informer.state().state).to.equal('watching');
  });

  it('R33 looks for a missing kind every 10 s, empties the store after two 404s, engages by itself', async () => {
    let served = true;
    const gone = { status: 404, body: '404 page not found' };
    await using cache = await start({
      answer: () => (served ? { body: podList('5', pod('a', '3')) } : gone),
      refuse: () => (served ? undefined : gone),
    });
    served = false;
    cache.transport.latest.break();
    await cache.clock.advance('1s');
    expect(cache.informer.state()).to.include({ state: 'missing', objects: 1 });
    await cache.clock.advance('10s');
    expect(cache.informer.state()).to.include({ state: 'missing', objects: 0 });
    expect(told(cache.events)).to.deep.equal(['create a', 'delete a?']);
    served = true;
    await cache.clock.advance('10s');
    expect(cache.informer.state()).to.include({ state: 'watching', objects: 1 });
  });

  it('R21 stops without leaving a request, event or timer, during a list too', async () => {
    let answer: (() => void) | undefined;
    const cache = await start({
      answer: () =>
        new Promise((resolve) => {
          answer = () => resolve({ body: podList('5', pod('a', '3')) });
        }),
    });
    const stopped = cache.cache.stop();
    answer?.();
    await stopped;
    expect(cache.informer.state().state).to.equal('stopped');
    expect(cache.clock.timers).to.equal(0);
    await cache.clock.advance('1h');
    expect(cache.events).to.deep.equal([]);
    expect(cache.transport.seen).to.have.length(1);
    expect(() => cache.cache.start())
      .to.throw()
      .with.property('code', 'KW_CACHE_STOPPED');
  });

  it('R21 stops a watch and its timers', async () => {
    const cache = await start();
    await cache.cache.stop();
    await cache.send(added(pod('b', '6')));
    expect(told(cache.events)).to.deep.equal(['create a']);
    expect(cache.clock.timers).to.equal(0);
    expect(cache.logger.of('warn')).to.deep.equal([]);
  });
});

describe('reflector: relist', () => {
  it('R18 dispatches deletes first, then what changed, and nothing for what did not', async () => {
    const lists = [
      podList('5', pod('same', '1'), pod('changed', '2'), pod('gone', '3'), pod('again', '4')),
      podList(
        '20',
        pod('new', '15'),
        pod('again', '16', { metadata: { uid: 'other' } }),
        pod('changed', '17'),
        pod('same', '1'),
      ),
    ];
    await using cache = await new CacheHarness({ options: page, answer: () => ({ body: lists.shift() }) }).start();
    const same = cache.events.find((event) => event.type === 'create' && event.object.metadata.name === 'same');
    cache.events.length = 0;
    await cache.send({ type: 'ERROR', object: failure(410, 'Expired') });
    await cache.clock.settle();
    expect(told(cache.events)).to.deep.equal([
      'delete gone?',
      'delete again?',
      'create new',
      'create again',
      'update changed@2→17',
    ]);
    const [stream] = cache.cache.streamsOf(cache.informer.kind);
    expect(stream?.store.visible.get('default', 'same')).to.equal(same?.type === 'create' ? same.object : undefined);
  });

  it('R24 takes a list with an older version as truth and says so', async () => {
    const lists = [podList('500', pod('a', '400')), podList('90', pod('a', '80'))];
    await using cache = await new CacheHarness({ options: page, answer: () => ({ body: lists.shift() }) }).start();
    await cache.send({ type: 'ERROR', object: failure(410, 'Expired') });
    await cache.clock.settle();
    expect(cache.stored).to.deep.equal(['a@80']);
    expect(cache.informer.state().resourceVersion).to.equal('90');
    expect(cache.logger.of('warn').join()).to.contain('history went back');
  });
});
