import 'reflect-metadata';
import {
  type EventHandler,
  type EventPredicate,
  kind,
  KubernetesResource,
  type KubewrightError,
  type Reconciler,
  type Request,
  type Wire,
} from '@kubewright/api';
import { V1Node, V1Pod } from '@kubewright/api/kinds';
import { bootstrapError, type Class, type ControllerDefinition, define, recordOf } from '@kubewright/metadata';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  Controller,
  Default,
  For,
  Injectable,
  Nested,
  Owns,
  Predicate,
  PrinterColumn,
  Resource,
  Scale,
  Status,
  Watches,
} from './index.js';

class ThingSpec {}
class ThingStatus {}

@Resource({ group: 'app.example.com', version: 'v1' })
class Thing extends KubernetesResource {
  @Nested(() => ThingSpec) spec!: ThingSpec;
  @Status(() => ThingStatus) status?: ThingStatus;
}

class PodPredicate implements EventPredicate {
  update(): boolean {
    return true;
  }
}
class NodeHandler implements EventHandler {
  create(): void {}
}

class Reconciles implements Reconciler {
  reconcile(): undefined {
    return undefined;
  }
}

const definitionOf = (cls: Class): ControllerDefinition =>
  define({ controllers: [cls] }).controllers[0] as ControllerDefinition;
const messages = (...controllers: Class[]): string[] =>
  bootstrapError(define({ controllers }).faults).details.map((detail) => detail.message);

describe('decorators', () => {
  it('describe a controller: its sources in the order of the text, its name after the kind', () => {
    const always: EventPredicate = { create: () => true };
    @Controller({ maxConcurrentReconciles: 4 })
    @For(Thing, { selector: { a: 'b' } })
    @Owns(V1Pod, { predicates: [PodPredicate], controllerOnly: false })
    @Watches(V1Node, { handler: NodeHandler })
    @Predicate(always)
    class ThingController extends Reconciles {
      @Watches(() => V1Node)
      things(node: Wire<V1Node>): Request[] {
        return [{ name: node.metadata.name }];
      }
    }
    expect(define({ controllers: [ThingController] }).faults).to.deep.equal([]);
    const definition = definitionOf(ThingController);
    expect(definition).to.include({ name: 'thing', cls: ThingController });
    expect(definition.settings).to.deep.equal({ maxConcurrentReconciles: 4 });
    expect(definition.predicates).to.deep.equal([always]);
    expect(definition.sources.map((source) => source.label)).to.deep.equal([
      'ThingController @For(Thing)',
      'ThingController @Owns(Pod)',
      'ThingController @Watches(Node)',
      'ThingController @Watches(Node) things',
    ]);
    expect(definition.sources[0]?.kind).to.deep.equal({
      group: 'app.example.com',
      version: 'v1',
      kind: 'Thing',
      plural: 'things',
      scope: 'Namespaced',
      hasStatus: true,
    });
    expect(definition.sources[3]).to.include({ role: 'Watches', method: 'things' });
  });

  it('take the model classes of @kubernetes/client-node for the same kinds', async () => {
    const models = await import('@kubernetes/client-node');
    @Controller()
    @For(Thing)
    @Owns(models.V1Pod)
    class ThingController extends Reconciles {}
    const [, owned] = definitionOf(ThingController).sources;
    expect(owned?.kind).to.include({ kind: 'Pod', plural: 'pods', group: '' });
    expect(owned?.label).to.equal('ThingController @Owns(V1Pod)');
  });

  it('leave a token without plural to discovery', () => {
    @Controller()
    @For(kind({ group: 'other.example.com', version: 'v1', kind: 'Widget' }))
    class WidgetController extends Reconciles {}
    const definition = definitionOf(WidgetController);
    expect(definition.name).to.equal('widget');
    expect(definition.sources[0]?.kind).to.equal(undefined);
  });

  it('inherit mapping methods of a base class, not its sources', () => {
    class Mapping extends Reconciles {
      @Watches(V1Node)
      things(): Request[] {
        return [];
      }
    }
    @Controller()
    @For(Thing)
    class ThingController extends Mapping {}
    expect(definitionOf(ThingController).sources.map((source) => source.method)).to.deep.equal([undefined, 'things']);
  });

  it('describe a resource', () => {
    @Resource({ group: 'app.example.com', version: 'v1' })
    @Scale({ spec: '.spec.a', status: '.status.b' })
    @PrinterColumn({ name: 'A', type: 'string', jsonPath: '.spec.a' })
    @PrinterColumn({ name: 'B', type: 'string', jsonPath: '.spec.b' })
    class Sized extends KubernetesResource {
      @Default(1) @PrinterColumn({ name: 'Size' }) size!: number;
    }
    const record = recordOf(Sized);
    expect(record.columns.map((column) => column.name)).to.deep.equal(['A', 'B']);
    expect(record.scale).to.deep.equal({ spec: '.spec.a', status: '.status.b' });
    expect(record.properties['size']).to.deep.equal({ default: { value: 1 }, columns: [{ name: 'Size' }] });
  });

  it('write nothing on base classes or other classes', () => {
    @Injectable()
    class Derived extends Thing {}
    expect(recordOf(Derived).resource).to.equal(undefined);
    expect(recordOf(Thing).injectable).to.equal(undefined);
  });
});

