import { type Class, dependenciesOf, type Fault, recordOf } from '@kubewright/metadata';
import { type BindToFluentSyntax, Container, type Newable, type ServiceIdentifier } from 'inversify';

/** Where inversify's own decorators leave their mark; classes with it are left to inversify. */
const INVERSIFY_KEY = '@inversifyjs/core/classMetadataReflectKey';

/**
 * inversify's container, with one difference: a class bound with `to` or `toSelf` needs no decorator of inversify. Its
 * constructor types are read as for controllers, so that services are injected by type and a class without a constructor
 * of its own gets what its base wants (inversify alone would hand it `undefined`).
 */
export class OperatorContainer extends Container {
  /** Constructors seen so far, for the check that everything they want is bound. */
  readonly #wanted = new Map<Class, readonly Class[]>();
  readonly #faults: Fault[] = [];

  override bind<T>(service: ServiceIdentifier<T>): BindToFluentSyntax<T> {
    return this.#byType(super.bind(service), service);
  }

  override rebind<T>(service: ServiceIdentifier<T>): BindToFluentSyntax<T> {
    return this.#byType(super.rebind(service), service);
  }

  /** Binds a class to itself, one instance per operator; a class that is bound already is left as it is. */
  bindClass(cls: Class): void {
    if (!this.isBound(cls))
      this.bind(cls)
        .to(cls as Newable)
        .inSingletonScope();
  }

  /**
   * Everything that could not be injected. Classes with `@Injectable()` that nobody bound are bound on the way. To be
   * asked before anything is constructed.
   */
  faults(): Fault[] {
    const unboundFaults: Fault[] = [];
    // Binding an injectable class adds to the map while it is walked; a Map takes such additions along.
    for (const [cls, types] of this.#wanted)
      types.forEach((type, index) => {
        if (this.isBound(type)) return;
        if (recordOf(type).injectable === true) this.bindClass(type);
        else unboundFaults.push(unbound(cls, index, type));
      });
    return [...this.#faults, ...unboundFaults];
  }

  #byType<T>(syntax: BindToFluentSyntax<T>, service: ServiceIdentifier<T>): BindToFluentSyntax<T> {
    const to = (cls: Newable<T>): ReturnType<BindToFluentSyntax<T>['to']> => {
      if (hasInversifyMetadata(cls)) return syntax.to(cls);
      const { types, faults } = dependenciesOf(cls);
      this.#faults.push(...faults);
      if (faults.length === 0) this.#wanted.set(cls, types);
      return syntax.toResolvedValue((...args) => new cls(...(args as never[])), [...types] as never);
    };
    const toSelf = (): ReturnType<typeof to> => to(service as Newable<T>);
    return new Proxy(syntax, {
      get(target, property) {
        if (property === 'to') return to;
        if (property === 'toSelf') return toSelf;
        const value: unknown = Reflect.get(target, property, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

const hasInversifyMetadata = (cls: Class): boolean => Reflect.hasOwnMetadata(INVERSIFY_KEY, cls);

const unbound = (cls: Class, index: number, type: Class): Fault => ({
  code: 'KW_DI_UNBOUND',
  owner: cls.name,
  property: `constructor[${index}]`,
  found: `constructor parameter ${index + 1} wants a ${type.name}, which is not bound`,
  expected: 'a class the container knows',
  fix: `put @Injectable() on ${type.name}, or bind it: bindings: (container) => container.bind(${type.name}).toSelf().inSingletonScope()`,
});
