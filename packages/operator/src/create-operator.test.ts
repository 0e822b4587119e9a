import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  channelSource,
  Client,
  Controller,
  createOperator,
  type EventPredicate,
  For,
  Injectable,
  isKubewrightError,
  KubernetesResource,
  type KubewrightError,
  Logger,
  type OperatorOptions,
  Predicate,
  type Reconciler,
  type Request,
  Resource,
  Watches,
} from './index.js';

@Resource({ group: 'app.example.com', version: 'v1' })
class Thing extends KubernetesResource {}

@Injectable()
class Greeting {
  readonly text: string = 'hello';
}

@Predicate()
class Filter implements EventPredicate {
  static last: Greeting;
  constructor(greeting: Greeting) {
    Filter.last = greeting;
  }
  update(): boolean {
    return true;
  }
}

@Controller()
@For(Thing, { predicates: [Filter] })
class ThingController implements Reconciler {
  static made: ThingController[] = [];
  constructor(
    readonly client: Client,
    readonly logger: Logger,
    readonly greeting: Greeting,
  ) {
    ThingController.made.push(this);
  }
  reconcile(): undefined {
    return undefined;
  }
}

const rejection = async (promise: Promise<unknown>): Promise<KubewrightError> => {
  try {
    await promise;
  } catch (error) {
    expect(isKubewrightError(error), String(error)).to.equal(true);
    return error as KubewrightError;
  }
  throw new Error('expected a rejection');
};

