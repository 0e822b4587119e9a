import 'reflect-metadata';
import { Injectable } from '@kubewright/decorators';
import type { Fault } from '@kubewright/metadata';
import { expect } from 'chai';
import { inject, injectable } from 'inversify';
import { describe, it } from 'mocha';
import { OperatorContainer } from './container.js';

@Injectable()
class Engine {
  readonly power: number = 100;
}
@Injectable()
class Car {
  constructor(readonly engine: Engine) {}
}
class Van extends Car {}

abstract class Mailer {
  abstract send(): string;
}
@Injectable()
class SmtpMailer extends Mailer {
  constructor(readonly engine: Engine) {
    super();
  }
  send(): string {
    return `sent by ${this.engine.power}`;
  }
}

const texts = (faults: readonly Fault[]): string[] =>
  faults.map((fault) => `${fault.owner}.${fault.property ?? ''} ${fault.code}`);

describe('the container of an operator', () => {
  it('injects by type without a decorator of inversify', () => {
    const container = new OperatorContainer();
    container.bind(Mailer).to(SmtpMailer).inSingletonScope();
    container.bind(Engine).toSelf().inSingletonScope();
    expect(container.faults()).to.deep.equal([]);
    expect(container.get(Mailer).send()).to.equal('sent by 100');
    expect(container.get(Mailer)).to.equal(container.get(Mailer));
  });

  it('hands a class without a constructor of its own what its base wants', () => {
    const container = new OperatorContainer();
    container.bind(Van).toSelf();
    expect(container.faults()).to.deep.equal([]);
    expect(container.get(Van).engine).to.be.instanceOf(Engine);
    expect(container.get(Van)).to.be.instanceOf(Van);
  });

  it('binds @Injectable() classes by itself, each once, also those that such a class wants', () => {
    const container = new OperatorContainer();
    container.bindClass(Car);
    expect(container.faults()).to.deep.equal([]);
    expect(container.get(Car).engine).to.equal(container.get(Engine));
  });

  it('leaves classes that inversify decorates to inversify', () => {
    @injectable()
    class Named {
      constructor(@inject('name') readonly name: string) {}
    }
    const container = new OperatorContainer();
    container.bind('name').toConstantValue('x');
    container.bind(Named).toSelf();
    expect(container.faults()).to.deep.equal([]);
    expect(container.get(Named).name).to.equal('x');
  });

  it('takes constant values, factories and rebinding as inversify does', () => {
    const container = new OperatorContainer();
    container.bind(Engine).toConstantValue({ power: 7 });
    container.bindClass(Car);
    expect(container.get(Car).engine.power).to.equal(7);
    container.rebind(Engine).toDynamicValue(() => ({ power: 8 }));
    container.rebind(Car).toSelf();
    expect(container.get(Car).engine.power).to.equal(8);
  });

  it('tells every class that nobody bound, without constructing anything', () => {
    let constructed = 0;
    class Unknown {
      constructor() {
        constructed += 1;
      }
    }
    class Other {}
    @Injectable()
    class Needy {
      constructor(
        readonly a: Unknown,
        readonly b: Other,
      ) {
        constructed += 1;
      }
    }
    const container = new OperatorContainer();
    container.bindClass(Needy);
    const faults = container.faults();
    expect(texts(faults)).to.deep.equal(['Needy.constructor[0] KW_DI_UNBOUND', 'Needy.constructor[1] KW_DI_UNBOUND']);
    expect(faults[0]?.fix).to.contain('container.bind(Unknown).toSelf()');
    expect(constructed).to.equal(0);
  });

  it('tells services whose constructor types are unknown', () => {
    class Bare {
      constructor(readonly engine: Engine) {}
    }
    const container = new OperatorContainer();
    container.bind(Bare).toSelf();
    expect(texts(container.faults())).to.deep.equal(['Bare.constructor KW_META_NO_TYPES']);
  });
});
