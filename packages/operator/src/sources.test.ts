import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  type Context,
  Controller,
  createOperator,
  Every,
  For,
  kind,
  KubernetesResource,
  type KubewrightError,
  type Logger,
  type OperatorOptions,
  Owns,
  type Reconciler,
  type Request,
  Resource,
} from './index.js';

const GROUP = '/apis/app.example.com/v1';

@Resource({ group: 'app.example.com', version: 'v1' })
class Thing extends KubernetesResource {}

/** Only the server knows how its plural is spelt. */
const Goose = kind({ group: 'app.example.com', version: 'v1', kind: 'Goose' });

const thing = (plural: string): object => ({
  apiVersion: 'app.example.com/v1',
  kind: plural === 'geese' ? 'Goose' : 'Thing',
  metadata: { name: 'one', namespace: 'default', uid: `uid-${plural}`, resourceVersion: '5', creationTimestamp: '' },
});

/** An API server with one object of each kind that it serves, and nothing that ever happens. */
class TinyServer {
  /** Plurals that it serves. */
  readonly served = new Set(['things', 'geese']);
  readonly #http: Server = createServer((request, response) => this.#answer(request, response));

  async listen(): Promise<string> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#http.closeAllConnections();
    this.#http.close();
  }

  #answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://tiny');
    const say = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const resources = [
      { name: 'things', kind: 'Thing', namespaced: true },
      { name: 'geese', kind: 'Goose', namespaced: true },
    ].filter(({ name }) => this.served.has(name));
    if (pathname === GROUP) return say(200, { kind: 'APIResourceList', resources });
    const plural = pathname.slice(GROUP.length + 1);
    if (!this.served.has(plural)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    if (searchParams.has('sendInitialEvents')) return say(400, { kind: 'Status', code: 400, reason: 'BadRequest' });
    if (!searchParams.has('watch')) {
      const kindName = plural === 'geese' ? 'GooseList' : 'ThingList';
      return say(200, { kind: kindName, metadata: { resourceVersion: '5' }, items: [thing(plural)] });
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
  }
}