describe('createOperator', () => {
  let api: Server;
  let requests: string[];
  let base: Pick<OperatorOptions, 'kubeConfig' | 'environment' | 'logLevel' | 'signals'>;

  beforeEach(async () => {
    ThingController.made = [];
    requests = [];
    api = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(404, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason: 'NotFound',
          code: 404,
          message: 'no',
        }),
      );
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
    const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    base = {
      kubeConfig: {
        'current-context': 'test',
        clusters: [{ name: 'test', cluster: { server } }],
        contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
        users: [{ name: 'test', user: {} }],
      },
      environment: false,
      logLevel: 'silent',
      signals: false,
    };
  });

  afterEach(() => {
    api.closeAllConnections();
    api.close();
  });

  it('constructs controllers with what their constructors are typed with, and asks no server', async () => {
    await using operator = await createOperator({ ...base, controllers: [ThingController] });
    const [made] = ThingController.made;
    expect(made?.client).to.equal(operator.client);
    expect(made?.logger).to.have.property('info');
    expect(made?.greeting.text).to.equal('hello');
    expect(Filter.last).to.equal(made?.greeting);
    expect(requests).to.deep.equal([]);
  });

  it('takes bindings of the user, and loggers', async () => {
    const greeting = { text: 'salut' };
    const lines: unknown[] = [];
    const logger: Logger = {
      trace: () => undefined,
      debug: () => undefined,
      info: (...line: unknown[]) => void lines.push(line),
      warn: () => undefined,
      error: () => undefined,
      child: () => logger,
    };
    const options = { ...base, controllers: [ThingController], logger };
    await using _ = await createOperator({
      ...options,
      bindings: (container) => container.bind(Greeting).toConstantValue(greeting),
    });
    expect(ThingController.made[0]?.greeting).to.equal(greeting);
    expect(ThingController.made[0]?.logger).to.equal(logger);
  });

  it('M1 two operators in one process share nothing', async () => {
    await using a = await createOperator({ ...base, name: 'a', controllers: [ThingController] });
    await using b = await createOperator({ ...base, name: 'b', controllers: [ThingController] });
    const [first, second] = ThingController.made;
    expect(a.client).not.to.equal(b.client);
    expect(first?.client).to.equal(a.client);
    expect(second?.client).to.equal(b.client);
    expect(first?.greeting).not.to.equal(second?.greeting);
  });

  it('M2 tells every fault of every class, of bindings and of the environment at once; nothing is made and no request is sent', async () => {
    class Unbound {}
    @Controller()
    @For(Thing)
    class Needy implements Reconciler {
      constructor(readonly unbound: Unbound) {}
      reconcile(): undefined {
        return undefined;
      }
    }
    @Controller()
    class Idle {}
    const error = await rejection(
      createOperator({
        ...base,
        controllers: [ThingController, Needy, Idle],
        environment: { env: { KUBEWRIGHT_LOG_LEVEL: 'loud' }, argv: [] },
        bindings: () => {
          throw new Error('no luck');
        },
      }),
    );
    expect(error.code).to.equal('KW_BOOTSTRAP');
    expect(error.details.map((detail) => `${detail.where} ${detail.code}`)).to.deep.equal([
      'Idle KW_CONTROLLER_NO_SOURCE',
      'Idle.reconcile KW_CONTROLLER_NO_RECONCILE',
      'KUBEWRIGHT_LOG_LEVEL KW_OPTION',
      'Needy KW_CONTROLLER_SAME_NAME',
      'Needy.constructor[0] KW_DI_UNBOUND',
      'bindings KW_DI_BINDINGS',
    ]);
    expect(ThingController.made).to.deep.equal([]);
    expect(requests).to.deep.equal([]);
  });

  it('tells every constructor that throws', async () => {
    @Controller({ name: 'a' })
    @For(Thing)
    class A implements Reconciler {
      constructor() {
        throw new Error('first');
      }
      reconcile(): undefined {
        return undefined;
      }
    }
    @Controller({ name: 'b' })
    @For(Thing)
    class B extends A {}
    const error = await rejection(createOperator({ ...base, controllers: [A, B] }));
    expect(error.details.map((detail) => detail.message)).to.deep.equal([
      'A.constructor: could not be constructed: first; expected a constructor that only stores what it is given; fix: move work such as connecting to the first reconcile, or into a binding of `bindings`',
      'B.constructor: could not be constructed: first; expected a constructor that only stores what it is given; fix: move work such as connecting to the first reconcile, or into a binding of `bindings`',
    ]);
  });

  it('names a kubeconfig that is not there', async () => {
    const error = await rejection(
      createOperator({ ...base, kubeConfig: '/nowhere/config', controllers: [ThingController] }),
    );
    expect(error.code).to.match(/^KW_CLUSTER_/);
    expect(error.message).to.contain('/nowhere/config');
  });

  it('M12 M13 a missing CRD is told with the controller that needs it, and the start gives up in time', async () => {
    const operator = await createOperator({ ...base, controllers: [ThingController], cacheSyncTimeout: 300 });
    const error = await rejection(operator.start());
    expect(error.code).to.equal('KW_CACHE_SYNC');
    expect(error.details.map((detail) => detail.message)).to.deep.equal([
      'ThingController @For(Thing): app.example.com/v1 Thing is not served (served versions: none); fix: apply the CRD',
    ]);
    await operator.stop();
  });

  it('M13 an API server that cannot be reached is told the same way', async () => {
    api.close();
    const operator = await createOperator({ ...base, controllers: [ThingController], cacheSyncTimeout: 300 });
    const error = await rejection(operator.start());
    expect(error.code).to.equal('KW_CACHE_SYNC');
    expect(error.message).to.contain('ThingController @For(Thing)').and.to.contain('ECONNREFUSED');
  });

  it('M6 stop before start is harmless, and a start after it starts nothing', async () => {
    const operator = await createOperator({ ...base, controllers: [ThingController] });
    await operator.stop();
    await operator.stop();
    await operator.start();
    expect(requests).to.deep.equal([]);
  });

  it('M6 a second start is refused', async () => {
    await using operator = await createOperator({ ...base, controllers: [] });
    const first = operator.start();
    expect((await rejection(operator.start())).code).to.equal('KW_MANAGER_STARTED');
    await operator.stop();
    await first;
  });

  it('M10 leaves no signal handlers behind', async () => {
    const before = process.listenerCount('SIGTERM');
    const operator = await createOperator({ ...base, signals: true, controllers: [] });
    const running = operator.start();
    await operator.stop();
    await running;
    expect(process.listenerCount('SIGTERM')).to.equal(before);
  });

  it('E13 @Watches(channel) runs a controller for what is pushed, before and after the start', async () => {
    const channel = channelSource();
    const seen = Promise.withResolvers<void>();
    const names: string[] = [];
    @Controller({ name: 'outside' })
    @Watches(channel)
    class Outside implements Reconciler {
      reconcile(request: Request): void {
        names.push(request.name);
        if (names.length === 2) seen.resolve();
      }
    }
    const operator = await createOperator({ ...base, controllers: [Outside] });
    channel.push({ name: 'before' });
    const running = operator.start();
    channel.push({ name: 'after' });
    await Promise.race([seen.promise, running]);
    expect(names).to.have.members(['before', 'after']);
    await operator.stop();
    await running;
  });
});
