import { expect } from 'chai';
import { describe, it } from 'mocha';
import { bootstrapError, type Fault, faultText } from './fault.js';

const fault = (owner: string, property?: string, found = 'is wrong'): Fault => ({
  code: 'KW_OPTION',
  owner,
  property,
  found,
  expected: 'something else',
  fix: 'change it',
});

describe('faults', () => {
  it('M3 names class, property, what was found, what is expected, and the fix', () => {
    expect(faultText(fault('A', 'b'))).to.equal('A.b: is wrong; expected something else; fix: change it');
  });

  it('M2 puts all into one error: sorted, each once, counted', () => {
    const error = bootstrapError([fault('B'), fault('A', 'z'), fault('A', 'b'), fault('B')]);
    expect(error.code).to.equal('KW_BOOTSTRAP');
    expect(error.details.map((detail) => detail.where)).to.deep.equal(['A.b', 'A.z', 'B']);
    expect(error.message.split('\n').at(-1)).to.match(/^3 faults in 2 classes; nothing was started/);
  });
});