describe('sources of an operator', () => {
  let server: TinyServer;
  let base: Pick<OperatorOptions, 'kubeConfig' | 'environment' | 'logLevel' | 'signals'>;

  beforeEach(async () => {
    server = new TinyServer();
    const kubeConfig = {
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: await server.listen() } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      users: [{ name: 'test', user: {} }],
    };
    base = { kubeConfig, environment: false, logLevel: 'silent', signals: false };
  });

  afterEach(() => server.close());

  it('E13 @Every runs all objects of @For again and again', async () => {
    const often = Promise.withResolvers<void>();
    let runs = 0;
    @Controller()
    @For(Thing)
    @Every('20ms')
    class Again implements Reconciler {
      reconcile(_: Request, { causes }: Context): void {
        if (causes.some(({ type }) => type === 'every') && ++runs === 3) often.resolve();
      }
    }
    const operator = await createOperator({ ...base, controllers: [Again] });
    const running = operator.start();
    await Promise.race([often.promise, running]);
    await operator.stop();
    await running;
    expect(runs).to.be.at.least(3);
  });

  it('M13 a kind whose plural nobody knows yet is a fault like any missing kind, with @Owns and @Every too', async () => {
    server.served.clear();
    @Controller()
    @For(Goose)
    @Owns(Thing)
    @Every('1h')
    class Geese implements Reconciler {
      reconcile(): void {}
    }
    const operator = await createOperator({ ...base, controllers: [Geese], cacheSyncTimeout: 200 });
    const error = await operator.start().then(
      () => undefined,
      (reason: KubewrightError) => reason,
    );
    expect(error?.code).to.equal('KW_CACHE_SYNC');
    const text = 'app.example.com/v1 Goose is not served (served versions: none); fix: apply the CRD';
    expect(error?.details.map(({ message }) => message)).to.deep.equal([
      `Geese @For(Goose): ${text}`,
      `Geese @Owns(Thing): ${text}`,
    ]);
  });

  it('L1 M13 a kind whose plural only the server knows is found at the start', async () => {
    const ran = Promise.withResolvers<Request>();
    @Controller()
    @For(Goose)
    @Owns(Thing)
    class Geese implements Reconciler {
      reconcile(request: Request): void {
        ran.resolve(request);
      }
    }
    const operator = await createOperator({ ...base, controllers: [Geese] });
    const running = operator.start();
    expect(await Promise.race([ran.promise, running])).to.deep.equal({ namespace: 'default', name: 'one' });
    await operator.stop();
    await running;
  });

  it('C25 C26 shows what its controllers do, and pauses, resumes and triggers them', async () => {
    const ran: string[] = [];
    const twice = Promise.withResolvers<void>();
    @Controller()
    @For(Thing)
    class Things implements Reconciler {
      reconcile({ name }: Request): void {
        ran.push(name);
        if (ran.length === 2) twice.resolve();
      }
    }
    const operator = await createOperator({ ...base, controllers: [Things] });
    const { control, inspector } = operator;
    expect(control.pause('thing')).to.equal(false);
    const running = operator.start();
    await Promise.race([operator.ready, running]);
    expect(control.pause('thing')).to.equal(true);
    expect(control.trigger('thing', 'default/two')).to.equal(true);
    expect(inspector.snapshot()).to.deep.include({ phase: 'running' });
    expect(inspector.snapshot().controllers[0]).to.deep.include({ name: 'thing', paused: true });
    expect(control.resume('thing')).to.equal(true);
    await Promise.race([twice.promise, running]);
    expect(ran).to.have.members(['one', 'two']);
    await operator.stop();
    await running;
    expect(inspector.object('thing', 'default/nobody')).to.equal(undefined);
  });

  for (const how of ['an optional source', 'an optional controller', 'a lenient start'])
    it(`M14 ${how} of a kind that is not there holds nothing up`, async () => {
      server.served.delete('geese');
      const ran = Promise.withResolvers<void>();
      @Controller()
      @For(Thing)
      class Things implements Reconciler {
        reconcile(): void {
          ran.resolve();
        }
      }
      @Controller({ optional: how === 'an optional controller' })
      @For(Goose, { optional: how === 'an optional source' })
      class Geese implements Reconciler {
        reconcile(): void {}
      }
      const controllers = [Things, Geese];
      const startup = how === 'a lenient start' ? 'lenient' : 'strict';
      const operator = await createOperator({ ...base, controllers, startup });
      const running = operator.start();
      await Promise.race([Promise.all([ran.promise, operator.ready]), running]);
      await operator.stop();
      await running;
    });

  it('C3 options go by controller, kind, operator', async () => {
    const attempts: string[] = [];
    const over = Promise.withResolvers<void>();
    const note = (name: string, { lastAttempt }: Context): never => {
      attempts.push(`${name} ${lastAttempt}`);
      if (attempts.length === 3) over.resolve();
      throw new Error('not today');
    };
    @Controller({ name: 'own', maxRetries: 0 })
    @For(Thing)
    class Own implements Reconciler {
      reconcile(_: Request, context: Context): never {
        return note('own', context);
      }
    }
    @Controller({ name: 'of-kind' })
    @For(Thing)
    class OfKind implements Reconciler {
      reconcile(_: Request, context: Context): never {
        return note('of-kind', context);
      }
    }
    @Controller({ name: 'of-operator' })
    @For(Goose)
    class OfOperator implements Reconciler {
      reconcile(_: Request, context: Context): never {
        return note('of-operator', context);
      }
    }
    const operator = await createOperator({
      ...base,
      controllers: [Own, OfKind, OfOperator],
      controllerDefaults: { maxRetries: 0 },
      perKind: { 'Thing.app.example.com': { maxRetries: 7 } },
    });
    const running = operator.start();
    await Promise.race([over.promise, running]);
    await operator.stop();
    await running;
    expect(attempts.slice(0, 3)).to.have.members(['own true', 'of-kind false', 'of-operator true']);
  });

  it('C3 M2 options of a kind that no controller has, and values that cannot be, are faults', async () => {
    @Controller()
    @For(Thing)
    class Things implements Reconciler {
      reconcile(): void {}
    }
    const error = await createOperator({
      ...base,
      controllers: [Things],
      controllerDefaults: { jitter: 2 },
      perKind: { Thing: {}, 'Thing.app.example.com': { maxConcurrentReconciles: 0 } },
    }).then(
      () => undefined,
      (reason: KubewrightError) => reason,
    );
    expect(error?.details.map(({ message }) => message)).to.deep.equal([
      'controllerDefaults: controllerDefaults has jitter: 2; expected a number from 0 to 1; fix: jitter: 0.2',
      'perKind["Thing"]: names a kind that no controller reconciles; expected one of Thing.app.example.com; fix: write kind and group as in PodSet.app.example.com',
      'perKind["Thing.app.example.com"]: perKind["Thing.app.example.com"] has maxConcurrentReconciles: 0; expected a whole number ≥ 1; fix: maxConcurrentReconciles: 1',
    ]);
  });

  it('M9 M15 says when it is ready and what it watches, takes checks of the author, and stops in two lines', async () => {
    const lines: string[] = [];
    const ready = Promise.withResolvers<unknown>();
    const logger: Logger = {
      trace: () => undefined,
      debug: () => undefined,
      info: (fields: object | string, message?: string) => {
        lines.push(typeof fields === 'string' ? fields : (message ?? ''));
        if (message === 'operator is ready') ready.resolve(fields);
      },
      warn: () => undefined,
      error: () => undefined,
      child: () => logger,
    };
    @Controller()
    @For(Thing)
    class Things implements Reconciler {
      reconcile(): void {}
    }
    const health = { port: 0, host: '127.0.0.1' };
    const operator = await createOperator({ ...base, controllers: [Things], logger, health });
    operator.health?.addReady({ name: 'mail', check: () => Promise.reject(new Error('no mail server')) });
    const running = operator.start();
    expect(await Promise.race([ready.promise, running])).to.deep.equal({
      controllers: ['thing'],
      kinds: { 'things.app.example.com': 1 },
    });
    const answer = await fetch(`http://127.0.0.1:${operator.health?.port}/readyz`);
    expect(answer.status).to.equal(500);
    expect(await answer.text()).to.contain('mail');
    await operator.stop();
    await running;
    expect(lines).to.deep.equal(['starting', 'operator is ready', 'stopping', 'stopped']);
  });
});
