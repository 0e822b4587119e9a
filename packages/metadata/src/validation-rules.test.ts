import { expect } from 'chai';
import {
  Allow,
  getMetadataStorage,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { describe, it } from 'mocha';
import { validationRules } from './validation-rules.js';

class Rules {
  @IsInt()
  @Min(0)
  @Max(9, { groups: ['strict'] })
  count!: number;

  @IsString({ each: true })
  @IsOptional()
  names?: string[];

  @ValidateNested()
  @ValidateIf(() => true)
  @Allow()
  rest!: object;
}

const namesOf = (property: string): string[] => (validationRules(Rules).get(property) ?? []).map((rule) => rule.name);

describe('rules of class-validator', () => {
  it('are read in source order, with constraints, groups and each', () => {
    expect(validationRules(Rules).get('count')).to.deep.equal([
      { name: 'isInt', each: false, constraints: [], groups: [], always: false },
      { name: 'min', each: false, constraints: [0], groups: [], always: false },
      { name: 'max', each: false, constraints: [9], groups: ['strict'], always: false },
    ]);
    expect(validationRules(Rules).get('names')?.[0]).to.include({ name: 'isString', each: true });
  });

  it('gives the three decorators without a name one', () => {
    expect(namesOf('rest')).to.deep.equal(['nested', 'validateIf', 'allow']);
    expect(namesOf('names')).to.deep.equal(['isString', 'isOptional']);
  });

  it('sees all that class-validator itself would apply', () => {
    const own = getMetadataStorage().getTargetValidationMetadatas(Rules, '', true, false);
    const read = [...validationRules(Rules).values()].flat();
    expect(read).to.have.length(own.length);
  });

  it('knows nothing of a class without rules', () => {
    expect(validationRules(class {}).size).to.equal(0);
  });
});