/** Applies a decorator as plain JavaScript could: TypeScript would refuse the place. */
const misuse = (decorator: unknown, cls: Class, name?: string, descriptor?: unknown): void => {
  const target: unknown = name === undefined ? cls : cls.prototype;
  (decorator as (...args: unknown[]) => void)(target, name, descriptor);
};

describe('wrong use', () => {
  it('M3 @Watches on a property names class, property, found, expected and fix', async () => {
    const models = await import('@kubernetes/client-node');
    @Controller()
    @For(Thing)
    class PodSetController extends Reconciles {
      agentsOn!: unknown;
    }
    misuse(Watches(models.V1Node), PodSetController, 'agentsOn');
    expect(messages(PodSetController)).to.deep.equal([
      'PodSetController.agentsOn: @Watches(V1Node) stands on a property; expected a method returning Request[]; fix: write agentsOn(node) { … }',
    ]);
  });

  it('M2 every fault of every class is reported at once, sorted, with a closing count', () => {
    @Controller()
    @Owns(V1Pod)
    class B {}
    @Controller({ maxConcurrentReconciles: 0 })
    @For(Thing)
    @For(ThingSpec)
    @Watches(V1Node)
    class A extends Reconciles {}
    class Bare extends Reconciles {}
    const error: KubewrightError = bootstrapError(
      define({ controllers: [B, A, Bare], resources: [ThingStatus] }).faults,
    );
    expect(error.code).to.equal('KW_BOOTSTRAP');
    expect(error.details.map((detail) => `${detail.where} ${detail.code}`)).to.deep.equal([
      'A KW_CONTROLLER_OPTION',
      'A KW_CRD_NO_RESOURCE',
      'A KW_META_NO_HANDLER',
      'A KW_CONTROLLER_TWO_PRIMARIES',
      'B KW_CONTROLLER_NO_PRIMARY',
      'B KW_CONTROLLER_NO_NAME',
      'B.reconcile KW_CONTROLLER_NO_RECONCILE',
      'Bare KW_CONTROLLER_NO_SOURCE',
      'Bare KW_META_NOT_A_CONTROLLER',
      'ThingStatus KW_CRD_NO_RESOURCE',
    ]);
    expect(error.message).to.match(/\n10 faults in 4 classes; nothing was started and no request was sent$/);
    for (const detail of error.details)
      expect(detail.message, detail.message).to.match(/^.+: .+; expected .+; fix: .+$/);
  });

  const refused: [title: string, build: () => Class, text: RegExp][] = [
    [
      'a class that is no kind',
      () => {
        @Controller()
        @For(ThingSpec)
        class C extends Reconciles {}
        return C;
      },
      /^C: @For\(ThingSpec\) names a class that is neither a @Resource nor a built-in kind; .*kind\(\{ group, version, kind \}\)$/,
    ],
    [
      'a class that a circular import left undefined',
      () => {
        @Controller()
        @For(undefined as never)
        class C extends Reconciles {}
        return C;
      },
      /^C: @For\(undefined\) names a class that was not loaded yet \(circular import\); .*@For\(\(\) => TheClass\)/,
    ],
    [
      'a predicate factory that was not called',
      () => {
        const specChanged = (): EventPredicate => ({});
        @Controller()
        @For(Thing, { predicates: [specChanged as never] })
        class C extends Reconciles {}
        return C;
      },
      /^C: @For\(Thing\) predicates got specChanged, which has none of create, update, delete, generic; .*call the factory: specChanged\(\)$/,
    ],
    [
      'a handler that a circular import left undefined',
      () => {
        @Controller()
        @For(Thing)
        @Predicate(undefined as never)
        class C extends Reconciles {}
        return C;
      },
      /^C: @Predicate is undefined \(circular import\?\); /,
    ],
    [
      'a predicate class whose own dependencies are unknown',
      () => {
        class Needy implements EventPredicate {
          constructor(readonly handler: NodeHandler) {}
          create(): boolean {
            return true;
          }
        }
        @Controller()
        @For(Thing, { predicates: [Needy] })
        class C extends Reconciles {}
        return C;
      },
      /^C: @For\(Thing\) predicates class Needy: has 1 constructor parameter\(s\) but no type information/,
    ],
    [
      'namespaces of a cluster-scoped kind',
      () => {
        @Controller()
        @For(V1Node, { namespaces: ['a'] })
        class C extends Reconciles {}
        return C;
      },
      /^C: @For\(Node\) lists namespaces but Node is cluster-scoped/,
    ],
    [
      'a duration that cannot be read',
      () => {
        @Controller({ reconcileTimeout: 'soon' })
        @For(Thing)
        class C extends Reconciles {}
        return C;
      },
      /^C: @Controller has reconcileTimeout: "soon"; expected milliseconds or text/,
    ],
    [
      'a constructor typed with an interface',
      () => {
        @Controller()
        @For(Thing)
        class C extends Reconciles {
          constructor(readonly handler: EventHandler) {
            super();
          }
        }
        return C;
      },
      /^C\.constructor\[0\]: constructor parameter 1 is typed as an interface/,
    ],
    [
      'a class decorator on a method',
      () => {
        @Controller()
        @For(Thing)
        class C extends Reconciles {
          run(): void {}
        }
        misuse(Owns(V1Pod), C, 'run', Object.getOwnPropertyDescriptor(C.prototype, 'run'));
        return C;
      },
      /^C\.run: @Owns stands on a method; expected a class; fix: move it in front of the class C$/,
    ],
  ];
  for (const [title, build, text] of refused)
    it(title, () => {
      expect(messages(build()))
        .to.have.length(1)
        .and.to.satisfy(([message]: string[]) => text.test(message ?? ''), text.source);
    });

  it('property decorators elsewhere are told of the resource', () => {
    @Resource({ group: 'app.example.com', version: 'v1' })
    class Odd extends KubernetesResource {}
    misuse(
      Nested(() => ThingSpec),
      Odd,
      'spec',
      { get: () => 1 },
    );
    misuse(PrinterColumn({ name: 'A' }), Odd);
    const { faults } = define({ controllers: [], resources: [Odd] });
    expect(faults.map((fault) => `${fault.property ?? ''} ${fault.found}`)).to.deep.equal([
      'spec @Nested stands on an accessor',
      " @PrinterColumn({ name: 'A' }) stands on a class",
    ]);
  });

  it('C1 two controllers of one name are told, both classes named', () => {
    @Controller()
    @For(Thing)
    class First extends Reconciles {}
    @Controller()
    @For(Thing)
    class Second extends Reconciles {}
    expect(messages(First, Second)[0]).to.match(/^Second: has the name "thing", as First has; /);
  });

  it('bad names of a resource, and two classes of one kind', () => {
    @Resource({ group: 'Example', version: 'V1', plural: 'Things!', shortNames: ['T'] })
    class Bad extends KubernetesResource {}
    @Resource({ group: 'apps.k8s.io', version: 'v1' })
    class Protected extends KubernetesResource {}
    @Resource({ group: 'app.example.com', version: 'v1', kind: 'Thing' })
    class Twin extends KubernetesResource {}
    const { faults } = define({ controllers: [], resources: [Bad, Protected, Thing, Twin] });
    expect(faults.map((fault) => `${fault.owner} ${fault.code}`)).to.deep.equal([
      'Bad KW_CRD_IDENTITY',
      'Bad KW_CRD_IDENTITY',
      'Bad KW_CRD_IDENTITY',
      'Bad KW_CRD_IDENTITY',
      'Protected KW_CRD_PROTECTED_GROUP',
      'Twin KW_CRD_IDENTITY',
    ]);
  });

  it('instances and undefined in the lists', () => {
    const { faults } = define({
      controllers: [new Reconciles() as never, undefined as never],
      resources: ['x' as never],
    });
    expect(faults.map((fault) => `${fault.owner} ${fault.found}`)).to.deep.equal([
      'controllers holds object',
      'controllers holds undefined (circular import?)',
      'resources holds string',
    ]);
  });
});
