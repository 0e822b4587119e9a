import 'reflect-metadata';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Class } from './class-type.js';
import { dependenciesOf } from './dependencies.js';

const injectable = (): ClassDecorator => () => undefined;

class Service {}
interface Shape {
  readonly a: number;
}

@injectable()
class Base {
  constructor(readonly service: Service) {}
}
class Derived extends Base {}

class Undecorated {
  constructor(readonly service: Service) {}
}
@injectable()
class DerivedOfUndecorated extends Undecorated {}

@injectable()
class Wrong {
  constructor(
    readonly shape: Shape,
    readonly text: string,
    readonly service: Service,
  ) {}
}

@injectable()
class Erased {
  constructor(readonly callback: () => void) {}
}

const faultsOf = (cls: Class): string[] => dependenciesOf(cls).faults.map((fault) => `${fault.code} ${fault.found}`);

describe('constructor dependencies', () => {
  it('are the types of the parameters', () => {
    expect(dependenciesOf(Base).types).to.deep.equal([Service]);
    expect(dependenciesOf(Service)).to.deep.equal({ types: [], faults: [] });
  });

  it('are inherited by a class without a constructor of its own', () => {
    expect(dependenciesOf(Derived)).to.deep.equal({ types: [Service], faults: [] });
  });

  it('cannot be told when the base that declares them has no decorator', () => {
    const [fault] = dependenciesOf(DerivedOfUndecorated).faults;
    expect(fault?.code).to.equal('KW_DI_INHERITED');
    expect(fault?.fix).to.match(/^put @Injectable\(\) on Undecorated/);
  });

  it('name the compiler switches when nothing was written down', () => {
    const [fault] = dependenciesOf(Undecorated).faults;
    expect(fault?.code).to.equal('KW_META_NO_TYPES');
    expect(fault?.fix).to.contain('emitDecoratorMetadata');
  });

  it('name the cause of each type that cannot be injected', () => {
    expect(faultsOf(Wrong)).to.deep.equal([
      'KW_DI_TYPE constructor parameter 1 is typed as an interface, a union or a type alias, which do not exist at run time (metadata says Object)',
      'KW_DI_TYPE constructor parameter 2 is a String, which cannot be injected by type',
    ]);
    expect(dependenciesOf(Erased).faults[0]?.fix).to.contain('not `import type { … }`');
  });

  it('name the import cycle when a type did not exist yet', () => {
    class Cyclic {
      constructor(readonly other: unknown) {}
    }
    Reflect.defineMetadata('design:paramtypes', [undefined], Cyclic);
    expect(faultsOf(Cyclic)[0]).to.contain('circular import');
  });
});
