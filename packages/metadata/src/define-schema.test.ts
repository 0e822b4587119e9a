import 'reflect-metadata';
import { expect } from 'chai';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { describe, it } from 'mocha';
import { defineSchema } from './define-schema.js';
import { updateRecord } from './store.js';
import { withProperty } from './updaters.js';

class Base {
  @IsInt()
  @Min(0)
  size!: number;

  @IsString()
  name!: string;
}
class Derived extends Base {
  @Max(5)
  @Min(1)
  override size = 1;

  /** Free text. */
  @IsString()
  @IsOptional()
  note?: string;

  forgotten?: string;
  defaulted!: number;
}
updateRecord(Derived, withProperty('defaulted', { default: { value: 1 } }));

describe('properties of an object class', () => {
  it('CRD-5 come from the bases too; a redeclared one replaces rule by rule', () => {
    const { properties } = defineSchema(Derived);
    const size = properties.find((property) => property.name === 'size');
    expect(size?.rules.map((rule) => [rule.name, ...rule.constraints])).to.deep.equal([
      ['isInt'],
      ['max', 5],
      ['min', 1],
    ]);
    expect(size?.declaredBy).to.equal(Derived);
  });

  it('stand in the order of declaration, whichever decorator names them', () => {
    expect(defineSchema(Derived).properties.map((property) => property.name)).to.deep.equal([
      'size',
      'name',
      'note',
      'defaulted',
    ]);
  });

  it('CRD-2 fields without a decorator are told apart', () => {
    expect(defineSchema(Derived).undecorated).to.deep.equal(['forgotten']);
  });

  it('keep the type the compiler wrote and the comment', () => {
    const note = defineSchema(Derived).properties.find((property) => property.name === 'note');
    expect(note).to.include({ designType: String, description: 'Free text.' });
  });

  it('leave base classes without any fact as they were', () => {
    expect(defineSchema(Base).properties).to.have.length(2);
  });
});
